"""The binary program as specified: one variable for each node."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.policies.coallocation.program import Program

if TYPE_CHECKING:
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.policies.coallocation.loads import Loads


class FullForm:
    r"""One binary X for each node, one binary y for each number of tasks of each cluster.

    With beta_k nodes in cluster k and g(m) the traffic of m tasks (equation 4.14), ::

        min  T^p SP + T^c SC
        sum over k, i of X[k,i] = tau                                              (4.18)
        sum over m of y[k,m] = 1                               for each k, m = 0 .. min(tau, beta_k)
        sum over i of X[k,i] = sum over m of m y[k,m]          for each k
        SP >= X[k,i] / Gamma[k,i]                  for each k, i with Gamma > 0    (4.11, 4.12)
        SC >= sum over 0 < m < tau of y[k,m] (consumed_k + g(m)) / link_k          (4.13 to 4.16)
        SC >= 1 if clamped; SC >= consumed_k / link_k for each k if all links count
        SC <= 1 if none may saturate                                               (4.19)
        T^p SP + T^c SC <= longest, if there is a longest

    g(m) is quadratic in m, but only its values at whole m matter: y makes it linear. A y whose link would
    be above the largest SC allowed is fixed at 0: that follows from the rows, but not within a solver's
    tolerance. SP and SC are in units of the largest that they can be.

    Parameters
    ----------
    loads : Loads
        The problem.
    optimal : bool
        Whether there is an objective; without, the first answer is taken.
    longest : float
        Longest T^e allowed, in seconds, perhaps infinite.
    """

    def __init__(self, loads: Loads, *, optimal: bool, longest: float) -> None:
        problem = loads.problem
        program = self.program = Program()
        self._loads = loads
        self._nodes = [program.binary(allowed=power > 0) for power in problem.power.tolist()]
        compute, communicate = scaled_times(loads)
        self._slowest = float(loads.levels[-1])
        self._busiest = max(loads.floor, float(loads.load[loads.load <= loads.limit].max()), 1.0)
        compute, communicate = compute * self._slowest, communicate * self._busiest
        computing = program.number(compute if optimal else 0.0)
        least, most = loads.floor / self._busiest, loads.limit / self._busiest
        crossing = program.number(communicate if optimal else 0.0, least, most)
        program.row(((x, 1.0) for x in self._nodes), least=problem.tasks, most=problem.tasks)
        for x, power in zip(self._nodes, problem.power.tolist(), strict=True):
            if power > 0:
                program.row([(computing, 1.0), (x, -1.0 / power / self._slowest)], least=0.0)
        for k in range(loads.clusters):
            self._cluster(k, crossing)
        if np.isfinite(longest):
            most = longest * scale(loads)
            program.row([(computing, compute), (crossing, communicate)], most=most)

    def _cluster(self, k: int, crossing: int) -> None:
        """Add the numbers of tasks that cluster `k` may take."""
        loads, program = self._loads, self.program
        first, end = np.searchsorted(loads.problem.cluster, (k, k + 1)).tolist()
        load = loads.load[k, : min(loads.problem.tasks, end - first) + 1].tolist()
        numbers = [program.binary(allowed=value <= loads.limit) for value in load]
        program.row(((y, 1.0) for y in numbers), least=1.0, most=1.0)
        nodes = [(self._nodes[node], 1.0) for node in range(first, end)]
        program.row([*nodes, *((y, -float(m)) for m, y in enumerate(numbers))], least=0.0, most=0.0)
        unit = self._busiest
        used = [
            (y, -value / unit) for y, value in zip(numbers, load, strict=True) if 0 < value <= loads.limit
        ]
        program.row([(crossing, 1.0), *used], least=0.0)

    def counts(self, values: FloatColumn) -> IntColumn:
        """Return the tasks of each cluster in an answer of the solver."""
        selection = np.round(values[self._nodes]).astype(np.int64)
        return np.bincount(
            self._loads.problem.cluster, weights=selection, minlength=self._loads.clusters
        ).astype(np.int64)


def scale(loads: Loads) -> float:
    """Return the scale of T^e in the program, so that tolerances do not depend on a job's length."""
    dedicated = loads.problem.compute_time + loads.problem.communication_time
    return 1 / dedicated if dedicated > 0 else 1.0


def scaled_times(loads: Loads) -> tuple[float, float]:
    """Return T^p and T^c in the program's unit."""
    return loads.problem.compute_time * scale(loads), loads.problem.communication_time * scale(loads)
