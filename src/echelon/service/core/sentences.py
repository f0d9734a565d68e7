"""Sentences: what clusters and operators say, as one sentence."""

from __future__ import annotations


def sentence(text: str) -> str:
    """Return a text in one line that ends with a period, a question mark or an exclamation mark."""
    line = " ".join(text.split())
    return line if line.endswith((".", "?", "!")) else f"{line}."
