"""The examples that come with IRMASim's public code: machines, jobs, managers, and its figures beside ours.

Source: the public repository irmasim/IRMaSim, MIT license, folder ``examples``. Facts of its files are
restated here; of two examples an input was derived from printed figures, see `WORKED_BACK`. Bandwidths of its
contention curves are in MB/s, clocks in GHz.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from echelon.experiments import simulate
from echelon.model import Cluster, Core, Demand, Hardware, MemoryCurveV1, Node, Processor, TaskGroup
from echelon.reproduce.irmasim.observed_run import ObservedRun
from echelon.reproduce.irmasim.setups import StudyJob, platform_of, workload_of
from echelon.reproduce.machinery.figure import Apart, Measure, Quantity, measure_figures
from echelon.reproduce.machinery.printed_table import printed_figures

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from echelon.model import Workload
    from echelon.reproduce.irmasim.experiments import Experiments
    from echelon.reproduce.machinery.figure import Figure


IDLE_SHARE = 0.05

CURVE = MemoryCurveV1(b=-1.85e-05, c=32_000, da=1.75, db=2_000, dc=50_000, dd=6_000)
"""Of the example processors but that of ``dual_core``."""

DUAL_CORE_CURVE = MemoryCurveV1(b=-1.85e-05, c=32_000, da=1.75, db=3_500, dc=45_000, dd=3_000)


def fast_node(cores: int, clock: float, operations_per_cycle: float = 1.0) -> Node:
    """Return a node of one processor with the power of the examples' fast type; the clock in GHz."""
    core = Core(clock * GIGA, operations_per_cycle, dynamic_power=5.59316)
    return _node((core,) * cores, static_power=6.14211)


def slow_node(cores: int, clock: float) -> Node:
    """Return a node of one processor with the power of the examples' slow type; the clock in GHz."""
    return _node((Core(clock * GIGA, dynamic_power=1.59482),) * cores, static_power=2.31082)


def _node(cores: tuple[Core, ...], *, static_power: float) -> Node:
    processor = Processor(cores, static_power=static_power, idle_share=IDLE_SHARE, memory_curve=CURVE)
    return Node((processor,))


def dual_core() -> Hardware:
    """Return two cores of 1 MHz."""
    core = Core(0.001 * GIGA, dynamic_power=100.0)
    processor = Processor(
        (core, core), static_power=50.0, idle_share=0.005, memory_curve=DUAL_CORE_CURVE, name="proc_n1134"
    )
    return machine([Node((processor,))])


def machine(nodes: Iterable[Node]) -> Hardware:
    """Return these nodes as one cluster."""
    return Hardware((Cluster(tuple(nodes)),), name="the_platform", source="irmasim/IRMaSim, examples")


MEGA = 1e6
GIGA = 1e9

WORKED_BACK = {
    "policy/save": (
        "its jobs are not available, and its platform file has a slow node of 1.7 GHz; four jobs of "
        "policy/spread and, 18.04 s later, four more with a slow node of 1.5 GHz were found from its figures"
    ),
    "energy": (
        "its platform is not available; the slow node of 1.5 GHz that the figures of policy/save imply is "
        "used"
    ),
}
"""Examples of which an input was derived from printed figures, and how: their figures test nothing."""

SAVE_NOTE = (
    "Public examples: eight of the printed values are not counted, since their input was derived from such "
    "values. " + " ".join(f"Of {name} {why}." for name, why in WORKED_BACK.items())
)


class PublicExample(NamedTuple):
    """One example by its folder, and the rules of its manager as our specs.

    `sequential` is where it lets the tasks of a job be.
    """

    name: str
    manager: str
    hardware: Hardware
    workload: Workload
    policy: str = "fcfs"
    place: str = "first-fit"
    sequential: str = "one-node"

    @property
    def rules(self) -> dict[str, Any]:
        """How the public program runs it, as options: the rules of its manager, and those of all managers."""
        return {"policy": self.policy, "place": self.place, "sequential": self.sequential, **PUBLIC_RULES}


