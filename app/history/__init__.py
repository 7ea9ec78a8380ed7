"""The screen History: what it shows (`content`, no Streamlit), its list, reviews of conflicts, what it draws."""
