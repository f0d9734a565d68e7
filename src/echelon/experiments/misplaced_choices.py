"""Choices for one kind of machine that were made where the machine is of another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping


def refuse_choices(choices: Mapping[str, object], purpose: str) -> None:
    """Refuse the first choice that was made, if any.

    Parameters
    ----------
    choices : mapping of str to object
        By name, None where nothing was asked for.
    purpose : str
        What such choices are for, and what to say instead; follows the value in the error.

    Raises
    ------
    InputError
        If something was asked for.
    """
    for name, given in choices.items():
        if given is not None:
            raise InputError(f"{given!r:.60} is {purpose}", field=name.replace("_", "-"))
