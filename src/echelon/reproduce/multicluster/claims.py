"""What the M-CISNE thesis claims, C1 to C26, each judged by computation.

A claim is cut into statements; `echelon.reproduce.machinery.statement` says how each is settled.
The texts are ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.reproduce.machinery.claim import judge, untestable
from echelon.reproduce.multicluster import (
    claims_clusters,
    claims_estimates,
    claims_more,
    claims_queues,
    claims_spanning,
)

if TYPE_CHECKING:
    from echelon.reproduce.machinery.claim import Claim
    from echelon.reproduce.multicluster.evidence import Evidence


def judged(evidence: Evidence) -> list[Claim]:
    """Return every claim with its verdict and our numbers, by number."""
    claims = []
    for name, where, text, check in _STATED:
        found = check(evidence)
        if found is None:
            claims.append(untestable(name, text, where, "no job was co-allocated in any run"))
        else:
            claims.append(judge(name, text, where, found))
    return claims


_STATED = sorted(
    (
        *claims_estimates.STATED,
        *claims_clusters.STATED,
        *claims_queues.STATED,
        *claims_spanning.STATED,
        *claims_more.STATED,
    ),
    key=lambda stated: int(stated[0][1:]),
)
