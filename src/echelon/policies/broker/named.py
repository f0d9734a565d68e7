"""The words people type for a broker, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.errors import InputError, UnknownNameError
from echelon.policies.broker.contract import Broker
from echelon.policies.broker.registry import STRATEGIES
from echelon.policies.broker.strategy import OwnStrategy
from echelon.policies.decentralized.contract import Decentralized
from echelon.policies.decentralized.named import ARRANGEMENTS, arrangement_named
from echelon.policies.order import order_named
from echelon.policies.words import Words, arguments, parameters, settings_of
from echelon.user_file import is_in_file, open_user_file

if TYPE_CHECKING:
    from collections.abc import Mapping

_BY_NAME = {kind.name: kind for kind in STRATEGIES}


def broker_named(words: str) -> Broker | Decentralized:
    """Return the broker, or the arrangement without one, that people mean by `words`.

    Parameters
    ----------
    words : str
        A strategy (``"mpl"``), with parameters after colons (``"mct:of=job:belief=execution"``), an
        arrangement without a broker (``"stealing:50"``, ``"exchange:easy"``, ``"common-pool"``), or a user's
        own (``"my.py:rule"``).

    Raises
    ------
    UnknownNameError
        If a word names nothing.
    InputError
        If a parameter is wrong, or a user's file can not be loaded.
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
    return _BY_NAME[name](**arguments(_BY_NAME[name], name, settings, order_named))


def broker_of(given: str | Broker | Decentralized) -> Broker | Decentralized:
    """Return `given` as a broker or an arrangement without one: words, or a rule itself.

    Raises
    ------
    InputError
        If it is neither.
    """
    if isinstance(given, str):
        return broker_named(given)
    if isinstance(given, Broker | Decentralized) and not isinstance(given, type):
        return given
    raise InputError(f"must be words or a broker, got {given!r:.80}", field="broker")


def broker_words(given: Broker | Decentralized) -> str:
    """Return the canonical words of a broker: ``mct:of=job``; a default is not said."""
    if isinstance(given, Decentralized):
        return given.words
    return given.name if isinstance(given, OwnStrategy) else ":".join([given.name, *settings_of(given)])


def names_broker(words: str) -> bool:
    """Return whether ``FILE.py:NAME:key=value`` names a broker or an arrangement, by running the file."""
    name = ":".join(Words.parted(words, kind="broker").names)
    if not is_in_file(name):
        return False
    _, own, things = open_user_file(name, kind="policy, metric, estimator or broker")
    named = {thing.name: thing for thing in things.values() if isinstance(thing, OwnStrategy)}
    found = things.get(own, named.get(own))
    return hasattr(found, "choose") or hasattr(found, "homes")


def _from_file(name: str, settings: Mapping[str, str]) -> Broker | Decentralized:
    file, own, things = open_user_file(name, kind="broker")
    named = {thing.name: thing for thing in things.values() if isinstance(thing, OwnStrategy)}
    found = things.get(own, named.get(own))
    if found is None:
        raise UnknownNameError(f"broker in {file}", own, [*named])
    if settings and not parameters(found):
        raise InputError(f"takes no parameters, got {', '.join(settings)}", field=f"broker {name}")
    if isinstance(found, type):
        given = arguments(found, own, settings, order_named) if settings else {}
        try:
            found = found(**given)
        except InputError:
            raise
        except (Exception, SystemExit) as error:
            problem = f"can not be made: {type(error).__name__}: {error}"
            raise InputError(problem, field=f"broker {name}") from error
    if not isinstance(found, Broker | Decentralized):
        raise InputError(
            "must be made with @broker, or have name, information, belief and choose(job, view), or be an "
            f"Arrangement with a name, got {type(found).__name__}",
            file=file,
            field=own,
        )
    return found
