"""Tags: changes with their way back, lists, likely duplicates, import; `search/` finds one as it is typed.

From outside any module; a change is planned in `planning` and carried out by `changes`.
"""
