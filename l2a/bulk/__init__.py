"""Many questions at once: lines of answers, all cores of this machine, several machines with Ray.

Others import `json_lines`, `processes` and `scale_out`.
"""
