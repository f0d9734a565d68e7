"""The parameters of a rule: each must say what it is, and in which unit."""

from __future__ import annotations

import re
from typing import Any

import docstrings

_UNITS = re.compile(
    r"\b(seconds?|weights?|shares?|ratio|factor|probability|distances?|processors?|jobs|times|0 to 1)\b", re.I
)
"""Words by which a text says what a number counts or measures."""


def described(name: str, kind: type) -> str:
    """Return the docstring of the rule `kind` as Markdown, once it is seen to describe every parameter.

    Raises
    ------
    ValueError
        If a parameter has no description, or is a number and names no unit.
    """
    from echelon.rules import parameters

    texts = _texts(kind)
    for field in parameters(kind).values():
        text = texts.get(field.name, "")
        if not text:
            raise ValueError(f"parameter {field.name} of {name} has no text that says what it is")
        if field.type in (float, "float") and "unit" not in field.metadata and not _UNITS.search(text):
            raise ValueError(f"parameter {field.name} of {name} needs a unit, got {text!r}")
    return docstrings.whole(kind)


def _texts(kind: Any) -> dict[str, str]:  # noqa: ANN401  (any class)
    """Return what the docstring's list of parameters says of each, or that of a class it is made from."""
    lists = [docstrings.parsed(each).sections.get("Parameters", "") for each in reversed(kind.__mro__)]
    return {
        one.strip(): text
        for content in lists
        for head, text in docstrings.entries(content)
        for one in head.split(" : ")[0].split(",")
    }
