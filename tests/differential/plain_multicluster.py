"""A second simulator of one multicluster case, written from the specification alone.

It shares no line with the package: it reads a case as JSON (``e2_export.py`` says what is in it) and works
out again when every job is delivered, where it runs, when it starts and ends, and what the broker forecast.
It is slow and plain on purpose: whoever doubts a figure of the multicluster study can check the rules here.

``python tests/differential/plain_multicluster.py CASE.json...`` compares the results held in the cases.
"""

from __future__ import annotations

import json
import math
import sys
from copy import deepcopy
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

Mapping = dict[str, Any]
NEVER = math.inf
ONE_INSTANT = 1e-9  # seconds: ends closer than this differ by rounding alone


@dataclass(frozen=True)
class Job:
    """One job as its submitter describes it; ``factor`` is what nobody who forecasts knows."""

    number: int
    submit: float
    tasks: int
    run_time: float
    factor: float
    compute_share: float
    memory: float
    bandwidth: float

    @property
    def computing(self) -> float:
        """Seconds of computing alone, T^p."""
        return self.compute_share * self.run_time

    @property
    def communicating(self) -> float:
        """Seconds of communicating alone, T^c."""
        return (1 - self.compute_share) * self.run_time


@dataclass(frozen=True)
class Rules:
    """How fast jobs run: the rules of the simulated system, or those that a forecast believes."""

    cpu: str
    interference: float
    paging: float
    owners_cost: float
    least_processor: float
    least_link: float
    true_factors: bool = True

    def as_believed(self) -> Rules:
        """Return the same without what no forecaster can know."""
        return replace(self, interference=0.0, paging=0.0, owners_cost=1.0, true_factors=False)


@dataclass(frozen=True)
class Use:
    """What the owner of a node uses: shares of processors and memory, bytes a second of the link."""

    cpu: float = 0.0
    memory: float = 0.0
    network: float = 0.0

    @property
    def at_work(self) -> bool:
        """Whether the owner uses anything at all."""
        return self.cpu > 0 or self.memory > 0 or self.network > 0


@dataclass
class Node:
    """One node, its owner's present use and the tasks in it."""

    power: float
    processors: float
    memory: float
    bandwidth: float
    use: Use = field(default_factory=Use)
    tasks: list[Job] = field(default_factory=list)

    @property
    def seen(self) -> float:
        """Processors that monitors see free, p."""
        return self.processors * (1 - self.use.cpu)

    def given(self, rules: Rules) -> float:
        """Processors that tasks are really given, q."""
        if rules.owners_cost == 1:
            return self.seen
        least = min(self.seen, rules.least_processor * self.processors)
        return max(self.processors * (1 - rules.owners_cost * self.use.cpu), least)

    def carried(self, rules: Rules) -> float:
        """Bytes a second that the link carries for tasks."""
        return max(self.bandwidth - self.use.network, rules.least_link * self.bandwidth)

    @property
    def held(self) -> float:
        """Bytes that the tasks hold."""
        return sum(job.memory for job in self.tasks)

    @property
    def overfull(self) -> float:
        """Share of the node's memory that is asked for and is not there."""
        return max(0.0, self.held / self.memory + self.use.memory - 1)

    def memory_for_one_more(self, share: float) -> float:
        """Bytes a further task finds, if tasks may hold ``share`` of the memory."""
        owner_takes = self.memory * self.use.memory - self.memory * (1 - share)
        return self.memory * share - self.held - max(0.0, owner_takes)


def level_of_processor(wanted: list[float], available: float) -> float:
    """Divide processors max-min fair: the most that any task gets, infinite if all get what they want."""
    left = available
    ascending = sorted(wanted)
    for place, want in enumerate(ascending):
        those_left = len(ascending) - place
        if want * those_left > left:
            return left / those_left
        left -= want
    return math.inf


def wanted_processor(job: Job, power: float) -> float:
    """Return the share of a processor of that power which a task of the job keeps busy."""
    return job.computing / (job.computing + power * job.communicating)


