"""The screen Attention: what it shows (`content`, no Streamlit), what it draws (`sections`), figures for papers."""
