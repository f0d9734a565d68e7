"""Policy: an order and a backfilling, or a whole scheduler, and the words people type for them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from echelon.errors import InputError, UnknownNameError
from echelon.policies.backfill import ALIASES, BACKFILLS, Easy, NoBackfill
from echelon.policies.contract import Scheduler
from echelon.policies.order import BY_NAME, ORDERS, Order, order_named
from echelon.policies.order.fcfs import fcfs
from echelon.policies.user_file import load_from_file

if TYPE_CHECKING:
    from collections.abc import Iterable

_BACKFILL_BY_NAME = {kind.name: kind for kind in BACKFILLS}
_CALL = re.compile(r"\s*([\w-]+)\(([^()]*)\)")


@dataclass(frozen=True, slots=True)
class Policy:
    """How one queue is served: the order of the queue, and who may overtake.

    Parameters
    ----------
    order : Order
        Which job next.
    scheduler : Scheduler
        A backfilling of `echelon.policies.backfill`, or a user's own.
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
        both (``"easy:shortest-first"``), or a user's own (``"my.py:rule"``, ``"easy:my.py:rule"``).
        `easy` takes parameters after further colons, ``"easy:reservations=2"``, or in parentheses,
        ``"easy(candidates=shortest-first, fit=best-fit):largest-first"``.

    Raises
    ------
    UnknownNameError
        If a word names nothing.
    InputError
        If a parameter is wrong, or a user's file can not be loaded.
    """
    parts, settings = _split(words)
    backfill_name = ALIASES.get(parts[0], parts[0]) if parts else ""
    if backfill_name in _BACKFILL_BY_NAME:
        scheduler: Scheduler = _backfill(backfill_name, settings, words)
        return Policy.of(_order(":".join(parts[1:]) or "fcfs", words), scheduler)
    if settings:
        raise InputError(f"only easy takes parameters, got {', '.join(settings)}", field=f"policy {words!r}")
    found = load_from_file(words) if _is_file(words) else _order(words, words)
    if isinstance(found, Order):
        return Policy.of(found)
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


def _split(words: str) -> tuple[list[str], dict[str, str]]:
    """Part ``a:b:key=value`` or ``a(key=value):b`` into its names and its settings."""
    call = _CALL.match(words)
    outside = call[1] + words[call.end() :] if call else words
    parts = [part.strip() for part in outside.split(":")]
    # Inside parentheses a colon does not part: a file's name may stand there.
    parts += [part.strip() for part in call[2].split(",")] if call and call[2].strip() else []
    if not all(parts):
        raise InputError(
            "must be words joined by single colons: easy:shortest-first", field=f"policy {words!r}"
        )
    names = [part for part in parts if "=" not in part]
    settings = dict(part.split("=", 1) for part in parts if "=" in part)
    return names, {key.strip(): value.strip() for key, value in settings.items()}


def _backfill(name: str, settings: dict[str, str], words: str) -> Scheduler:
    kind = _BACKFILL_BY_NAME[name]
    if kind is not Easy:
        if settings:
            raise InputError(
                f"{name} takes no parameters, got {', '.join(settings)}", field=f"policy {words!r}"
            )
        return kind()
    arguments: dict[str, Any] = {}
    for key, value in settings.items():
        if key == "reservations":
            if not value.isdecimal():
                raise InputError(
                    f"reservations must be a whole number, got {value!r}", field=f"policy {words!r}"
                )
            arguments[key] = int(value)
        elif key == "candidates":
            arguments[key] = _order(value, words)
        elif key == "fit":
            arguments[key] = value
        else:
            raise UnknownNameError("parameter of easy", key, ("reservations", "candidates", "fit"))
    return Easy(**arguments)


def _order(word: str, words: str) -> Order:
    if _is_file(word):
        found = load_from_file(word)
        if not isinstance(found, Order):
            raise InputError(
                f"must name an order, but {word} is a whole scheduler", field=f"policy {words!r}"
            )
        return found
    if word not in BY_NAME and word == words:
        raise UnknownNameError("policy", word, policy_words())
    return order_named(word)


def _is_file(word: str) -> bool:
    return ".py:" in word


def policy_words() -> list[str]:
    """Return every single word that names a policy, aliases included."""
    return sorted({*BY_NAME, *_BACKFILL_BY_NAME, *ALIASES})


def split_policies(words: str) -> list[str]:
    """Part a comma-separated list of policies; commas inside parentheses do not part.

    Raises
    ------
    InputError
        If an entry is empty.
    """
    parts = [part.strip() for part in re.split(r",(?![^()]*\))", words)]
    if not all(parts):
        raise InputError(f"must be names joined by single commas, got {words!r}", field="policies")
    return parts


def _words(order: Order, scheduler: Scheduler) -> str:
    if isinstance(scheduler, NoBackfill):
        return order.name
    parts: list[str] = [scheduler.name]
    if order is not fcfs:
        parts.append(order.name)
    if isinstance(scheduler, Easy):
        parts += _easy_settings(scheduler)
    return ":".join(parts)


def _easy_settings(easy: Easy) -> Iterable[str]:
    if easy.reservations != 1:
        yield f"reservations={easy.reservations}"
    if easy.candidates is not None:
        yield f"candidates={easy.candidates.name}"
    if easy.fit != "first-fit":
        yield f"fit={easy.fit}"


__all__ = ["ORDERS", "Policy", "policy", "policy_named", "policy_words", "split_policies"]