def processing_slowdown(job: Job, node: Node, rules: Rules) -> float:
    """How many times its seconds of computing a task takes in the node; infinite if it stands still."""
    available = node.given(rules)
    if available <= 0:
        return math.inf
    full_speed = 1 / node.power
    if rules.cpu == "count":
        alone = 1 / (node.power * min(1.0, available / len(node.tasks)))
    elif job.computing == 0:
        alone = full_speed
    else:
        level = level_of_processor([wanted_processor(task, node.power) for task in node.tasks], available)
        alone = max(full_speed, 1 / (level * node.power) - job.communicating / job.computing)
    return (1 + rules.paging * node.overfull) * alone


@dataclass
class Running:
    """A running job: the share of its work left at ``since``, and the seconds all of it takes by now."""

    job: Job
    places: list[int]
    start: float
    left: float
    since: float
    whole: float

    @property
    def end(self) -> float:
        """When it ends if nothing changes any more."""
        return math.inf if math.isinf(self.whole) else self.since + self.left * self.whole

    def left_at(self, now: float) -> float:
        """Return the share of its work that is left now."""
        return self.left if math.isinf(self.whole) else self.left - (now - self.since) / self.whole

    def go_on(self, now: float, whole: float) -> None:
        """Go on at another speed."""
        if whole != self.whole:
            self.left, self.since, self.whole = self.left_at(now), now, whole


class Cluster:
    """The nodes of one cluster, its queue and its running jobs."""

    def __init__(self, described: Mapping, rules: Rules) -> None:
        self.nodes = [
            Node(node["power"], node["processors"], node["memory"], node["bandwidth"])
            for node in described["nodes"]
        ]
        self.mpl = described["mpl"]
        self.memory_share = described["memory_share"]
        self.rules = rules
        self.queue: list[Job] = []
        self.running: list[Running] = []

    def could_hold(self, job: Job) -> bool:
        """Whether enough nodes could hold a task of the job if all were empty and unused."""
        large = [node for node in self.nodes if node.memory * self.memory_share >= job.memory]
        return len(large) >= job.tasks

    def places_for(self, job: Job) -> list[int] | None:
        """Return the nodes that the job would get now, best first; None if it does not fit."""
        room = [place for place, node in enumerate(self.nodes) if self.has_room(node, job)]
        return sorted(room, key=self.preference)[: job.tasks] if len(room) >= job.tasks else None

    def has_room(self, node: Node, job: Job) -> bool:
        """Whether the node can take a task of the job now."""
        fits_memory = node.memory_for_one_more(self.memory_share) >= job.memory
        return len(node.tasks) < self.mpl and node.seen > 0 and fits_memory

    def preference(self, place: int) -> tuple[int, float, float, int]:
        """Fewest tasks, most memory, most power, lowest number."""
        node = self.nodes[place]
        power = node.power * min(1.0, node.seen / (len(node.tasks) + 1))
        return len(node.tasks), -node.memory_for_one_more(self.memory_share), -power, place

    def owners_met_by(self, job: Job) -> int:
        """Nodes with an owner at work among those the job would get now, or in the cluster without tasks."""
        places = self.places_for(job)
        if places is None:
            empty = deepcopy(self)
            for node in empty.nodes:
                node.tasks = []
            places = empty.places_for(job)
        if places is None:
            message = f"LT of job {job.number} is not said: it does not fit even without other tasks"
            raise ValueError(message)
        return sum(self.nodes[place].use.at_work for place in places)

    def next_end(self) -> float:
        """When the first running job ends."""
        return min((run.end for run in self.running), default=NEVER)

    def end_jobs(self, now: float) -> list[Running]:
        """Take away the jobs that end now; those whose ends differ by rounding alone end together."""
        ended = [run for run in self.running if run.end <= now + ONE_INSTANT]
        self.running = [run for run in self.running if run.end > now + ONE_INSTANT]
        for run in ended:
            for place in run.places:
                self.nodes[place].tasks.remove(run.job)
        return ended

    def start_jobs(self, now: float) -> None:
        """Start jobs from the head of the queue as long as the head fits."""
        while self.queue and (places := self.places_for(self.queue[0])) is not None:
            job = self.queue.pop(0)
            for place in places:
                self.nodes[place].tasks.append(job)
            self.running.append(Running(job, places, start=now, left=1.0, since=now, whole=math.inf))

    def change_speeds(self, now: float) -> None:
        """Let every running job go on at the speed of the present state."""
        shares = self.shares_of_links()
        for run in self.running:
            run.go_on(now, self.seconds_of_all(run, shares[run.job.number]))

    def seconds_of_all(self, run: Running, share: float) -> float:
        """Seconds that all of a job takes in the present state, T."""
        computing = max(processing_slowdown(run.job, self.nodes[place], self.rules) for place in run.places)
        if math.isinf(computing):
            return math.inf
        crowd = max(len(self.nodes[place].tasks) for place in run.places)
        communicating = (1 + self.rules.interference * (crowd - 1)) / share
        by_profile = run.job.computing * computing + run.job.communicating * communicating
        return by_profile * run.job.factor if self.rules.true_factors else by_profile

    def shares_of_links(self) -> dict[int, float]:
        """Assign each running job a share of its bandwidth (algorithm 3.1)."""
        shares = {run.job.number: 1.0 for run in self.running}
        while True:
            degree, jobs = self.most_saturated_link(shares)
            if degree >= 1 - 1e-12:
                return shares
            for job in jobs:
                shares[job.number] *= degree

    def most_saturated_link(self, shares: dict[int, float]) -> tuple[float, list[Job]]:
        """Find the least degree of saturation of all links, and the jobs on that link."""
        worst: tuple[float, list[Job]] = (math.inf, [])
        for node in self.nodes:
            jobs = [job for job in node.tasks if job.tasks >= 2]
            asked = sum(job.bandwidth * shares[job.number] for job in jobs)
            if asked > 0 and node.carried(self.rules) / asked < worst[0]:
                worst = (node.carried(self.rules) / asked, jobs)
        return worst

    def forecast(self, job: Job, now: float) -> tuple[float, float]:
        """Wait and run time of the job in this cluster if nobody came after it, as far as can be known."""
        believed = deepcopy(self)
        believed.rules = self.rules.as_believed()
        believed.queue.append(job)
        for run in believed.running:
            run.left, run.since, run.whole = run.left_at(now), now, math.inf
        at = now
        while True:
            believed.start_jobs(at)
            believed.change_speeds(at)
            at = believed.next_end()
            if math.isinf(at):
                return math.inf, math.inf
            for ended in believed.end_jobs(at):
                if ended.job.number == job.number:
                    return ended.start - now, ended.end - ended.start


