"""The worlds in which jobs run: what estimators do not know of a laboratory; `fit` tells where from."""

from __future__ import annotations

from typing import NamedTuple

from echelon.execution import time_shared_words
from echelon.execution.time_shared import TimeShared

BURST = 20.0
"""Mean length of the spells in which an owner is busy, in s; ours, as the thesis gives none."""

PERIOD = 60.0
"""Owners that move are at other nodes after so many seconds; ours, as the thesis gives none."""

E1_DECISIONS = {"dedicated": 3.48, "shared": 8.95, "high load": 9.05}
"""Seconds that SDPN took for one prediction under each load of E1 (table 3.11)."""

DECISION = 9.0
"""Seconds that a choice by prediction takes where nodes are shared (table 3.11: 8.95 and 9.05)."""


class World(NamedTuple):
    """How fast jobs run, what contracts allow, how long predictions take, and what a limit of a queue counts.

    Attributes
    ----------
    name : str
        For tables.
    execution : TimeShared
        How fast jobs run.
    contract : float
        Share of a node's memory that parallel tasks may hold together.
    decides : bool
        Whether a choice by prediction takes the seconds of table 3.11 and not none.
    held : bool
        Whether the limit of a queue counts the jobs that run in the cluster, too.
    """

    name: str
    execution: TimeShared
    contract: float
    decides: bool
    held: bool

    @property
    def words(self) -> str:
        """How fast jobs run in the words of ``--execution``."""
        return time_shared_words(self.execution)


FITTED = World(
    "fitted to all that is printed of it",
    TimeShared(cpu="use", interference=0.4, noise=0.0125, profile=0.31, owners=2.25),
    contract=1.0,
    decides=True,
    held=True,
)
"""The world of the study."""

ONE_SLOPE = World(
    "set by one slope",
    TimeShared(interference=6.0, noise=0.0125),
    contract=0.65,
    decides=False,
    held=False,
)
"""The world of earlier versions: interference so that SDPN's slope of run times under sharing is 0.23."""

BARE = World("as SDPN believes", TimeShared(), contract=0.65, decides=False, held=False)
"""One in which jobs run by the equations of SDPN."""
