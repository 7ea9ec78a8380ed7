"""What everything in the app stands on: settings, the store's opening, texts in two languages, the one clock, what a
session remembers, widgets.

Every room may import from here; nothing here imports a screen, the model or the sign-in.
"""
