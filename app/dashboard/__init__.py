"""The screen Dashboard: tables for charts (`content`, no Streamlit) and the panels that draw them."""
