"""Who gets in, and what browsers are told: sign-in, names, headers, doors before Streamlit's own routes.

What a role may see and do is `db.access`.
"""