PUBLIC_RULES = {"execution": "memory-v1:refresh=release", "release": "gang", "estimates": "request"}
"""Of every manager: all cores of a job come back together, speeds change when tasks start or cores come back,
and what a manager plans with is the requested time."""


class _Job(NamedTuple):
    """A job as the public files write it: gigaoperations of each task, volume in the curve's MB."""

    tasks: int
    operations: float
    requested_time: float
    memory: float = 0.0
    volume: float = 0.0
    submit_time: float = 0.0

    def to_study_job(self) -> StudyJob:
        group = TaskGroup(self.tasks, self.operations * GIGA, self.memory * MEGA, self.volume * MEGA)
        return StudyJob(Demand((group,), sequential=True), self.submit_time, self.requested_time)


_DUAL_CORE = [_Job(1, 0.001, 10, volume=1e6), _Job(1, 0.001, 10, volume=1e6, submit_time=0.5)]

_BACKFILL = [
    _Job(tasks, operations, time, 1_900, 11)
    for tasks, operations, time in (
        (2, 507.5, 145), (10, 52.5, 15), (2, 437.5, 125), (8, 52.5, 15), (2, 367.5, 105), (6, 52.5, 15),
        (2, 297.5, 85), (4, 52.5, 15), (2, 227.5, 65), (2, 227.5, 65), (12, 52.5, 15),
    )
]  # fmt: skip

_TEN = [
    _Job(10, 105, 30, 1_100, 19), _Job(9, 210, 60, 2_200, 28), _Job(8, 21, 6, 1_300, 17),
    _Job(7, 168, 48, 2_400, 26), _Job(6, 84, 24, 1_500, 15), _Job(5, 189, 54, 2_600, 24),
    _Job(4, 42, 12, 1_700, 13), _Job(3, 147, 42, 2_800, 22), _Job(2, 126, 36, 1_900, 11),
    _Job(1, 63, 18, 3_000, 20),
]  # fmt: skip

_NINE = [
    _Job(tasks, operations, operations, 1_100, 19, submit_time)
    for submit_time, tasks in ((0, 3), (1, 2), (2, 1))
    for operations in (10, 5, 1)
]
"""High, medium and low intensity; the energy each asks for is 100 J a second of its requested time."""

_EIGHT = [_Job(1, 21, 5, 1_000, 1e6, k / 100) for k in range(8)]
_TWICE_FOUR = [_Job(1, 21, 5, 1_000, 1e6, k / 100 + (18 if k > 3 else 0)) for k in range(8)]


def public_examples() -> list[PublicExample]:
    """Return all of them, in the order of the printed figures."""
    return [
        PublicExample(
            "dual_core", "Minimal", dual_core(), _workload("dual_core", _DUAL_CORE), sequential="straddle"
        ),
        PublicExample(
            "metrics/util", "Minimal", machine([slow_node(1, 1.0), slow_node(1, 2.0)]),
            _workload("metrics/util", [_Job(1, 10, 30, 1, 1)]), sequential="straddle",
        ),
        PublicExample(
            "backfill", "Backfill", machine([fast_node(12, 1.0, 4)]), _workload("backfill", _BACKFILL),
            "node-backfill", "node-order"
        ),
        *_heuristic(),
        *_energy(),
        *_policy(),
    ]  # fmt: skip


def _heuristic() -> list[PublicExample]:
    node, jobs = machine([fast_node(12, 1.0, 4)]), _workload("heuristic/job", _TEN)
    policies = {
        "first": "fcfs",
        "shortest": "shortest-first",
        "smallest": "smallest-first",
        "low_mem": "low-memory",
        "low_mem_ops": "low-memory-volume",
    }
    return [
        PublicExample(f"heuristic/job, {name}", "Heuristic", node, jobs, policy, "node-order")
        for name, policy in policies.items()
    ]


def _energy() -> list[PublicExample]:
    nodes, jobs = machine([fast_node(4, 3.4), slow_node(4, 1.5)]), _workload("energy", _NINE)
    return [
        PublicExample("energy, Heuristic", "Heuristic", nodes, jobs, place="node-order"),
        # Asked energy is proportional to requested time, so times tasks it is the order by area.
        PublicExample(
            "energy, EnergyHeuristic",
            "EnergyHeuristic",
            nodes,
            jobs,
            "first-fit:smallest-area-first",
            "energy",
        ),
    ]


