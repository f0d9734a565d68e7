"""Orders of one formula: each with its key, its unit and its source."""

import math

from echelon.model import Job
from echelon.policies.contract import SystemView
from echelon.policies.order.rule import order


@order(
    "fcfs",
    source="Schwiegelshohn and Yahyapour, SODA 1998",
    aliases=("fifo", "fiarr", "first"),
    columnar=True,
)
def fcfs(job: Job, view: SystemView) -> float:
    """First come, first served: every key is equal, so submit time decides."""
    return 0.0


@order(
    "largest-first",
    source="SST scheduler, comparator largefirst; Aida, JSSPP 2000",
    aliases=("largefirst", "ljf-size"),
    columnar=True,
)
def largest_first(job: Job, view: SystemView) -> float:
    """Most processors first: minus the number of processors."""
    return -job.processors


@order(
    "smallest-first",
    source="SST scheduler, comparator smallfirst; Majumdar, Eager and Bunt, SIGMETRICS 1988",
    aliases=("smallfirst", "small", "smallest"),
    columnar=True,
)
def smallest_first(job: Job, view: SystemView) -> float:
    """Fewest processors first: the number of processors."""
    return job.processors


@order(
    "longest-first",
    source="SST scheduler, comparator longfirst",
    aliases=("ljf", "longfirst", "lpt", "longest"),
    columnar=True,
)
def longest_first(job: Job, view: SystemView) -> float:
    """Longest planned time first: minus the planned time, in seconds."""
    return -job.planned_time


@order(
    "shortest-first",
    source="SST scheduler, comparator shortfirst; Tsafrir, Etsion and Feitelson, IEEE TPDS 2007",
    aliases=("sjf", "shortfirst", "spt", "short", "shortest"),
    columnar=True,
)
def shortest_first(job: Job, view: SystemView) -> float:
    """Shortest planned time first: the planned time, in seconds."""
    return job.planned_time


@order("better-fit", source="SST scheduler, comparator betterfit", aliases=("betterfit",), columnar=True)
def better_fit(job: Job, view: SystemView) -> tuple[float, float]:
    """Most processors first, then the longest planned time, in seconds."""
    return -job.processors, -job.planned_time


@order(
    "smallest-area-first",
    source="Carastan-Santos, de Camargo, Trystram and Zrigui, CCGrid 2019",
    aliases=("saf",),
    columnar=True,
)
def smallest_area_first(job: Job, view: SystemView) -> float:
    """Smallest area first: processors times planned time, in processor-seconds."""
    return job.processors * job.planned_time


@order(
    "low-memory",
    source="Cuevas Cuesta, Universidad de Cantabria 2022, 2.2, LRMEM",
    aliases=("lrmem", "low-mem"),
)
def low_memory(job: Job, view: SystemView) -> float:
    """Least requested memory first: the largest memory of a task; an unknown amount counts as 0."""
    return max(job.memory, 0.0) if job.demand is None else job.demand.memory


@order(
    "low-memory-bandwidth",
    source="Cuevas Cuesta, Universidad de Cantabria 2022, 2.2, LRMBW",
    aliases=("lrmbw", "low-mem-bw"),
)
def low_memory_bandwidth(job: Job, view: SystemView) -> float:
    """Least requested memory bandwidth first: a task's memory volume / planned time; unknown counts as 0."""
    return 0.0 if job.demand is None else job.demand.memory_volume / job.planned_time


@order(
    "low-memory-volume",
    source="IRMASim, GitHub 2019, job selection low_mem_ops",
    aliases=("low-mem-ops",),
)
def low_memory_volume(job: Job, view: SystemView) -> float:
    """Least memory volume first: the most that a task moves to and from memory; unknown counts as 0."""
    return 0.0 if job.demand is None else job.demand.memory_volume


