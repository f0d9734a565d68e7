"""OwnUsers: local users of one's own file, and what is checked of them as they come and go."""

from __future__ import annotations

import inspect
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from echelon.errors import InputError, UnknownNameError
from echelon.model.local_use import LocalChange, LocalUse
from echelon.user_file import is_in_file, open_user_file
from echelon.words import Words, made

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from echelon.model import Platform


_INSTANT = 0.001
"""Seconds: changes closer than this are looked at together."""

_MOST_AT_ONCE, _MOST_OF_A_NODE = 10_000, 100
"""Changes that may be so close together, and as many more for each node: else time might never pass."""


@dataclass(frozen=True)
class OwnUsers:
    """Local users of a user's own.

    Parameters
    ----------
    words : str
        That name them.
    made : callable (platform, seed) -> iterable of LocalChange
        The user's own.
    """

    words: str
    made: Callable[[Platform, int], Iterable[Any]]

    def changes(self, platform: Platform, seed: int) -> Iterator[LocalChange]:
        """Yield what the user's own yields, once it is seen to be right.

        Raises
        ------
        InputError
            If it fails, or yields what is no change, a change of a node that is not there, one that is before
            another, or uses out of their range.
        """
        last, since, crowd = 0.0, 0.0, 0
        for change in self._yielded(platform, seed):
            last = self._checked(change, platform, last)
            since, crowd = (last, 0) if last > since + _INSTANT else (since, crowd + 1)
            if crowd > _MOST_AT_ONCE + _MOST_OF_A_NODE * sum(map(len, platform.clusters)):
                raise self._wrong(f"changes {crowd} times within {_INSTANT} s of {since:g} s; let time pass")
            yield change

    def _yielded(self, platform: Platform, seed: int) -> Iterator[Any]:
        try:
            yield from self.made(platform, seed)
        except InputError:
            raise
        except Exception as error:
            raise self._wrong(f"fails: {type(error).__name__}: {error}") from error

    def _checked(self, change: object, platform: Platform, last: float) -> float:
        """Return the time of a change that is right."""
        if not isinstance(change, LocalChange) or not isinstance(change.use, LocalUse):
            raise self._wrong(f"must yield LocalChange(time, site, node, LocalUse(...)), got {change!r:.80}")
        time, site, node, use = change
        if not (last <= time < math.inf):
            raise self._wrong(f"must yield changes by time from 0 s on, got {time!r} s after {last!r} s")
        clusters = platform.clusters
        if not (0 <= site < len(clusters) and 0 <= node < len(clusters[site])):
            raise self._wrong(f"changes node {node!r} of site {site!r}, which is not there")
        if not (0 <= use.cpu <= 1 and 0 <= use.memory <= 1 and 0 <= use.network < math.inf):
            raise self._wrong(
                f"must use shares of CPU and memory from 0 to 1 and bytes a second >= 0, got {use!r}"
            )
        return time

    def _wrong(self, problem: str) -> InputError:
        return InputError(problem, field=f"local users {self.words}")


def own_users(words: str, name: str, settings: Mapping[str, str]) -> OwnUsers:
    """Return the local users that ``FILE.py:NAME`` names: a class or object with `changes`, or a function.

    Raises
    ------
    UnknownNameError
        If the file defines no such name.
    InputError
        If the file cannot be loaded, or what it defines makes no changes.
    """
    file, own, things = open_user_file(name, kind="local users")
    if own not in things:
        known = [
            key for key, thing in things.items() if hasattr(thing, "changes") or inspect.isfunction(thing)
        ]
        raise UnknownNameError(f"local users in {file}", own, known)
    found = things[own]
    if isinstance(found, type):
        found = made(found, name, settings, field=f"local users {name}")
    elif settings:
        raise InputError(f"takes no parameters, got {', '.join(settings)}", field=f"local users {name}")
    changes = getattr(found, "changes", found)
    if not callable(changes):
        problem = f"must have changes(platform, seed) or be a function of them, got {type(found).__name__}"
        raise InputError(problem, file=file, field=own)
    return OwnUsers(words, changes)


def names_local_users(words: str) -> bool:
    """Return whether ``FILE.py:NAME:key=value`` names local users, by running the file.

    A function does if its parameters are called `platform` and `seed`.
    """
    name = ":".join(Words.parted(words, kind="local users").names)
    if not is_in_file(name):
        return False
    _, own, things = open_user_file(name, kind="policy, metric or local users")
    found = things.get(own)
    if inspect.isfunction(found):
        return list(inspect.signature(found).parameters) == ["platform", "seed"]
    return callable(getattr(found, "changes", None))
