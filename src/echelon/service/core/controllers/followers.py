"""Followers: jobs that wait for others to end."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class Followers:
    """Which jobs wait for which, by id: also for jobs that leave and come back under the same id."""

    def __init__(self) -> None:
        self._waits_for: dict[str, set[str]] = {}
        self._followers: dict[str, dict[str, None]] = {}

    def add(self, job: str, before: Iterable[str]) -> bool:
        """Let `job` wait for the jobs `before`; return whether there are any."""
        if not (waits_for := set(before)):
            return False
        self._waits_for[job] = waits_for
        for one in sorted(waits_for):
            self._followers.setdefault(one, {})[job] = None
        return True

    def waits(self, job: str) -> bool:
        """Return whether `job` waits for others."""
        return job in self._waits_for

    def ended(self, job: str) -> list[str]:
        """Note that `job` has ended, for any reason; return the jobs that wait for nothing more."""
        free = []
        for follower in self._followers.pop(job, ()):
            waits_for = self._waits_for[follower]
            waits_for.discard(job)
            if not waits_for:
                del self._waits_for[follower]
                free.append(follower)
        return free

    def forget(self, job: str) -> None:
        """Let `job` wait for nothing more, as it has left."""
        for one in self._waits_for.pop(job, ()):
            followers = self._followers[one]
            del followers[job]
            if not followers:
                del self._followers[one]
