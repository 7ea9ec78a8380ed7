"""L2A: suggests tags for Chinese questions by generating them word by word.

The public door is `l2a.tagger.Tagger`; the command line is `python -m l2a`. Importing the package loads
nothing heavy: torch arrives with the modules that need it.
"""
