"""Inside a cluster: nodes and cores, with contention and without, and what an event costs as cores grow.

``python nodes.py contention NETWORK``, ``python nodes.py large PLACE`` and ``python nodes.py grow CORES``
measure one cell each and print one line of JSON.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, replace
from statistics import median
from typing import TYPE_CHECKING, Any

from isolated import script

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.engine.contract import Scenario
    from echelon.model import Hardware, Workload

NETWORKS = ("constant", "proportional")
CONTENTION_JOBS, CONTENTION_LOAD = 10_000, 0.5
PLACES = ("first-fit", "best-fit", "worst-fit:low-power")
LARGE_JOBS, LARGE_LOAD, LARGE_TARGET = 100_000, 0.8, 60.0
CORES = (1_000, 10_000, 100_000)
GROW_JOBS = 20_000
LIMIT = 180.0


@dataclass(frozen=True, slots=True)
class NodeCell:
    """One run on nodes: what it took, or why there is no figure."""

    kind: str
    setting: str
    found: Mapping[str, Any] | None
    reason: str = ""


def cells(*, quick: bool) -> list[NodeCell]:
    """Measure all of them, each in a process of its own."""
    whole = [*(("contention", name) for name in NETWORKS), *(("large", name) for name in PLACES)]
    growing = [("grow", str(cores)) for cores in (CORES[:2] if quick else CORES)]
    return [_cell(*what) for what in (*([] if quick else whole), *growing)]


def _cell(kind: str, setting: str) -> NodeCell:
    print(f"nodes, {kind} {setting} ...", file=sys.stderr, flush=True)
    outcome = script("nodes.py", kind, setting, limit=LIMIT)
    return NodeCell(kind, setting, outcome.found or None, outcome.reason)


def section(found: list[NodeCell]) -> str:
    """Return the part of the page on nodes."""
    contention = [cell for cell in found if cell.kind == "contention"]
    large = [cell for cell in found if cell.kind == "large"]
    lines = [
        "## Nodes and cores\n",
        "EASY. Events are submissions and ends of jobs; instants are times at which anything happens, ends",
        "of single tasks included. Drawn by `benchmarks/nodes.py`.\n",
    ]
    head = "engine | jobs | seconds | events/s | instants/s | peak MB |\n|---|" + "---|" * 6
    if contention:
        lines += [
            "480 cores (`irmasim-b` with memory curves): half of the small jobs sequential, the others MPI;",
            f"`memory-v1` and a network model; offered load {CONTENTION_LOAD} if nothing slowed down.\n",
            f"| network | {head}",
            *map(_row, contention),
            "",
        ]
    if large:
        lines += [
            "100,000 cores (`large-2000`), `fixed`; jobs of 1 to 8,192 cores, 945 in the mean; offered load",
            f"{LARGE_LOAD}. Target: < {LARGE_TARGET:g} s.\n",
            f"| place | {head}",
            *map(_row, large),
            "",
        ]
    lines += [
        f"Microseconds an event as cores grow, {GROW_JOBS:,} jobs, nodes of `large-2000`: of jobs of",
        "1 to 64 cores on any machine, and of jobs that are the larger the more cores there are (to 8 % of",
        "them).\n",
        "| cores | same jobs | larger jobs | their mean size |",
        "|---|---|---|---|",
        *(_growth(cell) for cell in found if cell.kind == "grow"),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _row(cell: NodeCell) -> str:
    if cell.found is None:
        return f"| {cell.setting} | – | – | {cell.reason} | – | – | – |"
    seconds, counts = median(cell.found["seconds"]), cell.found["counts"]
    rates = (f"{counts[name] / seconds:,.0f}" for name in ("events", "passes"))
    parts = (
        cell.setting, cell.found["engine"], f"{cell.found['jobs']:,}", f"{seconds:.1f}", *rates,
        f"{cell.found['peak_mb']:,.0f}",
    )  # fmt: skip
    return f"| {' | '.join(parts)} |"


def _growth(cell: NodeCell) -> str:
    if cell.found is None:
        return f"| {int(cell.setting):,} | {cell.reason} | – | – |"
    costs = (f"{cell.found[name]:.1f}" for name in ("same", "larger"))
    return f"| {int(cell.setting):,} | {' | '.join(costs)} | {cell.found['mean_size']:,.0f} |"


def contended() -> tuple[Workload, Hardware]:
    """Return the jobs and the machine of both contentions; the same each time."""
    import numpy as np

    from echelon.model import Cluster, Demand, Demands, Hardware, MemoryCurveV1, TaskGroup, Workload
    from echelon.platforms import platform_named

    curve = MemoryCurveV1(-1.85e-05, 32000, 1.75, 2000, 50000, 6000)
    plain = platform_named("irmasim-b").hardware
    assert plain is not None
    nodes = [
        replace(node, processors=tuple(replace(one, memory_curve=curve) for one in node.processors))
        for node in plain.nodes
    ]
    rng = np.random.default_rng(1)
    size = rng.integers(1, 33, CONTENTION_JOBS)
    operations = rng.uniform(1e11, 2e12, CONTENTION_JOBS)
    sequential = (size <= nodes[0].cores) & (rng.random(CONTENTION_JOBS) < 0.5)
    moved, sent = 3 * rng.random(CONTENTION_JOBS), rng.uniform(1e6, 2e8, CONTENTION_JOBS) / 1e10
    computes = rng.uniform(0.5, 1, CONTENTION_JOBS)
    columns = zip(size.tolist(), operations, sequential, moved, sent, computes, strict=True)
    demands = [
        Demand((TaskGroup(n, work, memory_volume=work * each),), sequential=True)
        if alone
        else Demand(
            (TaskGroup(n, work, memory_volume=work * each),),
            communication_volume=work * volume,
            compute_share=share,
        )
        for n, work, alone, each, volume, share in columns
    ]
    span = (size * operations).sum() / plain.mean_speed / plain.cores / CONTENTION_LOAD
    workload = Workload.from_columns(
        submit_time=np.sort(rng.uniform(0, span, CONTENTION_JOBS)),
        run_time=operations / plain.slowest,
        requested_time=operations / plain.slowest * 2,
        processors=size,
    )
    return replace(workload, demands=Demands.of(demands)), Hardware((Cluster(tuple(nodes)),))


def on_large(cores: int, jobs: int, largest: int) -> tuple[Workload, Hardware]:
    """Return jobs of up to twice a power of two that is at most half of `largest`, and so many cores."""
    import numpy as np

    from echelon.model import Cluster, Hardware, Workload
    from echelon.platforms import platform_named

    large = platform_named("large-2000").hardware
    assert large is not None
    hardware = Hardware((Cluster((large.nodes[0],) * (cores // large.nodes[0].cores)),))
    rng = np.random.default_rng(1)
    size = 2 ** rng.integers(0, int(np.log2(largest)), jobs) * rng.integers(1, 3, jobs)
    run_time = rng.lognormal(7, 1.5, jobs).clip(10, 1e5).round()
    span = (size * run_time).sum() / cores / LARGE_LOAD
    workload = Workload.from_columns(
        submit_time=np.sort(rng.uniform(0, span, jobs)).round(),
        run_time=run_time,
        requested_time=run_time * 2,
        processors=size,
    )
    return workload, hardware


def _scenario(workload: Workload, hardware: Hardware, **specs: str) -> Scenario:
    from echelon.engine.contract import Scenario
    from echelon.engine.nodes.rules import NodeRules
    from echelon.engine.system_model import NodeLevelMachine
    from echelon.execution import execution_named, network_named
    from echelon.model import Instance
    from echelon.policies import placement_named, policy

    network = specs.get("network")
    rules = NodeRules(
        placement_named(specs.get("place", "first-fit")),
        execution_named(specs["execution"]),
        None if network is None else network_named(network),
    )
    return Scenario(Instance.of(workload, hardware), policy("easy"), system_model=NodeLevelMachine(rules))


def _measured(scenario: Scenario) -> dict[str, Any]:
    from measure import peak_megabytes, repeated

    from echelon.engine import compiled, reference
    from echelon.engine.compiled.shapes import load_for

    engine = "reference" if compiled.supports(scenario) else "compiled"
    if engine == "compiled":
        load_for(scenario)
    simulate = {"compiled": compiled.simulate, "reference": reference.simulate}[engine]
    seconds, schedule = repeated(lambda: simulate(scenario))
    found = {"engine": engine, "jobs": len(scenario.instance), "seconds": seconds}
    return {**found, "counts": dict(schedule.counts), "peak_mb": peak_megabytes()}


def _microseconds(workload: Workload, hardware: Hardware) -> float:
    found = _measured(_scenario(workload, hardware, execution="fixed"))
    return 1e6 * median(found["seconds"]) / found["counts"]["events"]


def main() -> None:
    """Measure one cell."""
    kind, setting = sys.argv[1:]
    if kind == "contention":
        found = _measured(_scenario(*contended(), execution="memory-v1", network=setting))
    elif kind == "large":
        found = _measured(_scenario(*on_large(100_000, LARGE_JOBS, 8192), execution="fixed", place=setting))
    else:
        cores = int(setting)
        same, larger = on_large(cores, GROW_JOBS, 64), on_large(cores, GROW_JOBS, cores * 8 // 100)
        found = {
            "same": _microseconds(*same),
            "larger": _microseconds(*larger),
            "mean_size": float(larger[0].processors.mean()),
        }
    print(json.dumps(found))


if __name__ == "__main__":
    main()
