"""The launcher: `python -m streamlit run` finds `app` here, app/main.py frames every page, /health is beside them."""

import streamlit as st

from app import health, warm_up

app = st.App("app/main.py", routes=[health.route()], lifespan=warm_up.lifespan)
