"""What must hold of every run of the matrix, worked out from its attempts, holdings and events alone."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from echelon.model import Hardware, SharedCluster, TimeSharedMachine
from system.jobs import COMPUTE_SHARE, is_mpi

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import echelon as ec
    from system.jobs import Job

TINY = 1e-9
"""Relative error by rounding where speeds change."""


class Diary:
    """An observer that keeps every event."""

    def __init__(self) -> None:
        self.events: list[tuple[float, str, int, object]] = []
        self.cycles = 0

    def submitted(self, time, job, place):
        self.events.append((time, "submitted", job.job_id - 1, place))

    def started(self, time, job, place):
        self.events.append((time, "started", job.job_id - 1, place))

    def ended(self, time, job, place):
        self.events.append((time, "ended", job.job_id - 1, place))

    def preempted(self, time, job, place):
        self.events.append((time, "preempted", job.job_id - 1, place))

    def decided(self, time, waiting, free, place):
        assert waiting >= 0 and free >= 0  # noqa: PT018
        self.cycles += 1

    def of(self, what: str) -> dict[int, list[tuple[float, object]]]:
        """Return when and where this happened to each job, in the order of time."""
        found = defaultdict(list)
        for time, kind, job, place in self.events:
            if kind == what:
                found[job].append((time, place))
        return found


@dataclass(frozen=True)
class Attempt:
    """One attempt of one job, with the job as it was drawn.

    Parameters
    ----------
    number : int
        Of the job, in the order of the workload.
    job : Job
        The job.
    site : int
        Place of the site, 0 on one machine.
    start, end : float
        In seconds.
    reason : str
        Why it ended.
    """

    number: int
    job: Job
    site: int
    start: float
    end: float
    reason: str


@dataclass(frozen=True)
class Run:
    """A run with its events and the jobs that it was made of.

    Parameters
    ----------
    result : Result
        The run.
    diary : Diary
        Its events.
    jobs : tuple of Job
        All that were submitted, in the order of the workload.
    options : dict
        What was asked for.
    """

    result: ec.experiments.Result
    diary: Diary
    jobs: tuple[Job, ...]
    options: dict

    @property
    def schedule(self):
        """What was decided."""
        return self.result.schedule

    @cached_property
    def kept(self) -> list[int]:
        """Numbers of the jobs that ran, in the order of the workload."""
        return self.schedule.instance.kept.tolist()

    @cached_property
    def attempts(self) -> list[Attempt]:
        """All attempts."""
        told = self.schedule.attempts
        columns = (told.job, told.site, told.start, told.end)
        rows = zip(*(column.tolist() for column in columns), told.reason_names.tolist(), strict=True)
        return [
            Attempt(self.kept[job], self.jobs[self.kept[job]], max(0, site), start, end, reason)
            for job, site, start, end, reason in rows
        ]

    @cached_property
    def resources(self) -> list[object]:
        """What each site runs jobs on."""
        instance = self.schedule.instance
        if instance.platform is not None:
            return [site.resource for site in instance.platform.sites]
        return [instance.processors if instance.hardware is None else instance.hardware]

    @property
    def has_tasks(self) -> bool:
        """Whether it is said what each task demands of its node."""
        return self.schedule.instance.workload.demands is not None

    @cached_property
    def hardware(self) -> Hardware | None:
        """All nodes of all sites, as holdings number them; None if there are none."""
        return self.schedule.instance.hardware

    def at(self, kind: type) -> Iterator[tuple[int, object, list[Attempt]]]:
        """Yield every site whose resource is of a kind, with its attempts."""
        for site, resource in enumerate(self.resources):
            if isinstance(resource, kind):
                yield site, resource, [one for one in self.attempts if one.site == site]

    @cached_property
    def rows(self) -> list[dict]:
        """The holdings, one dictionary a row; none where no site has nodes."""
        held = self.schedule.holdings
        if held is None:
            return []
        names = ("job", "processor", "tasks", "start", "begin", "end", "release", "level")
        columns = zip(*(getattr(held, name).tolist() for name in names), strict=True)
        bounds = held.first_core.tolist()
        return [
            dict(zip(names, row, strict=True))
            | {"job": self.kept[row[0]], "cores": held.cores[bounds[n] : bounds[n + 1]].tolist()}
            for n, row in enumerate(columns)
        ]


def steps(spans: Iterable[tuple[float, float, float]]) -> Iterator[tuple[float, float, float]]:
    """Yield (from, to, amount): what all spans of (start, end, amount) come to, ends before starts."""
    changes = defaultdict(float)
    for start, end, amount in spans:
        changes[start] += amount
        changes[end] -= amount
    level, before = 0.0, None
    for time in sorted(changes):
        if before is not None:
            yield before, time, level
        level, before = level + changes[time], time


def peak(spans: Iterable[tuple[float, float, float]]) -> float:
    """Return the most that all spans come to at once."""
    return max((amount for _, _, amount in steps(spans)), default=0.0)


def every_job_is_accounted_for(run: Run) -> None:
    """Each job ran and was finished once, or is counted as left out, with the reason."""
    left_out = run.schedule.instance.dropped
    assert len(run.kept) + sum(drop.count for drop in left_out) == len(run.jobs)
    assert all(drop.reason for drop in left_out)
    finished = Counter(one.number for one in run.attempts if one.reason in {"completed", "killed"})
    assert finished == dict.fromkeys(run.kept, 1)
    assert all(math.isfinite(one.start) and math.isfinite(one.end) for one in run.attempts)


def released(run: Run) -> dict[int, float]:
    """Return when each job could be known at the earliest: submitted, and those before it have ended."""
    ends = {one.number: one.end for one in run.attempts if one.reason in {"completed", "killed"}}
    return {
        number: max([job.submit, *(ends.get(other, 0.0) + delay for other, delay in job.after)])
        for number, job in enumerate(run.jobs)
    }


def no_job_starts_early(run: Run) -> None:
    """No attempt begins, and no queue hears of a job, before it is submitted and its predecessors end."""
    known = released(run)
    for one in run.attempts:
        assert one.start >= known[one.number]
    for number, told in run.diary.of("submitted").items():
        assert told[0][0] >= known[number]


def no_site_holds_more_than_it_has(run: Run) -> None:
    """At no time do jobs hold more processors, cores, memory or slots than there are."""
    for _, processors, attempts in run.at(int):
        assert peak((one.start, one.end, one.job.size) for one in attempts) <= processors
    for _, desk, attempts in run.at(TimeSharedMachine):
        assert all(one.job.size <= desk.processors for one in attempts)
    nodes_hold_what_they_have(run)
    shared_nodes_hold_what_they_may(run)


def nodes_hold_what_they_have(run: Run) -> None:
    """No core is held twice at once, and the tasks of a node never hold more memory than it has."""
    if run.hardware is None:
        return
    by_core, by_node = defaultdict(list), defaultdict(list)
    node_of = run.hardware.node_of_processor.tolist()
    for row in run.rows:
        memory = run.jobs[row["job"]].memory if run.has_tasks else 0.0
        by_node[node_of[row["processor"]]].append((row["start"], row["release"], memory * len(row["cores"])))
        for core in row["cores"]:
            assert run.hardware.processor_of_core[core] == row["processor"]
            by_core[core].append((row["start"], row["release"], 1))
    assert all(peak(spans) <= 1 for spans in by_core.values())
    for node, spans in by_node.items():
        assert peak(spans) <= run.hardware.node_memory[node] * (1 + TINY)


def shared_nodes_hold_what_they_may(run: Run) -> None:
    """No shared node has more tasks than its contract allows, and a job has one task in each of its nodes."""
    for (site, _), tasks in tasks_by_node(run).items():
        assert peak((start, end, 1) for _, start, end in tasks) <= run.resources[site].contract.mpl
    count = Counter(task for tasks in tasks_by_node(run).values() for task in tasks)
    for one in run.attempts:
        if isinstance(run.resources[one.site], SharedCluster):
            assert count[one.number, one.start, one.end] == one.job.size


def tasks_by_node(run: Run) -> dict[tuple[int, int], list[tuple[int, float, float]]]:
    """Return the job, start and end of each task in each shared node, by site and node; no job has two."""
    places, found = run.schedule.places, defaultdict(list)
    if places is None:
        return found
    times = places.times(run.schedule.start_time, run.schedule.end_time)
    columns = (places.job, places.site, places.node, *times)
    for position, site, node, start, end in zip(*(column.tolist() for column in columns), strict=True):
        task = (run.kept[position], start, end)
        assert task not in found[site, node]
        found[site, node].append(task)
    return found


def events_tell_the_schedule(run: Run) -> None:
    """Assert that time never goes back, and that events alone tell when and where jobs held processors."""
    times = [time for time, *_ in run.diary.events]
    assert times == sorted(times)
    started, ended, told = run.diary.of("started"), run.diary.of("ended"), spans_told(run.diary)
    site_of = {}
    for number in run.kept:
        mine = [one for one in run.attempts if one.number == number]
        (last,) = [one for one in mine if one.reason in {"completed", "killed"}]
        ((end, place),) = ended[number]
        assert (end, place.site or 0) == (last.end, last.site)
        site_of[number] = last.site
        if any(one.reason == "canceled" for one in mine):
            assert started[number][0][0] == min(one.start for one in mine)
        else:
            assert told[number] == [(one.start, one.end, one.site) for one in mine]
    events_name_the_nodes(run, started, site_of)


def spans_told(diary: Diary) -> dict[int, list[tuple[float, float, int]]]:
    """Return when and where each job held processors, as events say: a start taken back at once never was."""
    began: dict[int, tuple[float, int]] = {}
    found = defaultdict(list)
    for time, what, job, place in diary.events:
        if what == "started":
            began[job] = (time, place.site or 0)
        elif what in {"preempted", "ended"} and job in began:
            start, site = began.pop(job)
            if what == "ended" or time > start:
                found[job].append((start, time, site))
    return found


def events_name_the_nodes(run: Run, started: dict, site_of: dict[int, int]) -> None:
    """Assert that the nodes that each start names are those of the holdings, and of the places of tasks."""
    platform = run.schedule.instance.platform
    first = [0] if platform is None else platform.first_node.tolist()
    told: dict[tuple[int, float], Counter] = defaultdict(Counter)
    for row in run.rows:
        node = int(run.hardware.node_of_processor[row["processor"]]) - first[site_of[row["job"]]]
        told[row["job"], row["start"]][node] += len(row["cores"])
    for (job, start), nodes in told.items():
        *_, place = [place for time, place in started[job] if time == start]
        assert dict(place.nodes) == dict(nodes)


ALWAYS: tuple[Callable[[Run], None], ...] = (
    every_job_is_accounted_for,
    no_job_starts_early,
    no_site_holds_more_than_it_has,
    events_tell_the_schedule,
)


def integral(rate: Iterable[tuple[float, float, float]], start: float, end: float) -> float:
    """Return the integral of steps of (from, to, rate) between two times."""
    return math.fsum(max(0.0, min(to, end) - max(since, start)) * value for since, to, value in rate)


def jobs_run_as_long_as_they_must(run: Run, unknown: frozenset[str]) -> None:
    """Each job gets its work done at the speed that its site and those beside it leave, or is cut in time.

    Of sites of the kinds `unknown` it is not worked out how fast their jobs run.
    """
    cut = run.options.get("estimates") == "kill"
    for one in run.attempts:
        held = math.fsum(a.end - a.start for a in run.attempts if a.number == one.number)
        if one.reason == "killed":
            assert cut
            assert held == pytest.approx(one.job.requested, rel=TINY) or held > one.job.requested
    work_is_done(run, {kind for kind, words in KINDS.items() if words in unknown})


KINDS = {Hardware: "nodes", SharedCluster: "shared"}


def work_is_done(run: Run, unknown: set[type]) -> None:
    """Assert that the work that each job got of its sites is its run time; less if it was cut or canceled."""
    done: dict[int, float] = defaultdict(float)
    for site, resource in enumerate(run.resources):
        if type(resource) in unknown:
            continue
        mine = [one for one in run.attempts if one.site == site]
        for one, work in progress(run, resource, mine):
            if one.reason == "canceled":
                assert work <= one.job.run * (1 + TINY)
            else:
                done[one.number] += work
    for one in run.attempts:
        if one.reason == "killed":
            assert done[one.number] <= one.job.run * (1 + TINY)
        elif one.reason == "completed" and type(run.resources[one.site]) not in unknown:
            # Many times; `pytest.approx` takes a third of all that is checked here.
            got, due = done[one.number], one.job.run
            assert math.isclose(got, due, rel_tol=TINY), (one, got, due)


def progress(run: Run, resource: object, mine: list[Attempt]) -> Iterator[tuple[Attempt, float]]:
    """Yield each attempt at a site with the work that its longest task got done, in seconds alone."""
    if isinstance(resource, TimeSharedMachine):
        processes = list(steps((one.start, one.end, one.job.size) for one in mine))
        rate = [
            (since, to, resource.speed * min(1.0, resource.processors / count) if count else 0.0)
            for since, to, count in processes
        ]
        yield from ((one, integral(rate, one.start, one.end)) for one in mine)
    elif isinstance(resource, SharedCluster):
        yield from shared_progress(run, mine)
    elif isinstance(resource, Hardware):
        yield from node_progress(run, mine)
    else:
        yield from ((one, one.end - one.start - switched(run, one)) for one in mine)


def switched(run: Run, one: Attempt) -> float:
    """Return what of an attempt was a context switch, in seconds."""
    return min(one.end - one.start, 1.0) if "switch=1" in run.options.get("policy", "") else 0.0


def shared_progress(run: Run, mine: list[Attempt]) -> Iterator[tuple[Attempt, float]]:
    """Yield the work of attempts on shared nodes without owners: equal shares of each node's processor.

    A job is as slow as in its fullest node, and communicates for its part at full speed.
    """
    nodes, in_node = defaultdict(list), tasks_by_node(run)
    for node, tasks in in_node.items():
        for task in tasks:
            nodes[task].append(node)
    share = COMPUTE_SHARE if run.result.scenario.instance.workload.applications is not None else 1.0
    for one in mine:
        here = nodes[one.number, one.start, one.end]
        beside = {time for node in here for _, *times in in_node[node] for time in times}
        times = sorted({one.start, one.end, *(time for time in beside if one.start < time < one.end)})
        rates = []
        for since, to in pairwise(times):
            fullest = max(sum(start <= since < end for _, start, end in in_node[node]) for node in here)
            rates.append((since, to, 1.0 / (share * fullest + 1.0 - share)))
        yield one, integral(rates, one.start + switched(run, one), one.end)


def node_progress(run: Run, mine: list[Attempt]) -> Iterator[tuple[Attempt, float]]:
    """Yield the work of attempts on nodes: of the task with the least, at its clock, beside its neighbors."""
    factors = (
        memory_factors(run) if run.has_tasks and run.options.get("execution") == "memory-share" else None
    )
    for one in mine:
        rows = [r for r in run.rows if r["job"] == one.number and one.start <= r["start"] < one.end]
        if not rows:  # an attempt without length
            yield one, 0.0
            continue
        works = []
        for row in rows:
            clock = 1.0 if not run.has_tasks else levels(run, row["processor"])[row["level"]].clock
            shared = len(row["cores"]) / row["tasks"]
            spent = row["end"] - row["begin"]
            if factors is not None:
                share = COMPUTE_SHARE if is_mpi(one.job) else 1.0
                slowed = integral(factors[row["processor"]], row["begin"], row["end"])
                spent = share * slowed + (1.0 - share) * spent
            works.append(spent * clock * shared)
        assert max(works) <= one.job.run * (1 + TINY)
        yield one, min(works)


def levels(run: Run, processor: int):
    """Return the frequency levels of a processor."""
    return run.hardware.processors[processor].levels


def memory_factors(run: Run) -> dict[int, list[tuple[float, float, float]]]:
    """Return by processor how fast its tasks are over time if its memory serves each by its demand."""
    asked = defaultdict(list)
    for row in run.rows:
        job = run.jobs[row["job"]]
        demand = job.moved / job.run * levels(run, row["processor"])[row["level"]].clock
        asked[row["processor"]].append((row["begin"], row["end"], demand * len(row["cores"])))
    found = {}
    for processor, spans in asked.items():
        limit = run.hardware.processors[processor].memory_bandwidth
        found[processor] = [
            (since, to, min(1.0, limit / total) if total > 0 else 1.0) for since, to, total in steps(spans)
        ]
    return found
