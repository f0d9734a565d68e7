"""The program without an objective, smaller: a whole number of tasks for each cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.policies.coallocation.program import Program

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.policies.coallocation.loads import Loads


class FeasibleForm:
    r"""A whole number t for each run of consecutive numbers of tasks that a cluster may take.

    Without an objective it only matters which numbers of tasks the limit on SC allows. With r[j] = 1 if
    run j, from a_j to b_j tasks, is the one its cluster uses, ::

        a_j r[j] <= t[j] <= b_j r[j];  sum of r[j] over the runs of a cluster <= 1;  sum of t[j] = tau

    Parameters
    ----------
    loads : Loads
        The problem; there are enough nodes.
    """

    def __init__(self, loads: Loads) -> None:
        program = self.program = Program()
        self._loads = loads
        self._runs: dict[int, list[int]] = {}
        for k, usable in enumerate(loads.usable(len(loads.levels) - 1).tolist()):
            most = min(usable, loads.problem.tasks)
            chosen = [self._run(k, *run) for run in _runs(loads.load[k, : most + 1] <= loads.limit)]
            if len(chosen) > 1:
                program.row(((one, 1.0) for one in chosen), most=1.0)
        places = [place for run in self._runs.values() for place in run]
        program.row(((t, 1.0) for t in places), least=loads.problem.tasks, most=loads.problem.tasks)

    def _run(self, k: int, first: int, last: int) -> int:
        """Add the run of `first` to `last` tasks in cluster `k`; return the variable that chooses it."""
        chosen, tasks = self.program.binary(), self.program.whole_number(last)
        self.program.row([(tasks, 1.0), (chosen, -float(first))], least=0.0)
        self.program.row([(tasks, -1.0), (chosen, float(last))], least=0.0)
        self._runs.setdefault(k, []).append(tasks)
        return chosen

    def counts(self, values: FloatColumn) -> IntColumn:
        """Return the tasks of each cluster in an answer of the solver."""
        counts = np.zeros(self._loads.clusters, dtype=np.int64)
        for k, places in self._runs.items():
            counts[k] = round(float(values[places].sum()))
        return counts


def _runs(allowed: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return first and last of each run of consecutive allowed numbers of tasks from 1 on."""
    inside = np.concatenate(([False], allowed[1:], [False])).astype(np.int8)
    change = np.diff(inside)
    starts, ends = np.flatnonzero(change == 1) + 1, np.flatnonzero(change == -1)
    return list(zip(starts.tolist(), ends.tolist(), strict=True))
