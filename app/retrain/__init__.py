"""The screen Retrain: a training from its start to the model that goes live.

Without Streamlit: `standing`, `starting`, `progress`, `measures`, `pruning`. The rest asks and draws. The command line
imports `pruning`.
"""
