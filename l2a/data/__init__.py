"""Between files and questions: `questions` is the front door, `readers/` has one module a format.

Others import `questions`, `tag_files` and `statistics`; what is in `readers/` is used through them.
"""
