"""Between files and questions: `questions` is the front door, `readers/` has one module a format.

Others import `questions` and `tag_files`; what is in `readers/` is used through them.
"""
