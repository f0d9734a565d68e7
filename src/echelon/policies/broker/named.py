"""The words people type for a broker, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, cast

from echelon.errors import InputError, UnknownNameError
from echelon.lazy import by_word
from echelon.policies.broker.contract import BELIEFS, Broker, Information
from echelon.policies.broker.registry import DISPATCHERS, IMMEDIATE_STRATEGIES, STRATEGIES
from echelon.policies.broker.strategy import OwnStrategy
from echelon.policies.decentralized.contract import Decentralized
from echelon.policies.decentralized.named import ARRANGEMENTS, arrangement_named
from echelon.policies.immediate.contract import Dispatcher
from echelon.policies.immediate.decision_time import decision_time_of
from echelon.policies.order import order_named
from echelon.policies.words import Words, arguments, made, parameters, settings_of
from echelon.user_file import is_in_file, open_user_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Metascheduler: TypeAlias = Broker | Decentralized | Dispatcher
"""Who says where jobs go: one job at a time, sites among themselves, or for all that wait."""

_BY_NAME: Mapping[str, Callable[..., object]] = by_word(STRATEGIES, IMMEDIATE_STRATEGIES, DISPATCHERS)


def broker_named(words: str) -> Metascheduler:
    """Return the broker, the dispatcher, or the arrangement without one, that people mean by `words`.

    Parameters
    ----------
    words : str
        A strategy (``"mpl"``), with parameters after colons (``"mct:of=job:belief=execution"``), one for
        machines without queues (``"wall-time"``, ``"wqr:replicas=3"``), an arrangement without a broker
        (``"stealing:50"``, ``"exchange:easy"``, ``"common-pool"``), or a user's own (``"my.py:rule"``).

    Raises
    ------
    UnknownNameError
        If a word names nothing.
    InputError
        If a parameter is wrong, or a user's file cannot be loaded.
    """
    parted = Words.parted(words, kind="broker")
    settings = dict(parted.settings)
    if parted.names and parted.names[0] in ARRANGEMENTS:
        return arrangement_named(parted)
    name = ":".join(parted.names)
    if is_in_file(name):
        return _from_file(name, settings)
    if name not in _BY_NAME:
        raise UnknownNameError("broker", name, [*_BY_NAME, *ARRANGEMENTS])
    found = _BY_NAME[name](**arguments(_BY_NAME[name], name, settings, order_named))
    return cast("Metascheduler", found)


def broker_of(given: str | Metascheduler) -> Metascheduler:
    """Return `given` as a broker, a dispatcher or an arrangement without one: words, or a rule itself.

    Raises
    ------
    InputError
        If it is neither, or says something impossible of itself.
    """
    if isinstance(given, str):
        return broker_named(given)
    if isinstance(given, Broker | Decentralized | Dispatcher) and not isinstance(given, type):
        return _sound(given)
    raise InputError(f"must be words or a broker, got {given!r:.80}", field="broker")


def broker_words(given: Metascheduler) -> str:
    """Return the canonical words of a broker: ``mct:of=job``; a default is not said."""
    if isinstance(given, Decentralized):
        return given.words
    return given.name if isinstance(given, OwnStrategy) else ":".join([given.name, *settings_of(given)])


def names_broker(words: str) -> bool:
    """Return whether ``FILE.py:NAME:key=value`` names a broker, an arrangement or a dispatcher.

    Runs the file.
    """
    name = ":".join(Words.parted(words, kind="broker").names)
    if not is_in_file(name):
        return False
    _, own, things = open_user_file(name, kind="policy, metric, estimator or broker")
    return _is_broker(_thing(things, own))


def _is_broker(thing: object) -> bool:
    # The kinds that a file imports to build upon are none of its own.
    imported = getattr(thing, "__module__", "").startswith("echelon.") and isinstance(thing, type)
    waits = hasattr(thing, "homes") or hasattr(thing, "dispatches")
    return (hasattr(thing, "choose") or (waits and hasattr(thing, "decide"))) and not imported


def _thing(things: Mapping[str, object], own: str) -> object:
    """Return what a file calls `own`, in Python or as the name of a strategy."""
    named = {thing.name: thing for thing in things.values() if isinstance(thing, OwnStrategy)}
    return things.get(own, named.get(own))


def _sound(found: Metascheduler) -> Metascheduler:
    """Return `found` once what it says of itself is seen to be possible.

    Raises
    ------
    InputError
        If not.
    """
    if not isinstance(found.name, str):
        raise InputError(f"must be a text, got {found.name!r:.60}", field="broker, name")
    if isinstance(found, Decentralized):
        if not isinstance(found.words, str):
            raise InputError(f"must be a text, got {found.words!r:.60}", field=f"{found.name}, words")
        return found
    decision_time_of(found)
    if isinstance(found, Dispatcher):
        return _dispatching(found)
    if found.information not in tuple(Information):
        problem = f"must be a level from 0 to 4, got {found.information!r:.60}"
        raise InputError(problem, field=f"{found.name}, information")
    if found.belief not in BELIEFS:
        raise UnknownNameError(f"belief of {found.name}", str(found.belief), BELIEFS)
    return found


def _dispatching(found: Dispatcher) -> Dispatcher:
    if found.dispatches is not True:
        problem = f"must be True, which tells it from a scheduler of a queue, got {found.dispatches!r:.60}"
        raise InputError(problem, field=f"{found.name}, dispatches")
    return found


def _from_file(name: str, settings: Mapping[str, str]) -> Metascheduler:
    file, own, things = open_user_file(name, kind="broker")
    if (found := _thing(things, own)) is None:
        raise UnknownNameError(
            f"broker in {file}", own, [name for name, thing in things.items() if _is_broker(thing)]
        )
    if settings and not parameters(found):
        raise InputError(f"takes no parameters, got {', '.join(settings)}", field=f"broker {name}")
    if isinstance(found, type):
        found = made(found, own, settings, order_named, field=f"broker {name}")
    if not isinstance(found, Broker | Decentralized | Dispatcher):
        raise InputError(
            "must be made with @broker, or have name, information, belief and choose(job, view), or be an "
            "Arrangement with a name and decide(view), or have name, dispatches and decide(view); got "
            f"{type(found).__name__}",
            file=file,
            field=own,
        )
    return _sound(found)
