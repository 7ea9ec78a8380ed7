"""The launcher: `python -m streamlit run` finds `app` here, app/main.py frames every page, /health is beside them."""

import streamlit as st
from starlette.middleware import Middleware

from app.access import doors
from app.entry import resources, warm_up
from app.serving import health

app = st.App(
    "app/main.py",
    routes=[health.route()],
    middleware=[Middleware(doors.Doors, load_store=resources.load_store)],
    exception_handlers={500: doors.broken},
    lifespan=warm_up.lifespan,
)
