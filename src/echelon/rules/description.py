"""The description of a rule's parameters: type, default, and the text of its docstring."""

from __future__ import annotations

import inspect
import re
from dataclasses import MISSING
from typing import TYPE_CHECKING

from echelon.rules.parameter import bearer, expectations, parameters, text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.rules.parameter import Named

_SECTION = r"^(?:%s)\n-+\n(.*?)(?=^[^\n]+\n-{3,}\n|\Z)"
_PARAMETERS = re.compile(_SECTION % "Parameters", re.M | re.S)
_OF_PYTHON = re.compile(_SECTION % "Parameters|Attributes|Returns|Raises|Examples|See Also", re.M | re.S)
_NOTES = re.compile(r"^Notes\n-+\n", re.M)
_OTHER_HEADING = re.compile(r"^([^\n]+)\n-{3,}\n", re.M)
_HEAD = re.compile(r"^([\w, ]+?) : .*$", re.M)


def parameter_rows(rule: object, named: Sequence[Named] = ()) -> list[tuple[str, str]]:
    """Return one row per parameter of a rule: its name; its type, default and meaning.

    Parameters
    ----------
    rule : object
        A class, a ready rule, or the result of a decorator.
    named : sequence of Named, default none
        As in `echelon.rules.parameter.arguments`.
    """
    texts, kinds = parameter_texts(rule), expectations(rule, named)
    rows = []
    for word, parameter in parameters(rule).items():
        default = "required"
        if parameter.default is not MISSING:
            default = f"default {_format_value(parameter.default)}"
        unit = parameter.metadata.get("unit", "")
        default += f" {unit}" if unit and isinstance(parameter.default, float) else ""
        text = texts.get(parameter.name, "")
        rows.append((word, f"{kinds[word]}, {default}{f'. {text}' if text else ''}"))
    return rows


def parameter_texts(rule: object) -> dict[str, str]:
    """Return the description of each parameter in the docstring of a rule, or of its class."""
    source = bearer(rule)
    kinds = source.__mro__ if isinstance(source, type) else (source, *type(source).__mro__)
    texts: dict[str, str] = {}
    for kind in reversed(kinds):
        texts |= _entries(inspect.cleandoc(getattr(kind, "__doc__", None) or ""))
    return texts


def prose(document: str) -> str:
    """Return what a NumPy docstring says of a rule: its text, its notes and its references.

    Sections that describe the Python object, and headings' underlines, are left out.
    """
    text = _NOTES.sub("", _OF_PYTHON.sub("", document))
    return _OTHER_HEADING.sub(r"\1:\n", text).strip()


def _entries(document: str) -> dict[str, str]:
    """Return the entries of the section on parameters of a NumPy docstring, each as one line."""
    section = _PARAMETERS.search(document)
    entries: dict[str, str] = {}
    # The texts are between the heads of entries: names, text, names, text ...
    _, *parts = _HEAD.split(section[1]) if section else [""]
    for names, text in zip(parts[::2], parts[1::2], strict=True):
        entries |= {name.strip(): " ".join(text.split()) for name in names.split(",")}
    return entries


def _format_value(value: object) -> str:
    return text_of(value) or "empty" if value is not None else "none"
