"""The same program, smaller: chains of thresholds in place of nodes, restricted to possible solutions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from echelon.policies.coallocation.full_form import scale, scaled_times
from echelon.policies.coallocation.program import Program
from echelon.policies.coallocation.threshold import ceilings

if TYPE_CHECKING:
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.policies.coallocation.loads import Loads


class ReducedForm:
    r"""Binaries w for thresholds on SP, v for thresholds on SC, y for each number of tasks of each cluster.

    With SP_0 < SP_1 < ... the values that SP can have, SC_0 < SC_1 < ... those of SC, ::

        SP = SP_0 + sum over l > 0 of (SP_l - SP_(l-1)) w[l]
        SC = SC_0 + sum over j > 0 of (SC_j - SC_(j-1)) v[j]
        min  T^p SP + T^c SC
        w[l] >= w[l+1], v[j] >= v[j+1]
        sum over k, m of m y[k,m] = tau;  sum over m of y[k,m] <= 1 for each k
        sum over m' >= m of y[k,m'] <= w[l]   if cluster k has m nodes only from SP_l > SP_0 on
        sum over m in M of y[k,m] <= v[j]     with M the numbers of tasks whose SC_k is SC_j or more

    A cluster gives its most powerful nodes first, so nodes need no variables. Left out is what cannot be in
    a better answer than one already known, whose T^e is `incumbent`: thresholds, and numbers of tasks that
    load a link too much. The relaxation without whole numbers is closer to the optimum than that of the full
    form: it pays SP_0 and SC_0 in full, and parts only of the steps above them.

    Parameters
    ----------
    loads : Loads
        The problem; there are enough nodes.
    optimal : bool
        Whether there is an objective; without, the first answer is taken.
    longest : float
        Longest T^e allowed, in seconds, perhaps infinite.
    incumbent : float
        T^e of some answer, in seconds; infinity: none is known.
    """

    def __init__(self, loads: Loads, *, optimal: bool, longest: float, incumbent: float) -> None:
        self._loads = loads
        self.program = Program()
        most = min(incumbent, longest) * (1 + 1e-9)
        levels, allowed = _levels(loads, most), _ceilings(loads, most)
        compute, communicate = scaled_times(loads)
        slow, slow_time = self._chain(levels, compute, optimal=optimal)
        high, high_time = self._chain(allowed, communicate, optimal=optimal)
        if math.isfinite(longest):
            self.program.row([*slow_time, *high_time], most=longest * scale(loads))
        self._variables = self._numbers(float(allowed[-1]), len(levels) - 1)
        self._rows_of_levels(levels, slow)
        self._rows_of_ceilings(allowed, high)
        tasks = loads.problem.tasks
        self.program.row(((y, m) for (_, m), y in self._variables.items()), least=tasks, most=tasks)

    def counts(self, values: FloatColumn) -> IntColumn:
        """Return the tasks of each cluster in an answer of the solver."""
        counts = np.zeros(self._loads.clusters, dtype=np.int64)
        for (k, m), y in self._variables.items():
            if values[y] > 0.5:
                counts[k] = m
        return counts

    def _chain(
        self, thresholds: FloatColumn, time: float, *, optimal: bool
    ) -> tuple[list[int], list[tuple[int, float]]]:
        """Add a variable for each threshold, 1 if it is reached; return them and what they add to T^e."""
        program = self.program
        steps = (np.diff(thresholds, prepend=0.0) * time).tolist()
        chain = [program.number(steps[0] if optimal else 0.0, 1.0, 1.0)]
        for step in steps[1:]:
            chain.append(program.binary(step if optimal else 0.0))
            program.row([(chain[-2], 1.0), (chain[-1], -1.0)], least=0.0)
        return chain, list(zip(chain, steps, strict=True))

    def _numbers(self, ceiling: float, level: int) -> dict[tuple[int, int], int]:
        """Add a variable for each number of tasks that a cluster may take; at most one a cluster is 1."""
        loads, numbers = self._loads, {}
        for k, usable in enumerate(loads.usable(level).tolist()):
            here = np.flatnonzero(loads.load[k, 1 : min(usable, loads.problem.tasks) + 1] <= ceiling) + 1
            for m in here.tolist():
                numbers[k, m] = self.program.binary()
            if len(here):
                self.program.row(((numbers[k, m], 1.0) for m in here.tolist()), most=1.0)
        return numbers

    def _rows_of_levels(self, levels: FloatColumn, chain: list[int]) -> None:
        """Require SP to be at least that of the slowest node of each cluster."""
        loads = self._loads
        nodes = loads.order[np.argsort(loads.problem.cluster[loads.order], kind="stable")]
        first = np.searchsorted(loads.problem.cluster[nodes], np.arange(loads.clusters))
        above: dict[int, list[int]] = {}
        for (k, m), y in reversed(self._variables.items()):
            level = int(np.searchsorted(levels, 1.0 / loads.problem.power[nodes[first[k] + m - 1]]))
            above.setdefault(k, []).append(y)
            if level:
                self.program.row([(chain[level], 1.0), *((each, -1.0) for each in above[k])], least=0.0)

    def _rows_of_ceilings(self, allowed: FloatColumn, chain: list[int]) -> None:
        """Require SC to be at least the load of each link."""
        above: dict[int, list[int]] = {}
        loaded = [(float(self._loads.load[at]), at[0], y) for at, y in self._variables.items()]
        for load, k, y in sorted(loaded, reverse=True):
            step = int(np.searchsorted(allowed, load))
            above.setdefault(k, []).append(y)
            if step:
                self.program.row([(chain[step], 1.0), *((each, -1.0) for each in above[k])], least=0.0)


def _levels(loads: Loads, most: float) -> FloatColumn:
    """Return each SP that an answer with a T^e up to `most` can have, at least one."""
    kept = int(np.searchsorted(loads.times(loads.levels, loads.floor), most, side="right"))
    return loads.levels[: max(kept, 1)]


def _ceilings(loads: Loads, most: float) -> FloatColumn:
    """Return each SC that an answer with a T^e up to `most` can have, at least one."""
    values = ceilings(loads)
    kept = int(np.searchsorted(loads.times(loads.levels[0], values), most, side="right"))
    return values[: max(kept, 1)]
