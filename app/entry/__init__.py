"""Through which every page is entered: the frame with store and visitor, what all sessions share, what a start does.

Every page imports `frame`; a room below (shell, access, serving, learning, transfer) imports nothing from here.
"""
