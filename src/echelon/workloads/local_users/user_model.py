"""OwnUsers: local load from a user's file, and the checks of its changes."""

from __future__ import annotations

import inspect
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from echelon.errors import InputError
from echelon.model.machines.local_use import LocalChange, LocalUse
from echelon.rules.own_rule import Guard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from echelon.model import Platform
    from echelon.model.machines.local_use import LocalLoadModel
    from echelon.rules.spec import Spec


_INSTANT = 0.001
"""Seconds: changes closer than this are looked at together."""

_MOST_AT_ONCE, _MOST_OF_A_NODE = 10_000, 100
"""Changes that may be so close together, and as many more for each node: else time might never pass."""


@dataclass(frozen=True)
class OwnUsers:
    """Local users of a user's own.

    Parameters
    ----------
    spec : str
        That name them.
    draw : callable (platform, seed) -> iterable of LocalChange
        The user's own.
    """

    spec: str
    draw: Callable[[Platform, int], Iterable[Any]]

    def changes(self, platform: Platform, seed: int) -> Iterator[LocalChange]:
        """Yield what the user's own yields, once it is seen to be right.

        Raises
        ------
        InputError
            If it fails, or yields what is no change, a change of a node that is not there, one that is before
            another, or uses out of their range.
        """
        last, since, crowd = 0.0, 0.0, 0
        for change in self._yield_changes(platform, seed):
            last = self._check_change(change, platform, last)
            since, crowd = (last, 0) if last > since + _INSTANT else (since, crowd + 1)
            if crowd > _MOST_AT_ONCE + _MOST_OF_A_NODE * sum(map(len, platform.clusters)):
                raise self._error(
                    f"changes {crowd} times within {_INSTANT} s of {since:g} s; changes need "
                    "time between them"
                )
            yield change

    def _yield_changes(self, platform: Platform, seed: int) -> Iterator[Any]:
        with Guard(lambda failure: self._error(f"fails: {failure}")):
            yield from self.draw(platform, seed)

    def _check_change(self, change: object, platform: Platform, last: float) -> float:
        """Return the time of a change that is right."""
        if not isinstance(change, LocalChange) or not isinstance(change.use, LocalUse):
            raise self._error(f"must yield LocalChange(time, site, node, LocalUse(...)), got {change!r:.80}")
        time, site, node, use = change
        if not (last <= time < math.inf):
            raise self._error(f"must yield changes by time from 0 s on, got {time!r} s after {last!r} s")
        clusters = platform.clusters
        if not (0 <= site < len(clusters) and 0 <= node < len(clusters[site])):
            raise self._error(f"changes node {node!r} of site {site!r}, which does not exist")
        if not (0 <= use.cpu <= 1 and 0 <= use.memory <= 1 and 0 <= use.network < math.inf):
            raise self._error(
                f"must use shares of CPU and memory from 0 to 1 and bytes a second >= 0, got {use!r}"
            )
        return time

    def _error(self, problem: str) -> InputError:
        return InputError(problem, field=f"local users {self.spec}")


def own_users(rule: Any, spec: Spec | None) -> LocalLoadModel:  # noqa: ANN401  (a user's own)
    """Return local users of a user's own, whose changes are looked at; those that are given as they are."""
    changes = getattr(rule, "changes", rule)
    return rule if spec is None else OwnUsers(spec.text.strip(), changes)


def is_local_users(thing: object) -> bool:
    """Return whether a thing in a file has `changes`, or is a function of (platform, seed)."""
    if inspect.isfunction(thing):
        parameters = inspect.signature(thing).parameters.values()
        return [one.name for one in parameters if one.kind is not one.KEYWORD_ONLY] == ["platform", "seed"]
    return callable(getattr(thing, "changes", None))