def _policy() -> list[PublicExample]:
    two, eight = machine([fast_node(4, 3.4), slow_node(4, 1.5)]), machine([fast_node(4, 1.0, 4)] * 8)
    save, spread = _workload("policy/save", _TWICE_FOUR), _workload("policy/spread", _EIGHT)
    return [
        PublicExample(f"{name}, {variant}", "Policy", hardware, jobs, place=place, sequential="straddle")
        for name, hardware, jobs, variant, place in (
            ("policy/save", two, save, "high_gflops", "high-gigaflops"),
            ("policy/save", two, save, "low_power", "low-power"),
            ("policy/spread", eight, spread, "high_gflops", "high-gigaflops"),
            ("policy/spread", eight, spread, "high_cores", "high-cores"),
        )
    ]


def _workload(name: str, jobs: Sequence[_Job]) -> Workload:
    return workload_of(name, [job.to_study_job() for job in jobs])


_THESIS_TRACES = {"trace E2a, without contention": "E2a alone", "trace E2b": "E2b"}
"""Runs of the public code on jobs and platform of the thesis, which it cannot let communicate."""


def public_runs(experiments: Experiments) -> dict[str, ObservedRun]:
    """Return the runs by the names of the printed figures: the examples, and two of the thesis' traces."""
    runs = {
        one.name: ObservedRun(simulate(one.workload, platform=platform_of(one.hardware), **one.rules))
        for one in public_examples()
    }
    return {**runs, **{name: experiments.runs[run] for name, run in _THESIS_TRACES.items()}}


def public_figures(runs: Mapping[str, ObservedRun]) -> list[Figure]:
    """Return every figure that the public code printed; its energies leave out what never ran.

    Those of examples whose input was not to be had are apart: they are shown, but not counted.
    """
    return measure_figures(
        printed_figures("irmasim", "public"),
        MEASURES,
        lambda line: runs[line.subject],
        apart=lambda line: _apart(line.subject),
    )


def _apart(subject: str) -> Apart | None:
    """Return why a figure of an example says nothing of us: what it needs was derived from it."""
    why = WORKED_BACK.get(subject.partition(",")[0])
    return None if why is None else Apart("worked back", why)


def exploitation(run: ObservedRun) -> float:
    """Return the operations done, as a share of what all cores could have done in the makespan."""
    demands = run.result.instance.node_level.demands
    done = float((demands.tasks * demands.operations).sum())
    return done / (float(run.hardware.core_speed.sum()) * run.makespan)


def _metric(name: str) -> Callable[[ObservedRun], float]:
    return lambda run: float(run.result.metrics[name])


def _longest(run: ObservedRun) -> float:
    return float((run.result.schedule.end_time - run.result.schedule.start_time).max())


MEASURES = (
    Measure(Quantity("c_max", "last end", "s", "max(end)"), _metric("c_max")),
    Measure(Quantity("longest_run", "longest run", "s", "max(end - start)"), _longest),
    Measure(
        Quantity("energy", "energy", "J", "without processors that never ran a task"),
        lambda run: run.energy_of_used,
    ),
    Measure(
        Quantity("utilization", "utilization", "1", "sum(run x size) / (cores x makespan)"),
        _metric("utilization"),
    ),
    Measure(
        Quantity("exploitation", "exploitation", "1", "operations / (peak speed x makespan)"), exploitation
    ),
    Measure(
        Quantity("mean_slowdown", "mean slowdown", "1", "mean((end - submit) / run)"),
        _metric("mean_slowdown"),
    ),
    Measure(Quantity("mean_wait", "mean wait", "s", "mean(start - submit)"), _metric("mean_wait")),
    Measure(
        Quantity("total_wait", "total wait", "s", "sum(start - submit)"),
        lambda run: float(run.result.schedule.wait_time.sum()),
    ),
)
