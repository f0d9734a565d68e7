"""The words people type for a placement, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.errors import InputError, UnknownNameError
from echelon.lazy import by_word
from echelon.policies.order import order_named
from echelon.policies.placement.contract import Placement
from echelon.policies.placement.node_search import FITS, NodeSearch
from echelon.policies.placement.own_order import OwnOrder
from echelon.policies.placement.own_placement import OwnPlacement
from echelon.policies.placement.registry import ALLOCATORS, RESOURCE_ORDERS
from echelon.policies.placement.resource_order import ResourceOrder
from echelon.policies.words import Words, arguments, made, parameters, settings_of
from echelon.user_file import is_in_file, open_user_file

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.policies.placement.allocator import Allocator

_ORDERS = by_word(RESOURCE_ORDERS)
_ALLOCATORS = by_word(ALLOCATORS)


def placement_named(words: str) -> Placement:
    """Return the placement that people mean by `words`.

    Parameters
    ----------
    words : str
        A node search (``"best-fit"``), a resource order (``"high-gigaflops"``, which is first-fit in it),
        both (``"best-fit:high-gigaflops"``), an allocator with its settings (``"NAME:key=value"``), or a
        user's own (``"my.py:rule"``, ``"best-fit:my.py:rule"``). Small or capital letters, hyphens or
        underscores.

    Raises
    ------
    UnknownNameError
        If a word names nothing.
    InputError
        If a setting is wrong, or a user's file cannot be loaded.
    """
    parted = Words.parted(words, kind="placement")
    settings, names = dict(parted.settings), list(parted.names)
    fit = next((fit for fit in FITS if names and fit == _plain(names[0])), None)
    name = ":".join(names[1:] if fit else names)
    if fit and not name:
        _refuse_settings(words, settings)
        return NodeSearch(fit)
    if is_in_file(name):
        found = _from_file(name, settings)
    elif _plain(name) in _ALLOCATORS:
        found = _built_in(_ALLOCATORS[_plain(name)], settings)
    elif _plain(name) in _ORDERS:
        found = _built_in(_ORDERS[_plain(name)], settings)
    elif fit:
        raise UnknownNameError("resource order", name, _ORDERS)
    else:
        raise UnknownNameError("placement", name, placement_names())
    if isinstance(found, ResourceOrder):
        return NodeSearch(fit or "first-fit", found)
    if fit:
        raise InputError(f"must name a resource order after {fit}, got {name}", field=f"placement {words!r}")
    return found


def placement_of(given: str | Placement | ResourceOrder) -> Placement:
    """Return `given` as a placement: words, a resource order, or a placement itself.

    Raises
    ------
    InputError
        If it is neither, or its name is no text.
    """
    if isinstance(given, str):
        return placement_named(given)
    if isinstance(given, ResourceOrder):
        return NodeSearch(order=given)
    if isinstance(given, Placement) and not isinstance(given, type):
        return _sound(given)
    raise InputError(f"must be words or a placement, got {given!r:.80}", field="placement")


def placement_words(given: Placement) -> str:
    """Return the canonical words of a placement: ``best-fit:low-power``; a default is not said."""
    if isinstance(given, NodeSearch):
        said = [] if isinstance(given.order, OwnOrder) else settings_of(given.order)
    else:
        said = settings_of(given.rule if isinstance(given, OwnPlacement) else given)
    return ":".join([given.name, *said])


def placement_names() -> list[str]:
    """Return every single word that names a placement, aliases included."""
    return sorted({*FITS, *_ORDERS, *_ALLOCATORS})


def names_placement(words: str) -> bool:
    """Return whether ``FILE.py:NAME:key=value`` names a placement, by running the file."""
    name = ":".join(Words.parted(words, kind="placement").names)
    if not is_in_file(name):
        return False
    _, own, things = open_user_file(name, kind="policy, metric, estimator, broker or placement")
    return _is_placement(_thing(things, own))


def _plain(word: str) -> str:
    return word.lower().replace("_", "-")


def _built_in(
    kind: type[ResourceOrder | Allocator], settings: Mapping[str, str]
) -> ResourceOrder | Placement:
    if not parameters(kind):
        _refuse_settings(kind.name, settings)
    return kind(**arguments(kind, kind.name, settings, order_named))


def _refuse_settings(name: str, settings: Mapping[str, str]) -> None:
    if settings:
        raise InputError(f"takes no parameters, got {', '.join(settings)}", field=f"placement {name}")


def _is_placement(thing: object) -> bool:
    # The kinds that a file imports to build upon are none of its own.
    imported = getattr(thing, "__module__", "").startswith("echelon.") and isinstance(thing, type)
    return (isinstance(thing, ResourceOrder) or hasattr(thing, "place")) and not imported


def _thing(things: Mapping[str, object], own: str) -> object:
    """Return what a file calls `own`, in Python or as the name of a rule."""
    named = {thing.name: thing for thing in things.values() if isinstance(thing, OwnOrder)}
    return things.get(own, named.get(own))


def _sound(found: Placement) -> Placement:
    """Return `found` if it comes with the package, else held to what it promised.

    Raises
    ------
    InputError
        If its name is no text.
    """
    if not isinstance(found.name, str):
        raise InputError(f"must be a text, got {found.name!r:.60}", field="placement, name")
    known = type(found) in (NodeSearch, OwnPlacement) or type(found) in ALLOCATORS
    return found if known else OwnPlacement(found)


def _from_file(name: str, settings: Mapping[str, str]) -> ResourceOrder | Placement:
    file, own, things = open_user_file(name, kind="placement")
    if (found := _thing(things, own)) is None:
        mine = [name for name, thing in things.items() if _is_placement(thing)]
        raise UnknownNameError(f"placement in {file}", own, mine)
    if isinstance(found, OwnOrder) or not parameters(found):
        _refuse_settings(name, settings)
    if isinstance(found, type):
        found = made(found, own, settings, order_named, field=f"placement {name}")
    if isinstance(found, ResourceOrder):
        return found
    if not isinstance(found, Placement):
        raise InputError(
            "must be made with @placement, or have name and place(job, cores, room); "
            f"got {type(found).__name__}",
            file=file,
            field=own,
        )
    return _sound(found)
