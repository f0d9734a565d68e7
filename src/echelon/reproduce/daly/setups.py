"""Setups: the three machines of Daly's figures 3 to 5, and a job on them lived through failure by failure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from echelon.availability import Checkpoint, daly_interval
from echelon.experiments.processes import Processes
from echelon.model.streams import stream
from echelon.reproduce.machinery.experiments import measure_by_seed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from echelon.reproduce.machinery.experiments import FloatTable, Parts, SeedSettings

HOUR = 3600.0
WORK = 500 * HOUR
DUMP = 300.0
RESTART = 600.0
"""Seconds of the job of figures 3 to 5: its run time, a checkpoint, a restart."""


class Machine(NamedTuple):
    """A machine of the figures: the mean time between its failures in seconds, and what the caption says."""

    figure: str
    mtbf: float
    printed: str

    @property
    def interval(self) -> float:
        """Daly's interval on it, in seconds."""
        return daly_interval(DUMP, self.mtbf)


MACHINES = (
    Machine("figure 3", 24 * HOUR, "117"),
    Machine("figure 4", 6 * HOUR, "57"),
    Machine("figure 5", 0.25 * HOUR, "9.1"),
)
"""Days, hours and minutes between failures, and the predicted interval in minutes."""

FACTORS = (0.25, 0.5, 1.0, 2.0, 4.0)
"""Intervals that are simulated, as multiples of the predicted one."""


class Case(NamedTuple):
    """A machine by its figure, and a multiple of the predicted interval."""

    figure: str
    factor: float


class Setup(NamedTuple):
    """A machine's mean time between failures, and an interval, in seconds."""

    mtbf: float
    interval: float


CASES: Mapping[Case, Setup] = {
    Case(machine.figure, factor): Setup(machine.mtbf, factor * machine.interval)
    for machine in MACHINES
    for factor in FACTORS
}
"""All that is simulated."""


def checkpoint(setup: Setup) -> Checkpoint:
    """Return the checkpoints of a setup."""
    return Checkpoint(setup.interval, DUMP, RESTART)


def run_job(setup: Setup, seed: int) -> list[float]:
    """Return the seconds that one job takes; the failures of a seed are the same whatever the interval."""
    rule, left, total, again = checkpoint(setup), WORK, 0.0, False
    for gap in _gaps(seed):
        lasts = setup.mtbf * gap
        length = rule.length(left, again=again)
        if length <= lasts:
            total += length
            break
        left -= rule.save_progress(lasts, left, again=again).work
        total += lasts
        again = True
    return [total]


def _gaps(seed: int) -> Iterator[float]:
    """Yield times between failures, in units of their mean, without end."""
    draws = stream(seed, "daly/failures")
    while True:
        yield from draws.exponential(size=1024).tolist()


def experiments(settings: SeedSettings, parts: Parts) -> dict[Case, FloatTable]:
    """Return the seconds that jobs take by seed, of every case."""
    with Processes() as processes:
        return parts(
            "figures 3 to 5",
            lambda progress: measure_by_seed(
                CASES, settings.seeds, run_job, processes, progress=progress, tasks_a_setup=4
            ),
        )
