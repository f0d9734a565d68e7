"""What the report on the SINAPAD study draws, in the place of its lost figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.reproduce.machinery.picture import Bars, Curves
from echelon.reproduce.machinery.statement import mean_interval
from echelon.reproduce.sinapad.evidence import Case, Paced
from echelon.reproduce.sinapad.experiments import PACES, TESTED, TESTED_POLICIES
from echelon.reproduce.sinapad.setups import DEVIATION, EXECUTION, MODES, POLICIES, SCENARIOS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.reproduce.machinery.picture import Picture
    from echelon.reproduce.sinapad.evidence import Evidence

_FIGURES = dict(zip(MODES, ("3", "4"), strict=True))


def pictures(evidence: Evidence) -> list[Picture]:
    """Return all pictures: figures 3 and 4, deviations, and the pace of decisions."""
    return [*_execution(evidence), *_pace(evidence)]


def _execution(evidence: Evidence) -> Iterator[Bars]:
    for mode, number in _FIGURES.items():
        for column, what in ((EXECUTION, "mean execution time"), (DEVIATION, "deviation of execution times")):
            measures = {
                policy: {
                    scenario: mean_interval(evidence.study[Case(scenario, mode, policy)][:, column])
                    for scenario in SCENARIOS
                }
                for policy in POLICIES
            }
            yield Bars(
                f"{what.replace(' ', '-')}-{mode.replace(' ', '-')}",
                f"Figure {number}: {what}, jobs {mode}",
                f"{what}, s",
                {policy: {name: one.mean for name, one in row.items()} for policy, row in measures.items()},
                {
                    policy: {name: (one.low, one.high) for name, one in row.items()}
                    for policy, row in measures.items()
                },
            )


def _pace(evidence: Evidence) -> Iterator[Curves]:
    lines = {
        f"{scenario}, {policy}": [
            float(evidence.paced[Paced(scenario, policy, pace)][:, EXECUTION].mean()) for pace in PACES
        ]
        for scenario in TESTED
        for policy in TESTED_POLICIES
    }
    title = "Mean execution time by the time of a decision, jobs at once"
    yield Curves("execution-by-pace", title, "decision, s", "mean execution time, s", PACES, lines)
