"""Comments, reasons and other free text, made fit to be stored: a broken emoji must not cost anybody a decision."""

REDACTED = "[redacted]"  # what stands in the place of a text that was removed for good


def storable(text: str) -> str:
    """Without NUL, which no database keeps, and without outer white space; half of a surrogate pair becomes U+FFFD."""
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return whole.replace("\0", "").strip()
