"""What Daly's study says, each judged by computation, and what a reader may conclude.

Its text is not at hand: the claims are of its abstract and of the captions of its figures.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from echelon.availability import Checkpoint, daly_interval, daly_time, optimal_interval, young_interval
from echelon.reproduce.daly.setups import CASES, HOUR, MACHINES, WORK, Case, checkpoint
from echelon.reproduce.machinery.claims import Claims, Point
from echelon.reproduce.machinery.statement import alike, fact, lower

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from echelon.model.jobs.columns import FloatColumn
    from echelon.reproduce.daly.setups import Machine
    from echelon.reproduce.machinery.claims import Statements
    from echelon.reproduce.machinery.experiments import FloatTable
    from echelon.reproduce.machinery.statement import Statement

    Lived: TypeAlias = Mapping[Case, FloatTable]
    """Seconds that a job took, by seed."""

MARGIN = 2.0
"""Percent by which a mean of simulations may be from the model and be alike."""

SHORT = 0.5
"""Costs up to this share of the time between failures are those for which the interval must be accurate."""

LOST = 1e-3
"""Percent of the optimum's time that an accurate interval loses at most."""

SHARES = np.geomspace(1e-5, 2.0, 54)[:-1]
"""Costs of a checkpoint in units of the time between failures: all for which equation 37 is a formula."""

CLAIMS: Claims[Lived] = Claims()


def _check_prediction(machine: Machine) -> Statement:
    minutes = machine.interval / 60
    digits = len(machine.printed.partition(".")[2])
    return fact(
        f"equation 37 gives {minutes:.3f} min, {machine.printed} in the caption",
        f"{minutes:.{digits}f}" == machine.printed,
    )


def _check_machine(machine: Machine, _: Lived) -> Statements:
    return [_check_prediction(machine)]


_PREDICTIONS = (
    "With 24 h between failures, a dump of 5 min and a restart of 10 min the best interval is 117 min.",
    "With 6 h between failures it is 57 min.",
    "With 15 min between failures it is 9.1 min.",
)
for _number, (_machine, _text) in enumerate(zip(MACHINES, _PREDICTIONS, strict=True), 1):
    CLAIMS.states(f"C{_number}", f"caption of {_machine.figure}", _text)(partial(_check_machine, _machine))


@CLAIMS.states(
    "C4", "captions of figures 3 to 5", "The model's run times of a job of 500 h are those of a simulation."
)
def _as_simulated(lived: Lived) -> Statements:
    for case, setup in CASES.items():
        hours = lived[case][:, 0] / HOUR
        model = np.full(len(hours), daly_time(WORK, checkpoint(setup), setup.mtbf) / HOUR)
        name = f"{case.figure} at {case.factor:g} times the interval: the mean of simulations"
        yield alike((name, f"the model's {model[0]:,.1f} h"), (hours, model), MARGIN)


@CLAIMS.states(
    "C5",
    "captions of figures 3 to 5",
    "The predicted interval is the best: others make simulated jobs longer.",
)
def _best_of_simulated(lived: Lived) -> Statements:
    for machine in MACHINES:
        for factor in (0.5, 2.0):
            yield lower(
                (f"{machine.figure}: the run time at the interval", f"at {factor:g} times of it"),
                (_seconds(lived, machine, 1.0), _seconds(lived, machine, factor)),
            )


def _seconds(lived: Lived, machine: Machine, factor: float) -> FloatColumn:
    return lived[Case(machine.figure, factor)][:, 0]


def excess_of(rule: Callable[[float, float], float], share: float) -> float:
    """Return by how many percent the model's time with a rule's interval is above the least.

    `share` is the cost of a checkpoint in units of the mean time between failures.
    """

    def time(interval: float) -> float:
        return daly_time(1.0, Checkpoint(interval, share), 1.0)

    return 100 * (time(rule(share, 1.0)) / time(optimal_interval(share, 1.0)) - 1)


@CLAIMS.states(
    "C6", "abstract", "The perturbation solution approximates the optimum accurately, to a high order."
)
def _accurate(_: Lived) -> Statements:
    worst = max(excess_of(daly_interval, share) for share in SHARES if share <= SHORT)
    yield fact(
        f"for dumps of up to {SHORT:g} of the time between failures it costs at most {worst:.2g} % more time "
        f"than the exact optimum, accurate if at most {LOST:g} %",
        worst <= LOST,
    )
    errors = [abs(daly_interval(share, 1.0) / optimal_interval(share, 1.0) - 1) for share in (1e-4, 1e-2)]
    order = float(np.log10(errors[1] / errors[0]) / 2)
    # Of a sum of powers of the root of the cost up to the third, the fourth is missing: relative to the
    # interval, itself such a root, three halves.
    yield fact(f"the error of the interval falls as the {order:.2f}th power of the dump", order > 1.4)


@CLAIMS.states("C7", "abstract", "The complete model's solution is better than one of first order.")
def _better_than_first_order(_: Lived) -> Statements:
    better = sum(excess_of(daly_interval, share) < excess_of(young_interval, share) for share in SHARES)
    most = max(excess_of(young_interval, share) for share in SHARES)
    text = f"with {better} of {len(SHARES)} dumps its interval costs less time than Young's"
    yield fact(f"{text}, which costs up to {most:.0f} % more than the optimum", better == len(SHARES))


POINTS = (
    Point(
        ("C1", "C2", "C3"),
        "Equation 37 gives the intervals that are printed.",
        "Equation 37 does not give all intervals that are printed.",
    ),
    Point(
        ("C4", "C5"),
        "Jobs that are simulated failure by failure take as long as the model says, and least at about the "
        "predicted interval.",
        "Jobs that are simulated failure by failure do not all confirm the model.",
        "Whether jobs that are simulated failure by failure confirm the model is not settled.",
    ),
    Point(
        ("C6", "C7"),
        "The interval is so near to the optimum that nothing is gained by the exact one, unless a dump takes "
        "about as long as the time between failures.",
        "Its claims on how accurate the interval is are not fully confirmed.",
    ),
)
"""What a reader may conclude, by the claims that decide it."""
