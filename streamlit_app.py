"""The launcher, nothing else: `python -m streamlit run` finds `app` here, and app/main.py frames every page."""

import streamlit as st

app = st.App("app/main.py")