@dataclass
class Broker:
    """Chooses the cluster of each job."""

    kind: str
    weight: float = 1.0
    last: int = -1

    @classmethod
    def named(cls, text: str) -> Broker:
        """Read the name used in the rules of a case, ``ptt:w=0.5`` for instance."""
        kind, _, weight = text.partition(":w=")
        return cls(kind, float(weight or 1.0))

    def choose(self, job: Job, clusters: list[Cluster], now: float) -> tuple[int, tuple[float, float]]:
        """Choose among the clusters that could hold the job; with the forecast for the one chosen."""
        possible = [number for number, cluster in enumerate(clusters) if cluster.could_hold(job)]
        if self.kind == "first-site":
            return possible[0], clusters[possible[0]].forecast(job, now)
        if self.kind == "round-robin":
            self.last = min(possible, key=lambda number: (number - self.last - 1) % len(clusters))
            return self.last, clusters[self.last].forecast(job, now)
        forecasts = {number: clusters[number].forecast(job, now) for number in possible}
        turnarounds = {number: sum(forecasts[number]) for number in possible}
        ranks = turnarounds
        if self.kind == "ptt":
            ranks = self.weighted(turnarounds, {k: clusters[k].owners_met_by(job) for k in possible})
        chosen = min(possible, key=lambda number: (ranks[number], turnarounds[number], number))
        return chosen, forecasts[chosen]

    def weighted(self, turnarounds: dict[int, float], owners: dict[int, int]) -> dict[int, float]:
        """Weigh the turnaround of each cluster (equation 4.1)."""
        longest = max(turnarounds.values())
        most = max(owners.values()) or 1
        return {
            number: turnaround
            * (self.weight * turnaround / longest + (1 - self.weight) * owners[number] / most)
            for number, turnaround in turnarounds.items()
        }


