"""Daly's study: a higher order estimate of the best interval between the checkpoints of a job.

Source: J. T. Daly, "A higher order estimate of the optimum checkpoint interval for restart dumps", Future
Generation Computer Systems 22(3), 2006. Young's interval, to which it is compared, is of 1974.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.availability import Checkpoint, daly_interval, daly_time, optimal_interval, young_interval
from echelon.reproduce.daly.claims import CLAIMS, POINTS, excess_of
from echelon.reproduce.daly.setups import (
    CASES,
    DUMP,
    FACTORS,
    HOUR,
    MACHINES,
    RESTART,
    WORK,
    Case,
    checkpoint,
    experiments,
)
from echelon.reproduce.machinery.experiments import SeedSettings
from echelon.reproduce.machinery.listing import listing
from echelon.reproduce.machinery.picture import Curves
from echelon.reproduce.machinery.published_study import PublishedStudy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.reproduce.daly.claims import Lived
    from echelon.reproduce.machinery.listing import Row

COSTS = ((60, 86_400), (300, 86_400), (300, 21_600), (600, 86_400), (600, 21_600), (1_800, 14_400))
"""Dumps and times between failures of the table of intervals, in seconds."""

NODES = (1, 16, 128, 1_024, 10_000)
FIVE_YEARS = 43_830 * HOUR
"""Sizes of jobs of the table of intervals by size, and the mean time between failures of a node."""

NOTES = (
    "The text of the study is not at hand. Claims are those of its abstract and of the captions of figures 3 "
    "to 5, and the intervals in these captions are judged as claims. All tables here are computed.",
    "How its simulation works is not said there. Here a job fails after exponential times, also during "
    "checkpoints and restarts, restarts at once, and resumes from its last checkpoint; no checkpoint is at "
    "its very end.",
    "Its solution of first order is not known here; Young's interval stands for it.",
    "Accurate is read as: the time lost is at most a thousandth of a percent of the optimum's.",
)


@listing(
    "intervals",
    "Intervals by three formulas (computed here)",
    ("Dump, s", "Between failures, s", "Young, s", "Daly, s", "Exact, s", "Young loses, %", "Daly loses, %"),
    "Lost is the time above that with the exact interval, in Daly's model.",
    labels=0,
)
def _intervals() -> Iterator[Row]:
    for cost, mtbf in COSTS:
        intervals = (rule(cost, mtbf) for rule in (young_interval, daly_interval, optimal_interval))
        losses = (max(0.0, excess_of(rule, cost / mtbf)) for rule in (young_interval, daly_interval))
        yield (cost, mtbf, *intervals, *losses)


@listing(
    "sizes",
    "Intervals by the size of the job: nodes that fail every five years, dumps of 5 min (computed here)",
    ("Nodes", "Between failures, h", "Daly's interval, min", "Total time / work"),
    "A job of more nodes fails more often. Restarts take 10 min.",
    labels=0,
)
def _sizes() -> Iterator[Row]:
    for nodes in NODES:
        mtbf = FIVE_YEARS / nodes
        interval = daly_interval(DUMP, mtbf)
        total = daly_time(1.0, Checkpoint(interval, DUMP, RESTART), mtbf)
        yield nodes, mtbf / HOUR, interval / 60, total


@listing(
    "run-times",
    "A job of 500 h: the model and simulations (computed here)",
    ("Figure", "Interval, min", "Model, h", "Simulated mean, h"),
    "",
)
def _run_times(lived: Lived) -> Iterator[Row]:
    for case, setup in CASES.items():
        model = daly_time(WORK, checkpoint(setup), setup.mtbf) / HOUR
        yield case.figure, setup.interval / 60, model, float(lived[case].mean()) / HOUR


def _pictures(lived: Lived) -> list[Curves]:
    """Return a picture a figure: the run time of the job over the interval."""
    return [
        Curves(
            f"run-time-{machine.figure.replace(' ', '-')}",
            f"A job of 500 h, {machine.mtbf / HOUR:g} h between failures ({machine.figure})",
            "interval, min",
            "run time, h",
            [factor * machine.interval / 60 for factor in FACTORS],
            {
                "model": [
                    daly_time(WORK, checkpoint(CASES[Case(machine.figure, factor)]), machine.mtbf) / HOUR
                    for factor in FACTORS
                ],
                "simulated": [float(lived[Case(machine.figure, factor)].mean()) / HOUR for factor in FACTORS],
            },
        )
        for machine in MACHINES
    ]


PUBLISHED = PublishedStudy(
    name="daly",
    title="The best interval between checkpoints on machines that fail",
    source='Daly, "A higher order estimate of the optimum checkpoint interval for restart dumps", Future '
    "Generation Computer Systems 22(3), 2006",
    needs="nothing; the extra stats",
    takes="20 s",
    options=("seeds", "quick"),
    settings=SeedSettings.of,
    experiments=experiments,
    judged=CLAIMS.judge,
    points=POINTS,
    setting=lambda _, settings: {"seeds": settings.seeds, "work": WORK, "dump": DUMP, "restart": RESTART},
    listings=lambda lived, _: [_intervals(), _sizes(), _run_times(lived)],
    pictures=_pictures,
    notes=NOTES,
)
DALY = PUBLISHED.study
