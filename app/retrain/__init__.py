"""The screen Retrain: a training from its start to the model that goes live.

Without Streamlit: `standing`, `starting`, `progress`, `measures`. The rest asks and draws. Only the page imports from
here; what a training does is in app.learning.
"""
