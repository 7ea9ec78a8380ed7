"""What an error or a message says, in the reader's language."""


def said(error: object, language: str) -> str:
    """Errors and messages carry a code and are said in `language`; any other text stays as it is."""
    return error.in_language(language) if hasattr(error, "in_language") else str(error)
