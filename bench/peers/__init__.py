"""Other ways to suggest tags, for bench/quality.py: one module a family, each with functions `Material -> Variants`."""
