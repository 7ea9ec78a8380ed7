"""What every page stands in: frame, session, settings, shared resources, widgets, texts in two languages.

Every screen imports from here.
"""
