"""What failures and maintenance cost in kernels: ``python benchmarks/changing.py``.

EASY on a year of KTH-SP2 with a failure of each node every 1,800 hours, repaired in 6; the same on nodes of
one core and of two, by first-fit and by best-fit; and on a million generated jobs with 100,000 failures,
where a job is requeued twice at most. Each row is measured often in processor time, and the least counts: a
machine that never changes, in its own kernel; the same in the kernel of machines that change; and with the
failures. `kernel` is the simulation from arrays to arrays, `all` from `Instance` to `Schedule`, with the
processors of each attempt.

A second table has the policies that reserve starts, on KTH-SP2 with the same failures, and with the whole
machine maintained for eight hours a week.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from time import process_time
from typing import TYPE_CHECKING, Any

import machine
import numpy as np
from traces import Generated, generate

from echelon.availability import Changes, Requeueing
from echelon.engine.compiled import simulate
from echelon.engine.compiled.dynamic_machine import run as dynamic
from echelon.engine.compiled.dynamic_machine.planning import reserving_run as reserving
from echelon.engine.compiled.dynamic_machine.simulate import simulate_dynamic
from echelon.engine.compiled.machine import run as static
from echelon.engine.compiled.nodes import run as static_nodes
from echelon.engine.contract import Scenario
from echelon.engine.nodes.rules import NodeRules
from echelon.engine.system_model import NodeLevelMachine, OneMachine
from echelon.execution import Execution
from echelon.model import Cluster, Core, Hardware, Instance, Node, OutageKind, Outages, Processor
from echelon.policies import NodeSearch, policy
from echelon.workloads import find, read_workload

if TYPE_CHECKING:
    from collections.abc import Callable

    from echelon.model import Schedule

HOUR = 3600.0
RESERVING = ("conservative", "selective", "plan", "easy:reservations=4")


def failures(instance: Instance, mtbf: float, repair: float) -> Outages:
    """Return exponential failures of each node, alone, while jobs are submitted; means in seconds."""
    random, rows = np.random.default_rng(1), []
    begin, end = instance.submit_time.min(), instance.submit_time.max()
    nodes = instance.processors if instance.hardware is None else len(instance.hardware.nodes)
    for node in range(nodes):
        time = begin + random.exponential(mtbf)
        while time < end:
            back = time + random.exponential(repair)
            rows.append((time, back, (node,), OutageKind.FAIL, -np.inf, 0))
            time = back + random.exponential(mtbf)
    return Outages.of(rows)


def maintenance(instance: Instance) -> Outages:
    """Return eight hours a week in which no job may run, from the third day on, announced from the first."""
    begin, end = instance.submit_time.min(), instance.submit_time.max()
    nodes = tuple(range(instance.processors))
    starts = np.arange(begin + 72 * HOUR, end, 168 * HOUR).tolist()
    return Outages.of(
        [(start, start + 8 * HOUR, nodes, OutageKind.MAINTENANCE, -np.inf, 0) for start in starts]
    )


class Timed:
    """A kernel that adds up the processor time of its calls."""

    def __init__(self, kernel: Callable[..., Any]) -> None:
        self.kernel, self.seconds = kernel, 0.0

    def __call__(self, *arguments: Any) -> Any:
        """Run it."""
        began = process_time()
        found = self.kernel(*arguments)
        self.seconds += process_time() - began
        return found


def best(call: Callable[[], Schedule], kernel: Timed, runs: int) -> tuple[float, float]:
    """Return the least processor time of a run, of its kernel alone and of all of it."""
    found = []
    for _ in range(runs + 1):
        kernel.seconds, began = 0.0, process_time()
        call()
        found.append((kernel.seconds, process_time() - began))
    # What only a first run does is not timed.
    alone, whole = zip(*found[1:], strict=True)
    return min(alone), min(whole)


def rows(
    title: str,
    instance: Instance,
    outages: Outages,
    rule: Requeueing,
    runs: int,
    *,
    search: str = "first-fit",
) -> None:
    """Print the rows of a workload; on nodes with this search."""
    model: Any = OneMachine()
    if instance.hardware is not None:
        model = NodeLevelMachine(NodeRules(NodeSearch(search), Execution(fixed=True)))  # type: ignore[arg-type]
    # Cores are counted where all jobs take the first ones.
    first_kernel = static.run if instance.hardware is None else static_nodes.run
    kernel = dynamic.run if search == "first-fit" else dynamic.run_on_hosts
    plain = Scenario(instance, policy("easy"), system_model=model)
    still, failing = (
        replace(plain, changes=Changes(each, requeueing=rule)) for each in (Outages.of(), outages)
    )
    measured = (
        ("kernel of machines that do not change", best(lambda: simulate(plain), first_kernel, runs)),
        ("without failures", best(lambda: simulate_dynamic(still, None), kernel, runs)),
        (f"{len(outages):,} failures", best(lambda: simulate_dynamic(failing, None), kernel, runs)),
    )
    first, jobs = measured[0][1], len(instance)
    for what, (alone, whole) in measured:
        ratios = f"{alone / first[0]:.2f} | {whole / first[1]:.2f}"
        print(f"| {title} | {what} | {jobs / alone:,.0f} | {jobs / whole:,.0f} | {ratios} |", flush=True)


def reserving_rows(instance: Instance, runs: int) -> None:
    """Print the rows of the policies that reserve starts."""
    print("\n| policy | machine | kernel, jobs/s | all, jobs/s | kernel, seconds |")
    print("| --- | --- | --- | --- | --- |")
    failing, shut = failures(instance, 1800 * HOUR, 6 * HOUR), maintenance(instance)
    for spec in RESERVING:
        plain = Scenario(instance, policy(spec))
        measured = [("does not change", best(lambda: simulate(plain), static.run, runs))]  # noqa: B023
        for title, outages in ((f"{len(failing)} failures", failing), (f"{len(shut)} weeks", shut)):
            changed = Scenario(instance, policy(spec), changes=Changes(outages))
            run = best(lambda: simulate_dynamic(changed, None), reserving.run, runs)  # noqa: B023
            measured.append((title, run))
        for what, (alone, whole) in measured:
            jobs = len(instance)
            rates = f"{jobs / alone:,.0f} | {jobs / whole:,.0f} | {alone:.3f}"
            print(f"| `{spec}` | {what} | {rates} |", flush=True)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="KTH-SP2 only")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    for module, name in (
        (static, "run"),
        (static_nodes, "run"),
        (dynamic, "run"),
        (dynamic, "run_on_hosts"),
        (reserving, "run"),
    ):
        setattr(module, name, Timed(getattr(module, name)))
    print(f"Measured on: {machine.description()}; {machine.busy():.1f} processes running.\n")
    print("| workload | machine | kernel, jobs/s | all, jobs/s | kernel, times | all, times |")
    print("| --- | --- | --- | --- | --- | --- |")
    if find("kth-sp2") is not None:
        kth = Instance.of(read_workload("kth-sp2"), 100)
        rows("KTH-SP2", kth, failures(kth, 1800 * HOUR, 6 * HOUR), Requeueing(), options.runs)
        for nodes, cores, search in ((100, 1, "first-fit"), (50, 2, "first-fit"), (50, 2, "best-fit")):
            machine_of = Hardware((Cluster((Node((Processor((Core(1.0),) * cores),)),) * nodes),))
            on_nodes = Instance.of(read_workload("kth-sp2"), machine_of)
            title, outages = (
                f"KTH-SP2, {nodes} x {cores}, {search}",
                failures(on_nodes, 1800 * HOUR, 6 * HOUR),
            )
            rows(title, on_nodes, outages, Requeueing(), options.runs, search=search)
    if not options.quick:
        million = Instance.of(generate(Generated(1_000_000, 0.7, seed=2), 256), 256)
        span = million.submit_time.max() - million.submit_time.min()
        mean = 256 * span / 100_000
        outages = failures(million, 0.99 * mean, 0.01 * mean)
        rows("generated", million, outages, Requeueing(most=2), options.runs)
    if find("kth-sp2") is not None:
        reserving_rows(kth, options.runs)


if __name__ == "__main__":
    main()
