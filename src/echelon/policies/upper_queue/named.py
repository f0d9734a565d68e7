"""The words people type for an upper queue and for a queue limit, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.errors import InputError, UnknownNameError
from echelon.lazy import by_word
from echelon.policies.upper_queue.contract import UpperQueue
from echelon.policies.upper_queue.limit import AtMost, Held, QueueLimit, Stable
from echelon.policies.upper_queue.registry import UPPER_QUEUES
from echelon.user_file import is_in_file, open_user_file
from echelon.words import Words, arguments, made, settings_of

if TYPE_CHECKING:
    from collections.abc import Mapping

_BY_NAME = by_word(UPPER_QUEUES)
_LIMITS = ("unlimited", "stable", "stable:predicted", "held:3", "0", "1", "2", "3")


def upper_queue(given: str | UpperQueue) -> UpperQueue:
    """Return `given` as an upper queue: words, or a rule itself.

    Parameters
    ----------
    given : str or UpperQueue
        A name, ``"nb.rs"``, with parameters after colons, ``"requests:copies=2"``; a user's own,
        ``"my.py:Rule"``; or a rule.

    Raises
    ------
    UnknownNameError
        If words name nothing.
    InputError
        If it is neither, a parameter is wrong, or a user's file cannot be loaded.
    """
    if isinstance(given, UpperQueue) and not isinstance(given, type):
        return given
    if not isinstance(given, str):
        raise InputError(f"must be words or an upper queue, got {given!r:.80}", field="upper queue")
    parted = Words.parted(given, kind="upper queue")
    name, settings = ":".join(parted.names), dict(parted.settings)
    if is_in_file(name):
        return _from_file(name, settings)
    if name not in _BY_NAME:
        raise UnknownNameError("upper queue", name, list(_BY_NAME))
    found: UpperQueue = _BY_NAME[name](**arguments(_BY_NAME[name], name, settings))
    return found


def upper_queue_words(given: UpperQueue) -> str:
    """Return the canonical words of an upper queue: ``requests:copies=2``; a default is not said."""
    return ":".join([given.name, *settings_of(given)])


def names_upper_queue(words: str) -> bool:
    """Return whether ``FILE.py:NAME:key=value`` names an upper queue, by running the file."""
    name = ":".join(Words.parted(words, kind="upper queue").names)
    if not is_in_file(name):
        return False
    _, own, things = open_user_file(name, kind="policy, metric, broker or upper queue")
    return hasattr(things.get(own), "hand_out")


def queue_limit(given: str | int | QueueLimit | None) -> QueueLimit:
    """Return `given` as a limit of queues.

    Parameters
    ----------
    given : str, int, QueueLimit or None
        A number of waiting jobs, ``"unlimited"`` or None, ``"held:3"`` for jobs that wait or run there,
        ``"stable"``, ``"stable:predicted"``, or a limit itself.

    Raises
    ------
    UnknownNameError
        If words name none.
    InputError
        If a number is negative, or it is none of these.
    """
    if given is None or given == "unlimited":
        return AtMost()
    if isinstance(given, QueueLimit) and not isinstance(given, type):
        return given
    if isinstance(given, int) and not isinstance(given, bool):
        return AtMost(given)
    if not isinstance(given, str):
        raise InputError(f"must be words, a number or a limit, got {given!r:.80}", field="queue limit")
    if given in ("stable", "stable:predicted"):
        return Stable(given == "stable:predicted")
    kind, _, count = given.rpartition(":")
    try:
        jobs = int(count)
    except ValueError:
        raise UnknownNameError("queue limit", given, _LIMITS) from None
    if kind not in ("", "held"):
        raise UnknownNameError("queue limit", given, _LIMITS)
    return Held(jobs) if kind else AtMost(jobs)


def _from_file(name: str, settings: Mapping[str, str]) -> UpperQueue:
    file, own, things = open_user_file(name, kind="upper queue")
    if own not in things:
        known = [key for key, value in things.items() if hasattr(value, "hand_out")]
        raise UnknownNameError(f"upper queue in {file}", own, known)
    found = things[own]
    if isinstance(found, type):
        found = made(found, name, settings, field=f"upper queue {name}")
    if not isinstance(found, UpperQueue):
        raise InputError(
            f"must have a name and hand_out(view), got {type(found).__name__}", file=file, field=own
        )
    return found
