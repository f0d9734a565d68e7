"""What a rule says of its parameters: type, default, and the sentence of its docstring."""

from __future__ import annotations

import inspect
import re
from dataclasses import MISSING
from typing import TYPE_CHECKING

from echelon.rules.parameter import bearer, expected, parameters, text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.rules.parameter import Named

_HEAD = re.compile(r"^([\w, ]+?) : ", re.M)


def parameter_rows(rule: object, named: Sequence[Named] = ()) -> list[tuple[str, str]]:
    """Return a row a parameter of a rule: the word for it; what it is, its default, and what it does.

    Parameters
    ----------
    rule : object
        A class, a ready rule, or what a decorator made.
    named : sequence of Named, default none
        As of `echelon.rules.parameter.arguments`.
    """
    texts, kinds = parameter_texts(rule), expected(rule, named)
    rows = []
    for word, parameter in parameters(rule).items():
        default = "must be given"
        if parameter.default is not MISSING:
            default = f"default {_shown(parameter.default)}"
        unit = parameter.metadata.get("unit", "")
        default += f" {unit}" if unit and isinstance(parameter.default, float) else ""
        text = texts.get(parameter.name, "")
        rows.append((word, f"{kinds[word]}, {default}{f'. {text}' if text else ''}"))
    return rows


def parameter_texts(rule: object) -> dict[str, str]:
    """Return what the docstring of a rule, or of a class that it is made from, says of each parameter."""
    source = bearer(rule)
    kinds = source.__mro__ if isinstance(source, type) else (source, *type(source).__mro__)
    texts: dict[str, str] = {}
    for kind in reversed(kinds):
        texts |= _entries(inspect.cleandoc(getattr(kind, "__doc__", None) or ""))
    return texts


def _entries(document: str) -> dict[str, str]:
    """Return the entries of the section on parameters of a NumPy docstring, each as one line."""
    section = re.search(r"^Parameters\n-+\n(.*?)(?=^[^\n]+\n-{3,}\n|\Z)", document, re.M | re.S)
    entries: dict[str, str] = {}
    heads = list(_HEAD.finditer(section[1])) if section else []
    for head, following in zip(heads, [*heads[1:], None], strict=True):
        assert section is not None
        entry = section[1][head.start() : following.start() if following else None]
        text = " ".join(entry.partition("\n")[2].split())
        entries |= {name.strip(): text for name in head[1].split(",")}
    return entries


def _shown(value: object) -> str:
    return text_of(value) or "empty" if value is not None else "none"
