"""The words people type for an estimator, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from echelon.errors import InputError, UnknownNameError
from echelon.lazy import by_word
from echelon.policies.estimators.forecast import ForecastingEstimator
from echelon.policies.estimators.registry import ESTIMATORS
from echelon.policies.estimators.rule import Estimator
from echelon.policies.order import order_named
from echelon.policies.words import Words, made, settings_of
from echelon.user_file import is_in_file, open_user_file

if TYPE_CHECKING:
    from collections.abc import Mapping

_BY_NAME = by_word(ESTIMATORS)


def estimator_named(words: str) -> Estimator:
    """Return the estimator people mean by `words`.

    Parameters
    ----------
    words : str
        A name, ``"average"``, with parameters after colons or in parentheses, ``"average:alpha=0.3"``; or a
        user's own, ``"my.py:Median:window=5"``: a class with a ``name``, and ``memory()``,
        ``forecaster(past)`` or both, whose parameters are those of a dataclass. A parameter that is an
        estimator itself has its own parameters in parentheses: ``"corrected:of=ibl(radius=0.5)"``.

    Raises
    ------
    UnknownNameError
        If a word names nothing.
    InputError
        If a parameter is wrong, or a user's file cannot be loaded.
    """
    parted = Words.parted(words, kind="estimator")
    name, settings = ":".join(parted.names), dict(parted.settings)
    if is_in_file(name):
        return _from_file(name, settings)
    if name not in _BY_NAME:
        raise UnknownNameError("estimator", name, list(_BY_NAME))
    found: Estimator = made(_BY_NAME[name], name, settings, order_named, field=f"estimator {name}")
    return found


def estimator(given: str | Estimator) -> Estimator:
    """Return `given` as an estimator: words, or an estimator itself.

    Raises
    ------
    InputError
        If it is neither.
    """
    if isinstance(given, str):
        return estimator_named(given)
    if isinstance(given, Estimator | ForecastingEstimator) and not isinstance(given, type):
        return given
    raise InputError(f"must be words or an estimator, got {given!r:.80}", field="estimator")


def estimator_words(given: Estimator) -> str:
    """Return the canonical words of an estimator: ``average:alpha=0.3``; a default is not said."""
    said = settings_of(given)
    if any(":" in one for one in said):
        return f"{given.name}({', '.join(said)})"
    return ":".join([given.name, *said])


def canonical_words(typed: str, given: Estimator) -> str:
    """Return the words of `given`, `typed` inside another's: ``average(alpha=0.3)``; one's own as typed."""
    if type(given) not in ESTIMATORS:
        return typed
    said = settings_of(given)
    return f"{given.name}({', '.join(said)})" if said else given.name


def names_estimator(words: str) -> bool:
    """Return whether ``FILE.py:NAME:key=value`` names an estimator, by running the file."""
    parted = Words.parted(words, kind="estimator")
    name = ":".join(parted.names)
    if not is_in_file(name):
        return False
    _, own, things = open_user_file(name, kind="policy, metric or estimator")
    return _remembers(things.get(own))


def _remembers(thing: object) -> bool:
    return (hasattr(thing, "memory") or hasattr(thing, "forecaster")) and not hasattr(thing, "decide")


def _from_file(name: str, settings: Mapping[str, str]) -> Estimator:
    file, own, things = open_user_file(name, kind="estimator")
    if own not in things:
        known = [key for key, value in things.items() if isinstance(value, type) and _remembers(value)]
        raise UnknownNameError(f"estimator in {file}", own, known)
    found = things[own]
    if isinstance(found, type):
        found = made(found, name, settings, order_named, field=f"estimator {name}")
    if not isinstance(found, Estimator | ForecastingEstimator):
        problem = f"must have a name and memory() or forecaster(past), got {type(found).__name__}"
        raise InputError(problem, file=file, field=own)
    return cast("Estimator", found)
