"""Finding a tag by what somebody typed: hanzi, pinyin, initials, aliases, typing errors.

From outside: `index` (kept up to date with the store) and `matching` (the answers).
"""
