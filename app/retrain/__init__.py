"""The screen Retrain: what it shows (`content`, no Streamlit), progress, result, promotion and roll-back."""
