"""The examples at the end of every command's help."""


def examples(*lines: str, heading: str = "Examples") -> str:
    """Return an epilog that click prints line by line, as written."""
    return "\b\n" + "\n".join([f"{heading}:", *(f"  {line}" for line in lines)])
