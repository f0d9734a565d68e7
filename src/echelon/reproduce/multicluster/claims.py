"""What the M-CISNE thesis claims, C1 to C26, each judged by computation.

A claim is cut into statements; `echelon.reproduce.machinery.statement` says how each is settled. The texts
are ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.reproduce.machinery.claims import Claims
from echelon.reproduce.multicluster import claims_clusters, claims_estimates, claims_queues, claims_spanning

if TYPE_CHECKING:
    from echelon.reproduce.multicluster.evidence import Evidence

CLAIMS: Claims[Evidence] = Claims(
    claims_estimates.CLAIMS, claims_clusters.CLAIMS, claims_queues.CLAIMS, claims_spanning.CLAIMS
)
