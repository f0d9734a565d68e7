"""Named: types of parameters whose values have names, such as orders; the room that has one announces it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Named(NamedTuple):
    """A type of values with names: how a name is read.

    Parameters
    ----------
    type : type
        The annotation of a field of a rule.
    expected : str
        For messages: ``"an order"``.
    read : callable
        From the text to the value; raises InputError or UnknownNameError.
    needs_key : bool, default True
        Whether the key must be written where it is the only parameter of this type in a user's own rule.
    """

    type: type
    expected: str
    read: Callable[[str], object]
    needs_key: bool = True


_ANNOUNCED: list[Callable[[], Sequence[Named]]] = []


def announce(types: Callable[[], Sequence[Named]]) -> None:
    """Let the rules of every family have parameters of some types.

    Parameters
    ----------
    types : callable () -> sequence of Named
        Called when a parameter is read, so that the types are imported then.
    """
    _ANNOUNCED.append(types)


def named_types() -> tuple[Named, ...]:
    """Return all announced types of parameters whose values have names."""
    return tuple(one for types in _ANNOUNCED for one in types())
