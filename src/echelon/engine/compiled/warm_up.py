"""Compile every kernel now, so that nobody waits for it later: ``python -m echelon.engine.compiled.warm_up``.

Kernels are compiled when first called and then kept on disk (`echelon.kernel`).
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from functools import cache
from subprocess import DEVNULL, Popen
from time import perf_counter
from typing import TYPE_CHECKING

from numba.core import event

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from echelon.engine.contract import Scenario
    from echelon.model import Schedule

_TINY_LOG = b"1 0 0 10 1 -1 -1 1 10 -1 1 1 1 -1 -1 -1 -1 -1\n"

_ON_GRIDS = ("mst", "mpl", "common-pool")
"""Brokers that together need all kernels of grids: one of schedules, one of sums, and none."""

_ASIDE = (f"load_on_grid({_ON_GRIDS[0]!r})", "load_on_nodes(); load_projection()")
"""What is compiled in processes of its own."""


class _Announcer(event.Listener):
    """Calls back when a kernel is compiled, once; one that comes from the disk is none."""

    def __init__(self, announce: Callable[[], None]) -> None:
        self._announce: Callable[[], None] | None = announce

    def on_start(self, _: event.Event) -> None:
        announce, self._announce = self._announce, None
        if announce is not None:
            announce()

    def on_end(self, _: event.Event) -> None:
        """Nothing is said at the end."""


@contextmanager
def announcing(announce: Callable[[], None]) -> Iterator[None]:
    """Call `announce` when the first kernel is compiled inside the block, if any is.

    It is called from the thread that compiles.
    """
    listener = _Announcer(announce)
    event.register("numba:compile", listener)
    try:
        yield
    finally:
        event.unregister("numba:compile", listener)


def warm_up() -> float:
    """Call every kernel on a tiny case, so that all are compiled and kept; return the seconds it took."""
    began = perf_counter()
    _read()
    _simulate()
    for broker in _ON_GRIDS:
        load_on_grid(broker)
    load_on_nodes()
    load_projection()
    return perf_counter() - began


def compiled_already() -> bool:
    """Return whether all kernels come from the disk; if not, they are compiled by the asking.

    Only a call can tell: numba looks for a kept kernel when it knows the types of its arguments.
    """
    compiled: list[None] = []
    with announcing(lambda: compiled.append(None)):
        warm_up()
    return not compiled


def _read() -> None:
    from echelon.workloads.known_formats import format_named

    format_named("swf").read(_TINY_LOG, "warm-up")


@cache
def load_engine() -> Schedule:
    """Simulate one job, so that the engine's kernels are loaded, or compiled, before anything is timed.

    Once a process; the schedule of that job is returned.
    """
    from echelon.engine.compiled import simulate
    from echelon.engine.contract import Scenario
    from echelon.model import Instance, Workload
    from echelon.policies import policy

    workload = Workload.from_columns(submit_time=[0.0], run_time=[1.0], processors=[1])
    return simulate(Scenario(Instance.of(workload, 1), policy("easy")))


@cache
def load_on_grid(broker: str) -> Schedule:
    """Do the same for the kernels of grids under a broker, or of those without one."""
    from echelon.engine.compiled import simulate
    from echelon.engine.contract import Scenario
    from echelon.model import Instance, Platform, Workload
    from echelon.policies import broker_named, policy

    workload = Workload.from_columns(submit_time=[0.0], run_time=[1.0], processors=[1])
    instance = Instance.of(workload, Platform.of_sizes([1]))
    return simulate(Scenario(instance, policy("easy"), broker=broker_named(broker)))


@cache
def load_on_nodes() -> Schedule:
    """Do the same for the kernels of one machine whose nodes are told apart."""
    from echelon.engine.compiled import simulate
    from echelon.engine.contract import Scenario
    from echelon.engine.nodes.rules import NodeRules
    from echelon.execution import Execution
    from echelon.model import Cluster, Core, Hardware, Instance, Node, Processor, Workload
    from echelon.policies import NodeSearch, policy

    workload = Workload.from_columns(submit_time=[0.0], run_time=[1.0], processors=[1])
    machine = Hardware((Cluster((Node((Processor((Core(1.0),)),)),)),))
    rules = NodeRules(NodeSearch(), Execution(fixed=True))
    return simulate(Scenario(Instance.of(workload, machine), policy("easy"), nodes=rules))


@cache
def load_projection() -> None:
    """Load those that project the queue of a cluster whose nodes are shared, by projecting one job."""
    import numpy as np

    from echelon.engine.compiled.multicluster.project import project_compiled
    from echelon.engine.multicluster.picture import Picture

    one, none, zero = np.ones(1), np.empty(0), np.zeros(1, dtype=np.int64)
    project_compiled(
        Picture(
            now=0.0, processors=one, power=one, memory=one, link=one, ceiling=one, tasks=zero, mpl=1,
            running=0, left=one, compute_time=one, communication_time=one, size=zero + 1, task_memory=one,
            task_bandwidth=one, first_node=zero, nodes=none.astype(np.int64), overtake=False,
            slowdown=none.reshape(0, 0),
        )
    )  # fmt: skip


def load_for(scenario: Scenario) -> None:
    """Load the kernels that `scenario` needs."""
    from echelon.policies import Broker, Decentralized, Information

    broker = scenario.broker
    if scenario.multicluster is not None:
        load_projection()
    elif scenario.nodes is not None:
        load_on_nodes()
    elif broker is None:
        load_engine()
    elif isinstance(broker, Decentralized):
        load_on_grid("common-pool")
    elif isinstance(broker, Broker):
        load_on_grid("mst" if broker.information >= Information.SCHEDULES else "mpl")


def _simulate() -> None:
    import numpy as np

    from echelon.model.allocation import assign_processors

    schedule = load_engine()
    assign_processors(schedule.start_time, schedule.end_time, np.array([1]), 1)


def _in_processes() -> bool:
    """Do what `warm_up` does in several processes, if it must be done; return whether it had to."""
    compiled: list[None] = []
    with announcing(lambda: compiled.append(None)):
        _read()
        # First what the kernels of grids share.
        _simulate()
        children = [_compiling(call) for call in _ASIDE] if compiled else []
        for broker in _ON_GRIDS[1:]:
            load_on_grid(broker)
        for child in children:
            child.wait()
        load_on_grid(_ON_GRIDS[0])
        load_on_nodes()
        load_projection()
    return bool(compiled)


def _compiling(call: str) -> Popen[bytes]:
    """Start a process that compiles what this call needs; should it fail, this one does it."""
    program = f"from {__spec__.name} import load_on_grid, load_on_nodes, load_projection; {call}"
    return Popen([sys.executable, "-c", program], stderr=DEVNULL)


if __name__ == "__main__":
    began = perf_counter()
    state = "compiled" if _in_processes() else "found compiled"
    sys.stdout.write(f"Kernels {state} in {perf_counter() - began:.1f} s.\n")
