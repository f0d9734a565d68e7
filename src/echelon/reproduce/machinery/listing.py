"""Listing: a table of ours that the study did not print, or whose figures are lost."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, NamedTuple, ParamSpec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    Row = tuple[str | float, ...]
    """Texts, then numbers."""


@dataclass(frozen=True, slots=True)
class Listing:
    """Rows of ours under heads, with what they say in a sentence or two.

    Parameters
    ----------
    name : str
        In files: ``"readings"``; unique in its study.
    title : str
        What it is of.
    heads : tuple of str
        Of the columns; the first `labels` of them are texts.
    rows : tuple of tuple
        Texts and numbers, one a head.
    note : str, default ``""``
        What to see in it.
    labels : int, default 1
        How many columns are texts.
    """

    name: str
    title: str
    heads: tuple[str, ...]
    rows: tuple[Row, ...]
    note: str = ""
    labels: int = 1

    def to_dict(self) -> Mapping[str, object]:
        """Return it as JSON holds it."""
        return {
            "name": self.name,
            "title": self.title,
            "heads": list(self.heads),
            "rows": [
                [None if isinstance(cell, float) and not math.isfinite(cell) else cell for cell in row]
                for row in self.rows
            ],
            "note": self.note,
        }


Of = ParamSpec("Of")


def listing(
    name: str, title: str, heads: tuple[str, ...], note: str = "", *, labels: int = 1
) -> Callable[[Callable[Of, Iterable[Row]]], Callable[Of, Listing]]:
    """Return a decorator: the function below it gives the rows, and a call of it the whole listing.

    Parameters
    ----------
    name, title, heads, note, labels
        As of `Listing`.
    """

    def decorate(rows: Callable[Of, Iterable[Row]]) -> Callable[Of, Listing]:
        @wraps(rows)
        def list_rows(*args: Of.args, **kwargs: Of.kwargs) -> Listing:
            return Listing(name, title, heads, tuple(rows(*args, **kwargs)), note, labels)

        return list_rows

    return decorate


class Check(NamedTuple):
    """A number or sentence that is printed, and what follows for it from others that are.

    Attributes
    ----------
    what : str
        Which, and from what it follows.
    printed, follows : str
        The number, and what it should be, at equally many digits.
    note : str
        What a difference says; empty where there is none.
    """

    what: str
    printed: str
    follows: str
    note: str = ""

    @property
    def holds(self) -> bool:
        """Whether it is what follows."""
        return self.printed == self.follows


def consistency_listing(checks: Iterable[Check], note: str = "") -> Listing:
    """Return the checks as a table."""
    return Listing(
        "consistency",
        "Are the printed numbers consistent?",
        ("Number, and its source", "Printed", "Follows", "", "Conclusion"),
        tuple(
            (check.what, check.printed, check.follows, "yes" if check.holds else "NO", check.note)
            for check in checks
        ),
        note,
        labels=5,
    )
