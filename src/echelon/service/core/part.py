"""Part: what those parts of the core know that take in observations and choices."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from echelon.service.core.clusters import Clusters
    from echelon.service.core.job_table import JobTable
    from echelon.service.core.reports import Reports
    from echelon.service.core.revocations import Revocations
    from echelon.service.core.transitions import Transitions
    from echelon.service.rules import Rules


class Part:
    """A part of the core; it changes jobs by the parts below it, which all such parts share."""

    def __init__(
        self,
        table: JobTable,
        reports: Reports,
        clusters: Clusters,
        transitions: Transitions,
        revocations: Revocations,
        *,
        rules: Rules,
    ) -> None:
        self._table, self._reports, self._clusters = table, reports, clusters
        self._transitions, self._revocations, self._rules = transitions, revocations, rules
