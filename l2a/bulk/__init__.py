"""Many questions at once: lines of answers, all cores of this machine, several machines with Ray.

Others import `answers`, `processes` and `scale_out`.
"""