@order("f1", source="Carastan-Santos and de Camargo, SC 2017 (F1)")
def f1(job: Job, view: SystemView) -> float:
    """F1: the smallest log10(e) n + 870 log10(s) first.

    The logarithm of the planned time times the processors, weighed against age: learned by nonlinear
    regression from simulated schedules, to lower the mean bounded slowdown. n is the processors, e the
    planned time and s the submit time, in seconds as in the log: shifting a log in time changes the order. A
    submit time below 1 s counts as 1 s.
    """
    return math.log10(job.planned_time) * job.processors + 870 * math.log10(max(job.submit_time, 1.0))


@order("f2", source="Carastan-Santos and de Camargo, SC 2017 (F2)")
def f2(job: Job, view: SystemView) -> float:
    """F2: the smallest sqrt(e) n + 25,600 log10(s) first.

    The square root of the planned time times the processors, weighed against age: learned by nonlinear
    regression from simulated schedules, to lower the mean bounded slowdown. n is the processors, e the
    planned time and s the submit time, in seconds as in the log: shifting a log in time changes the order. A
    submit time below 1 s counts as 1 s.
    """
    return math.sqrt(job.planned_time) * job.processors + 25_600 * math.log10(max(job.submit_time, 1.0))


@order("f3", source="Carastan-Santos and de Camargo, SC 2017 (F3)")
def f3(job: Job, view: SystemView) -> float:
    """F3: the smallest e n + 6,860,000 log10(s) first.

    Planned time times processors, weighed against age: learned by nonlinear regression from simulated
    schedules, to lower the mean bounded slowdown. n is the processors, e the planned time and s the submit
    time, in seconds as in the log: shifting a log in time changes the order. A submit time below 1 s counts
    as 1 s.
    """
    return job.planned_time * job.processors + 6_860_000 * math.log10(max(job.submit_time, 1.0))


@order("f4", source="Carastan-Santos and de Camargo, SC 2017 (F4)")
def f4(job: Job, view: SystemView) -> float:
    """F4: the smallest e sqrt(n) + 530,000 log10(s) first.

    Planned time times the square root of the processors, weighed against age: learned by nonlinear regression
    from simulated schedules, to lower the mean bounded slowdown. n is the processors, e the planned time and
    s the submit time, in seconds as in the log: shifting a log in time changes the order. A submit time below
    1 s counts as 1 s.
    """
    return job.planned_time * math.sqrt(job.processors) + 530_000 * math.log10(max(job.submit_time, 1.0))


@order("wfp3", source="Tang, Lan, Desai and Buettner, CLUSTER 2009")
def wfp3(job: Job, view: SystemView) -> float:
    """WFP3: the largest (w / e)^3 n first, with wait w and planned time e in seconds, and n processors.

    Favors jobs that have waited long for their length, and large ones among them. Changes with time.
    """
    relative_wait = (view.now - job.submit_time) / job.planned_time
    return -(relative_wait * relative_wait * relative_wait) * job.processors


@order("unicef", source="Tang, Lan, Desai and Buettner, CLUSTER 2009", aliases=("unicep",))
def unicef(job: Job, view: SystemView) -> float:
    """UNICEF: the largest w / (e log2 n) first, with wait w and planned time e in seconds, and n processors.

    Favors small jobs that wait: quick turnaround for the many. Changes with time. The paper's logarithm is
    0 for one processor; here a job of one processor counts as one of two.
    """
    return -(view.now - job.submit_time) / unicef_weight(job.processors, job.planned_time)


def unicef_weight(processors: int, planned_time: float) -> float:
    """Return the divisor of a wait: planned time in seconds times log2 of the processors, at least 1."""
    return planned_time * math.log2(max(processors, 2))


@order(
    "random",
    source="baseline, no paper; the draw is by job from the run's seed, stream 'order'",
    aliases=("randm",),
    columnar=True,
)
def random(job: Job, view: SystemView) -> float:
    """Random order: one uniform number in [0, 1) per job, drawn once from the run's seed."""
    return view.draw(job)