class Multicluster:
    """All clusters, what happens from outside, and the one clock."""

    def __init__(self, case: Mapping) -> None:
        rules = {name: case["rules"][name] for name in Rules.__dataclass_fields__ if name in case["rules"]}
        self.clusters = [Cluster(described, Rules(**rules)) for described in case["platform"]]
        self.broker = Broker.named(case["rules"]["broker"])
        self.owners = sorted(case["owners"], key=lambda change: change["time"])
        self.decisions = self.decisions_of(case)
        self.rows: dict[int, Mapping] = {}

    def decisions_of(self, case: Mapping) -> list[tuple[float, Job]]:
        """When the decision about each job is done, one after another in the order of submission."""
        fields = [name for name in Job.__dataclass_fields__ if name != "number"]
        jobs = [
            Job(number, **{name: described[name] for name in fields})
            for number, described in enumerate(case["jobs"])
        ]
        free, decisions = -math.inf, []
        for job in sorted(jobs, key=lambda job: (job.submit, job.number)):
            if any(cluster.could_hold(job) for cluster in self.clusters):
                free = max(free, job.submit) + case["rules"]["decision_time"]
                decisions.append((free, job))
        return decisions

    def simulate(self) -> list[Mapping]:
        """Run everything to the end; the rows of all jobs in the order of their numbers."""
        while (now := self.next_instant()) < NEVER:
            for number, cluster in enumerate(self.clusters):
                for run in cluster.end_jobs(now):
                    self.rows[run.job.number] |= self.row_of(run, number)
            self.change_owners(now)
            self.deliver(now)
            for cluster in self.clusters:
                cluster.start_jobs(now)
                cluster.change_speeds(now)
        return [self.rows[number] for number in sorted(self.rows)]

    def next_instant(self) -> float:
        """When something happens next; nothing does once every job has ended."""
        if not self.decisions and not any(cluster.queue or cluster.running for cluster in self.clusters):
            return NEVER
        decided = self.decisions[0][0] if self.decisions else NEVER
        changed = self.owners[0]["time"] if self.owners else NEVER
        first = min(decided, changed, *(cluster.next_end() for cluster in self.clusters))
        if math.isinf(first):
            message = "jobs stand still or wait forever: no end, owner's change or decision is to come"
            raise ValueError(message)
        return first

    def change_owners(self, now: float) -> None:
        """Carry out what the owners do now."""
        while self.owners and self.owners[0]["time"] <= now:
            change = self.owners.pop(0)
            node = self.clusters[change["cluster"]].nodes[change["node"]]
            node.use = Use(change["cpu"], change["memory"], change["network"])

    def deliver(self, now: float) -> None:
        """Carry out the decisions that are done, each knowing those before it."""
        while self.decisions and self.decisions[0][0] <= now:
            _, job = self.decisions.pop(0)
            number, forecast = self.broker.choose(job, self.clusters, now)
            self.clusters[number].queue.append(job)
            self.rows[job.number] = {
                "delivered": now,
                "forecast_wait": forecast[0],
                "forecast_run": forecast[1],
            }

    @staticmethod
    def row_of(run: Running, cluster: int) -> Mapping:
        """Return what the result says of a job that has ended."""
        return {"cluster": cluster, "nodes": sorted(run.places), "start": run.start, "end": run.end}


def simulated(case: Mapping) -> list[Mapping]:
    """Simulate a case again: a row a job, as in its ``result``."""
    return Multicluster(case).simulate()


def same(mine: object, theirs: object, *, tolerance: float = 1e-9) -> bool:
    """Whether two values agree: times within the relative tolerance, all else exactly."""
    if isinstance(mine, float) and isinstance(theirs, int | float):
        return math.isclose(mine, theirs, rel_tol=tolerance, abs_tol=tolerance)
    return mine == theirs


def differences(case: Mapping) -> list[str]:
    """Every value of the case's ``result`` that this program gets otherwise, a sentence each."""
    mine, theirs = simulated(case), case["result"]
    found = [] if len(mine) == len(theirs) else [f"{len(mine)} jobs here, {len(theirs)} in the result"]
    for number, (here, there) in enumerate(zip(mine, theirs, strict=False)):
        there = {**there, "nodes": sorted(there["nodes"])}
        found += [
            f"row {number}, {name}: {here.get(name)} here, {there.get(name)} in the result"
            for name in sorted(here.keys() | there.keys())
            if not same(here.get(name), there.get(name))
        ]
    return found


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        found = differences(json.loads(path.read_text(encoding="utf-8")))
        print(path.name, "agrees" if not found else f"{len(found)} differences", *found[:6], sep="\n  ")  # noqa: T201
