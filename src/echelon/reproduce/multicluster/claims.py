"""What the M-CISNE thesis claims, C1 to C20, each judged by computation.

A claim is cut into statements; it holds if all of them do. A statement that one thing is lower than another
is so if the 95 % interval of the difference, seed by seed, leaves no doubt. The texts are ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.reproduce.claim import Claim
from echelon.reproduce.multicluster import claims_clusters, claims_estimates, claims_queues, claims_spanning

if TYPE_CHECKING:
    from echelon.reproduce.claim import Verdict
    from echelon.reproduce.multicluster.evidence import Evidence


def judged(evidence: Evidence) -> list[Claim]:
    """Return every claim with its verdict and our numbers, by number."""
    claims = []
    for name, where, text, check in _STATED:
        found = check(evidence)
        holds, finding = found if found else (None, "no job was co-allocated in any run")
        verdict: Verdict = "not testable" if holds is None else "holds" if holds else "does not hold"
        claims.append(Claim(name, text, where, verdict, f"{finding}."))
    return claims


_STATED = sorted(
    (
        *claims_estimates.STATED,
        *claims_clusters.STATED,
        *claims_queues.STATED,
        *claims_spanning.STATED,
    ),
    key=lambda stated: int(stated[0][1:]),
)
