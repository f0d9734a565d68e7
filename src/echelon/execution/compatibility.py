"""Lacking: the message for hardware that lacks what a model of execution needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence


def refuse_types(needed: str, types: Sequence[str]) -> None:
    """Refuse hardware if some of its types lack what is needed.

    Parameters
    ----------
    needed : str
        The needs of a model, as a sentence without its end.
    types : sequence of str
        Names of the types that lack it; one may have none.

    Raises
    ------
    InputError
        If there are such types; the message names them.
    """
    if types:
        names = ", ".join(dict.fromkeys(repr(name) if name else "one without a name" for name in types))
        raise InputError(f"{needed}; not so: {names}", field="hardware")
