"""What the study of the archive says of failures, judged by computation, and what a reader may conclude.

Its text is not at hand: the claim is of its abstract.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.reproduce.machinery.claims import Claims, Point, Untested
from echelon.reproduce.machinery.statement import fact

if TYPE_CHECKING:
    from collections.abc import Iterable

    from echelon.availability.fits.law_fit import TimeSample
    from echelon.availability.fits.summary import FailureSummary
    from echelon.availability.laws.distributions import Weibull
    from echelon.reproduce.machinery.statement import Statement

HOUR = 3600.0

CLAIMS: Claims[FailureSummary] = Claims()


def weibull(sample: TimeSample) -> Weibull:
    """Return the Weibull law fitted to times."""
    law: Weibull = sample.fit("weibull").law  # type: ignore[assignment]
    return law


@CLAIMS.states(
    "C1a",
    "abstract",
    "Other interpretations of failure data can lead to other conclusions for the modeling of failures.",
)
def _interpretations(summary: FailureSummary) -> Iterable[Statement]:
    node, machine = weibull(summary.between), weibull(summary.systems[0].between)
    yield fact(
        f"from failure to failure of a node the Weibull shape is {node.shape:.2f}, of all nodes together "
        f"{machine.shape:.2f}",
        abs(node.shape - machine.shape) >= 0.05,
    )
    down = summary.down
    yield fact(
        f"with the {down.zeros:,} outages of no length the mean outage is {down.mean / HOUR:.2f} h, without "
        f"them {down.mean_positive / HOUR:.2f} h",
        f"{down.mean / HOUR:.2f}" != f"{down.mean_positive / HOUR:.2f}",
    )


@CLAIMS.states("C1b", "abstract", "They can lead to other conclusions for the scheduling of jobs.")
def _scheduling(_: FailureSummary) -> Untested:
    return Untested("the abstract does not say which jobs were scheduled, and how")


POINTS = (
    Point(
        ("C1a",),
        "What a failure is must be said before laws are fitted: of a node, or of the machine, with or "
        "without outages of no length.",
        "That the meaning of failure data matters to the laws fitted to them is not confirmed.",
    ),
)
"""What a reader may conclude, by the claims that decide it."""
