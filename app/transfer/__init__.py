"""Files of questions and tags, into the store and out of it: import, export, what differs between two. No Streamlit.

Pages and commands import it.
"""
