"""The words people type for a co-allocation, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.errors import InputError, UnknownNameError
from echelon.lazy import by_word
from echelon.policies.coallocation.contract import CoAllocation
from echelon.policies.coallocation.registry import CO_ALLOCATIONS
from echelon.user_file import is_in_file, open_user_file
from echelon.words import Words, made, settings_of

if TYPE_CHECKING:
    from collections.abc import Mapping

_BY_NAME = by_word(CO_ALLOCATIONS)
_NONE = "none"


def co_allocation_named(words: str) -> CoAllocation | None:
    """Return the co-allocation people mean by `words`.

    Parameters
    ----------
    words : str
        A name, ``"optimal"``, with parameters after colons or in parentheses,
        ``"non-saturated:seconds=2:clamp=no"``; ``"none"``; or a user's own, ``"my.py:Widest:most=3"``: a
        class with a ``name`` and ``span(problem)``, whose parameters are those of a dataclass.

    Returns
    -------
    CoAllocation or None
        None for ``"none"``: no job is co-allocated.

    Raises
    ------
    UnknownNameError
        If a word names nothing.
    InputError
        If a parameter is wrong, or a user's file cannot be loaded.
    """
    parted = Words.parted(words, kind="co-allocation")
    name, settings = ":".join(parted.names), dict(parted.settings)
    if name == _NONE:
        if settings:
            raise InputError(f"takes no parameters, got {', '.join(settings)}", field="co-allocation none")
        return None
    if is_in_file(name):
        return _from_file(name, settings)
    if name not in _BY_NAME:
        raise UnknownNameError("co-allocation", name, [*_BY_NAME, _NONE])
    found: CoAllocation = made(_BY_NAME[name], name, settings, field=f"co-allocation {name}")
    return found


def co_allocation(given: str | CoAllocation | None) -> CoAllocation | None:
    """Return `given` as a co-allocation: words, a rule itself, or None, which is none.

    Raises
    ------
    InputError
        If it is none of these.
    """
    if given is None:
        return None
    if isinstance(given, str):
        return co_allocation_named(given)
    if isinstance(given, CoAllocation) and not isinstance(given, type):
        return given
    raise InputError(f"must be words or a co-allocation, got {given!r:.80}", field="co-allocation")


def co_allocation_words(given: CoAllocation | None) -> str:
    """Return the canonical words of a co-allocation: ``optimal:form=full``; a default is not said."""
    return _NONE if given is None else ":".join([given.name, *settings_of(given)])


def names_co_allocation(words: str) -> bool:
    """Return whether ``FILE.py:NAME:key=value`` names a co-allocation, by running the file."""
    name = ":".join(Words.parted(words, kind="co-allocation").names)
    if not is_in_file(name):
        return False
    _, own, things = open_user_file(name, kind="policy, metric, estimator, broker or co-allocation")
    return hasattr(things.get(own), "span")


def _from_file(name: str, settings: Mapping[str, str]) -> CoAllocation:
    file, own, things = open_user_file(name, kind="co-allocation")
    if own not in things:
        known = [key for key, value in things.items() if isinstance(value, type) and hasattr(value, "span")]
        raise UnknownNameError(f"co-allocation in {file}", own, known)
    found = things[own]
    if isinstance(found, type):
        found = made(found, name, settings, field=f"co-allocation {name}")
    elif settings:
        raise InputError(f"takes no parameters, got {', '.join(settings)}", field=f"co-allocation {name}")
    if not isinstance(found, CoAllocation) or not isinstance(found.name, str):
        problem = f"must have a name and span(problem), got {type(found).__name__}"
        raise InputError(problem, file=file, field=own)
    return found
