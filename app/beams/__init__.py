"""The screen Beams: what it shows (`content`, no Streamlit) and what it draws (`sections`)."""
