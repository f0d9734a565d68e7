"""The world in which jobs run: what estimators do not know of it. `calibration` says where it is from."""

from __future__ import annotations

from echelon.execution.time_shared import TimeShared

INTERFERENCE = 6.0
"""Share of its communication time that a job loses to each further parallel task in its fullest node."""

NOISE = 0.0125
"""Standard deviation of the logarithm of the factor by which the same program takes another time."""

BURST = 20.0
"""Mean length of the spells in which an owner is busy, in s; ours, as the thesis gives none."""

PERIOD = 60.0
"""Owners that move are at other nodes after so many seconds; ours, as the thesis gives none."""

WORLD = TimeShared(interference=INTERFERENCE, noise=NOISE)
"""How fast jobs really run in all experiments."""

BARE = TimeShared()
"""How fast they run as SDPN believes, for comparison."""

WORDS = f"time-shared:interference={INTERFERENCE:g}:noise={NOISE:g}"
"""The world in the words of ``--execution``."""
