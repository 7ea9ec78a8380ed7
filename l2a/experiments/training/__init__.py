"""What is compared and how it is trained: methods, sizes, tuning, one run, all runs.

Used by `study` and by the results.
"""
