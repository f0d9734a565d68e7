"""HeldRecord: which numbered processors each job held during a run."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

import numpy as np

from echelon.model import NumberedHoldings

if TYPE_CHECKING:
    from echelon.engine.ledger.dispatches import Dispatches
    from echelon.model import Job
    from echelon.model.jobs.columns import IntColumn


class HeldRecord:
    """Which processors each job held during a run, from each start to the end of that attempt.

    Parameters
    ----------
    dispatches : Dispatches
        They know when each attempt began.
    """

    def __init__(self, dispatches: Dispatches) -> None:
        self._dispatches = dispatches
        self._job, self._site, self._counts, self._nodes = (array("i") for _ in range(4))
        self._start, self._end = array("d"), array("d")

    def keep(self, job: Job, now: float, nodes: IntColumn, site: int) -> None:
        """Keep which processors `job` held until now; nothing of an attempt of no length."""
        start = self._dispatches.last_start(job)
        if start is None or not start < now:
            return
        self._job.append(job.position)
        self._site.append(site)
        self._start.append(start)
        self._end.append(now)
        self._counts.append(len(nodes))
        self._nodes.frombytes(nodes.astype(np.intc).tobytes())

    def to_holdings(self, n_jobs: int) -> NumberedHoldings:
        """Return all that was kept, of a run of so many jobs, by job and start."""
        columns = [
            np.frombuffer(one, dtype=one.typecode) if len(one) else np.zeros(0, dtype=one.typecode)
            for one in (self._job, self._site, self._start, self._end, self._counts, self._nodes)
        ]
        return NumberedHoldings.by_job(n_jobs, *columns)
