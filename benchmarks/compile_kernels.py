"""Use every kernel once, so that numba compiles it or loads it; prints the seconds of each as JSON."""

from __future__ import annotations

import json
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def main() -> None:
    """Read a log, simulate it, and give processors their numbers: all kernels there are."""
    import numpy as np

    from echelon.engine.compiled import simulate
    from echelon.engine.compiled.warm_up import load_on_grid, load_on_nodes, load_projection
    from echelon.engine.contract import Scenario
    from echelon.model import Instance
    from echelon.model.allocation import assign_processors
    from echelon.policies import policy_named
    from echelon.workloads import read_workload

    seconds = {}

    def timed(name: str, call: Callable[[], object]) -> object:
        began = perf_counter()
        found = call()
        seconds[name] = perf_counter() - began
        return found

    workload = timed("read", lambda: read_workload("kth-sp2"))
    instance = Instance.of(workload, 100)
    for policy in ("fcfs", "easy", "conservative", "plan"):
        timed(policy, lambda policy=policy: simulate(Scenario(instance, policy_named(policy))))
    timed("grids under a broker", lambda: load_on_grid("mpl"))
    timed("grids, by schedules", lambda: load_on_grid("mst"))
    timed("grids without a broker", lambda: load_on_grid("common-pool"))
    timed("nodes", load_on_nodes)
    timed("projections", load_projection)
    one = np.array([0.0])
    timed("assign processors", lambda: assign_processors(one, one + 1, np.array([1]), 4))
    print(json.dumps({"parts": seconds, "total": sum(seconds.values())}))


if __name__ == "__main__":
    main()
