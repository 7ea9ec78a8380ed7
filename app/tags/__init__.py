"""The screen Tags: list, one tag in a dialog, likely duplicates, changes; `controls/` are components of our own."""
