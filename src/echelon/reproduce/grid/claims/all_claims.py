"""What the grid study claims, each judged by computation; and once more at the load that its ratios imply.

The texts are ours. A claim about several grids is judged on each, so that one whose logs are missing leaves
the others their verdict.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from echelon.reproduce.grid.claims import one_level, two_levels, workloads
from echelon.reproduce.grid.claims.workloads import OF_LOGS
from echelon.reproduce.grid.readings import LOAD
from echelon.reproduce.machinery.claims import Point, Untested

if TYPE_CHECKING:
    from echelon.reproduce.grid.claims.evidence import Evidence
    from echelon.reproduce.machinery.claims import Claim, StatedClaim

CONCLUSIONS = (
    Point(
        ("C1a",),
        "On Grid 1 strategies that count jobs or sizes, and MST, are the best four, as the study says.",
        "That strategies which count jobs or sizes, and MST, are the best four on Grid 1 is not confirmed.",
        "Whether strategies that count jobs or sizes, and MST, are the best four on Grid 1 remains open.",
    ),
    Point(("C1c",), "MPL is the best there.", "MPL is not the best there."),
    Point(
        ("C2c",),
        "Wrong estimates are why strategies that use them wait.",
        "That wrong estimates are why strategies that use them wait is not confirmed.",
        in_part="Wrong estimates explain the waits of some strategies that use them, not of all.",
    ),
    Point(
        ("C6d",),
        "On Grid 1 admissibility with a = 0.5 improves strategies.",
        "That admissibility with a = 0.5 improves strategies should not be cited for Grid 1.",
    ),
    Point(
        ("C9a",),
        "Without a broker one queue is better than stealing with two.",
        "That one queue is better than stealing with two is not confirmed.",
        "Whether one queue is better than stealing with two remains open.",
    ),
)
"""What a reader may conclude, by the claims that decide it."""

_STATED = (*two_levels.CLAIMS, *one_level.CLAIMS, *workloads.CLAIMS)


def judge_claims(evidence: Evidence) -> list[Claim]:
    """Return every claim with its verdict and our numbers.

    Where the load that the printed ratios imply gives another verdict, the finding ends with it.
    """
    claims = [_judge_claim(evidence, stated) for stated in _STATED]
    if evidence.loaded is None:
        return claims
    return [
        _add_verdict(claim, _judge_claim(evidence.loaded, stated))
        for claim, stated in zip(claims, _STATED, strict=True)
    ]


def loaded_claims(evidence: Evidence) -> list[tuple[Claim, Claim]]:
    """Return the claims of Grid 1 as they are read and at the other load; none if that was not run."""
    if evidence.loaded is None:
        return []
    return [
        (_judge_claim(evidence, stated), _judge_claim(evidence.loaded, stated))
        for stated in _STATED
        if stated.needs == ("Grid 1",)
    ]


def _judge_claim(evidence: Evidence, stated: StatedClaim[Evidence]) -> Claim:
    lacking = [f"{grid}: {why}" for grid in stated.needs if (why := evidence.cases[grid].missing)]
    if lacking:
        return stated.judge_by(Untested("; ".join(lacking)))
    apart = [grid for grid in stated.needs if evidence.cases[grid].apart]
    claim = stated.judge(evidence)
    if not apart:
        return claim
    if stated.name in OF_LOGS:
        return stated.judge_by(Untested(f"ours is not all of logs: {claim.finding.rstrip('.')}"))
    return replace(
        claim, finding=f"{claim.finding} ({' and '.join(apart)}: not as in the study, see the notes)"
    )


def _add_verdict(claim: Claim, other: Claim) -> Claim:
    if claim.verdict == other.verdict:
        return claim
    return replace(claim, finding=f"{claim.finding} With {LOAD.name}: {other.verdict}.")
