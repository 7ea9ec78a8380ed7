"""The screen Export: filters and files (`content`, no Streamlit), previews, differences, what it draws."""
