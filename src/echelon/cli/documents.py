"""What a rule says of itself, as a terminal shows it."""


def document(rule: object) -> str:
    """Return the docstring of a rule."""
    import inspect

    return inspect.getdoc(rule) or "It says nothing of itself."


def indented(text: str) -> str:
    """Return a docstring, plain, with each line moved to the right."""
    return "\n".join(f"  {line}" if line else "" for line in plain(text).split("\n"))


def plain(text: str) -> str:
    """Return a docstring without the marks that only a web page needs."""
    return text.replace("``", "").replace("**", "").replace("`", "")
