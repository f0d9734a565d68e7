"""Usage: the processor time of each user, with exponential decay, for fair shares."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from echelon.model import Job

_ALL = None
"""Key of the account of all users together."""


class Account(NamedTuple):
    """Processor time used by one user, or by all.

    Attributes
    ----------
    used : float
        Processor-seconds at `time`, decayed.
    time : float
        Time of the last update, in seconds.
    held : int
        Processors held since then.
    """

    used: float = 0.0
    time: float = 0.0
    held: int = 0

    def at(self, now: float, decay: float) -> float:
        """Return processor-seconds at `now`; `decay` is ln 2 / half-life, 0 to forget nothing.

        What was used decays as e^(-decay t); n processors held for t seconds
        add n (1 - e^(-decay t)) / decay.
        """
        passed = now - self.time
        if decay == 0.0:
            return self.used + self.held * passed
        kept = math.exp(-(passed * decay))
        return self.used * kept + self.held * ((1.0 - kept) / decay)


class Usage:
    """Every start and end so far, and the accounts of each half-life in use."""

    def __init__(self) -> None:
        self._changes: list[tuple[float, int, int]] = []
        self._accounts: dict[float, dict[int | None, Account]] = {}
        self._entered: dict[float, int] = {}

    def change(self, time: float, job: Job, by: int) -> None:
        """Note that the user of `job` holds `by` more processors (or fewer) from `time` on."""
        self._changes.append((time, job.user, by))

    def share(self, now: float, user: int, half_life: float) -> float:
        """Return the share of all processor time that `user` has used; see `SystemView.usage_share`.

        Cost: O(1), and once for each start and end and half-life.
        """
        if not half_life > 0:
            raise ValueError(f"usage_share's half_life must be > 0 s, got {half_life:g}")
        decay = math.log(2.0) / half_life
        accounts = self._accounts.setdefault(half_life, {_ALL: Account()})
        for time, owner, by in self._changes[self._entered.get(half_life, 0) :]:
            for key in (owner, _ALL):
                account = accounts.get(key, Account())
                accounts[key] = Account(account.at(time, decay), time, account.held + by)
        self._entered[half_life] = len(self._changes)
        everything = accounts[_ALL].at(now, decay)
        return accounts.get(user, Account()).at(now, decay) / everything if everything > 0 else 0.0
