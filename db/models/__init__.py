"""Model versions and what they did: registry, suggestions, training runs, what there is to train on.

From outside any module here.
"""
