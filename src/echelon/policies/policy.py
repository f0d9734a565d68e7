"""Policy: an order and a backfilling, or a whole scheduler, and the words people type for them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from echelon.errors import InputError, UnknownNameError
from echelon.lazy import by_word
from echelon.policies.backfill import BACKFILLS, NoBackfill
from echelon.policies.contract import Scheduler
from echelon.policies.order import BY_NAME, ORDERS, Order, order_named
from echelon.policies.order.fcfs import fcfs
from echelon.policies.preemptive import PREEMPTIVE
from echelon.policies.user_file import load_from_file
from echelon.policies.words import Words, arguments, parameters, settings_of

if TYPE_CHECKING:
    from collections.abc import Mapping

_SCHEDULERS: Mapping[str, type[Scheduler]] = by_word(BACKFILLS, PREEMPTIVE)
_NAME_OF = {**BACKFILLS.words, **PREEMPTIVE.words}


@dataclass(frozen=True, slots=True)
class Policy:
    """How one queue is served: the order of the queue, and who may overtake.

    Parameters
    ----------
    order : Order
        Which job next.
    scheduler : Scheduler
        A backfilling of `echelon.policies.backfill`, a scheduler of `echelon.policies.preemptive`, or a
        user's own.
    name : str
        The canonical words. `policy_named` reads them back, unless a part is a user's own, which goes by
        the name it gives itself, not by its file.
    """

    order: Order
    scheduler: Scheduler
    name: str

    @classmethod
    def of(cls, order: Order = fcfs, backfill: Scheduler | None = None) -> Policy:
        """Return the policy of that order (default `fcfs`) and backfilling (default none)."""
        scheduler: Scheduler = NoBackfill() if backfill is None else backfill
        return cls(order, scheduler, _words(order, scheduler))


def policy_named(words: str) -> Policy:
    """Return the policy people mean by `words`.

    Parameters
    ----------
    words : str
        An order alone (``"shortest-first"``: no backfilling), a backfilling alone (``"easy"``: with FCFS),
        both (``"easy:shortest-first"``), a preemptive scheduler (``"srtf"``), or a user's own
        (``"my.py:rule"``, ``"easy:my.py:rule"``).
        Parameters follow after further colons, ``"easy:reservations=2"``, ``"multifactor:max-age=3d"``, or
        stand in parentheses, ``"easy(candidates=shortest-first, fit=best-fit):largest-first"``. A setting
        belongs to the backfilling if it has a parameter of that name, else to the order.

    Raises
    ------
    UnknownNameError
        If a word names nothing.
    InputError
        If a parameter is wrong, or a user's file cannot be loaded.
    """
    parted = Words.parted(words)
    first = _NAME_OF.get(parted.names[0], "") if parted.names else ""
    if first:
        kind = _SCHEDULERS[first]
        own = parameters(kind)
        mine = {key: value for key, value in parted.settings if key.replace("_", "-") in own}
        rest = {key: value for key, value in parted.settings if key not in mine}
        order = _order(":".join(parted.names[1:]) or "fcfs", words)
        if rest and not parameters(order.rule):
            _refuse_settings(first, own, rest, words)
        scheduler: Scheduler = kind(**arguments(kind, first, mine, lambda word: _order(word, words)))
        return Policy.of(_configured(order, rest, words), scheduler)
    named = ":".join(parted.names)
    found = load_from_file(named) if _is_file(named) else _order(named, words)
    if isinstance(found, Order):
        return Policy.of(_configured(found, dict(parted.settings), words))
    if parted.settings:
        _refuse_settings(named, {}, dict(parted.settings), words)
    return Policy(fcfs, found, words)


def policy(given: str | Order | Scheduler | Policy) -> Policy:
    """Return `given` as a policy: words, an order, a backfilling or scheduler, or a policy itself.

    Raises
    ------
    InputError
        If it is none of these.
    """
    if isinstance(given, Policy):
        return given
    if isinstance(given, str):
        return policy_named(given)
    if isinstance(given, Order):
        return Policy.of(given)
    if isinstance(given, type) and isinstance(given, Scheduler):
        return Policy.of(backfill=given())
    if isinstance(given, Scheduler):
        return Policy.of(backfill=given)
    raise InputError(f"must be words, an order or a scheduler, got {given!r:.80}", field="policy")


def _configured(order: Order, settings: Mapping[str, str], words: str) -> Order:
    """Return `order` with these settings of its rule."""
    if not settings:
        return order
    if not parameters(order.rule):
        _refuse_settings(order.name, {}, settings, words)
    given = arguments(order.rule, order.name, settings, lambda word: _order(word, words))
    return order.configured(**given)


def _refuse_settings(
    name: str, known: Mapping[str, object], settings: Mapping[str, str], words: str
) -> NoReturn:
    if known:
        raise UnknownNameError(f"parameter of {name}", next(iter(settings)), tuple(known))
    raise InputError(f"{name} takes no parameters, got {', '.join(settings)}", field=f"policy {words!r}")


def _order(word: str, words: str) -> Order:
    if _is_file(word):
        found = load_from_file(word)
        if not isinstance(found, Order):
            raise InputError(
                f"must name an order, but {word} is a whole scheduler", field=f"policy {words!r}"
            )
        return found
    try:
        return order_named(word)
    except UnknownNameError:
        if word == words:
            raise UnknownNameError("policy", word, policy_words()) from None
        raise


def _is_file(word: str) -> bool:
    return ".py:" in word


def policy_words() -> list[str]:
    """Return every single word that names a policy, aliases included."""
    return sorted({*BY_NAME, *_SCHEDULERS})


def split_policies(words: str, *, field: str = "policies") -> list[str]:
    """Part a comma-separated list of policies, or of what `field` is; commas inside parentheses do not part.

    Raises
    ------
    InputError
        If an entry is empty.
    """
    parts = [part.strip() for part in re.split(r",(?![^()]*\))", words)]
    if not all(parts):
        raise InputError(f"must be names joined by single commas, got {words!r}", field=field)
    return parts


def _words(order: Order, scheduler: Scheduler) -> str:
    ordering = [order.name, *settings_of(order.rule)]
    if isinstance(scheduler, NoBackfill):
        return ":".join(ordering)
    return ":".join([scheduler.name, *(ordering if order is not fcfs else ()), *settings_of(scheduler)])


__all__ = ["ORDERS", "Policy", "policy", "policy_named", "policy_words", "split_policies"]
