"""Multiclusters against a program that keeps work and time in fractions, so that no two ends are nearly one.

The program knows nodes, jobs and queues as plain lists, walks from event to event, and works the speed of
every job out again at each, from the printed equations alone; it shares no code with the engines.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import inf

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from budgets import examples
from echelon.engine import reference
from echelon.engine.compiled.multicluster import simulate as compiled
from echelon.errors import InputError
from echelon.execution.time_shared import TimeShared
from echelon.policies.coallocation.contract import Span
from echelon.testing.multiclusters import random_cluster_case

check = examples(60, suppress_health_check=[HealthCheck.too_slow])


class LowestNodes:
    """Nodes of several clusters for a job: those of the lowest numbers."""

    name = "lowest"

    def span(self, problem):
        return Span(tuple(range(problem.tasks)), 0.0, 0.0, proved=False, seconds=0.0)


@dataclass(eq=False)
class Place:
    """One node, who works there and what it holds."""

    site: int
    machine: object
    contract: object
    cpu: float = 0.0
    memory: float = 0.0
    traffic: float = 0.0
    tasks: list = field(default_factory=list)

    def left(self):
        """Return the processors for tasks."""
        all_ = Fraction(self.machine.processors)
        if (self.cpu, self.memory, self.traffic) == (0, 0, 0):
            return all_
        return min(all_ * (1 - Fraction(self.cpu)), all_ * Fraction(self.contract.cpu))

    def given(self, cost):
        """Return the processors that tasks really get if an owner takes `cost` times what he uses."""
        all_, left = Fraction(self.machine.processors), self.left()
        if cost == 1 or (self.cpu, self.memory, self.traffic) == (0, 0, 0):
            return left
        alone = all_ * (1 - Fraction(self.cpu))
        taken = max(all_ * (1 - cost * Fraction(self.cpu)), min(alone, all_ * Fraction(0.05)))
        return min(taken, all_ * Fraction(self.contract.cpu))

    def want(self, task):
        """Return the share of a processor that a task uses here alone."""
        asked = task.compute + Fraction(self.machine.power) * task.talk
        return task.compute / asked if task.compute else Fraction(0)

    def level(self, given):
        """Return the most that any task gets, raised for all alike until all is used; None: enough."""
        wants = [self.want(task) for task in self.tasks]
        if sum(wants) <= given:
            return None
        level = Fraction(0)
        while True:
            open_ = [want - level for want in wants if want > level]
            spent = sum(min(want, level) for want in wants)
            step = min([*open_, (given - spent) / len(open_)])
            level += step
            if sum(min(want, level) for want in wants) == given:
                return level

    def slowdown(self, task, rule, cost):
        """Return SP of a task here, without paging; None if it stands still."""
        given, power = self.given(cost), Fraction(self.machine.power)
        if not given:
            return None
        if rule == "count":
            return 1 / (power * min(Fraction(1), given / len(self.tasks)))
        level = self.level(given)
        if level is None or not task.compute:
            return 1 / power
        # It computes T^p / P on this node, and of its whole time it gets the level, or all that it wants.
        return (
            1 / power
            if self.want(task) <= level
            else (task.compute / power / level - task.talk) / task.compute
        )

    def free(self):
        """Return the memory for further tasks."""
        whole = self.machine.memory
        if whole == inf:
            return inf
        for_tasks = whole * self.contract.memory
        beyond = max(0.0, whole * self.memory - (whole - for_tasks))
        return for_tasks - beyond - sum(task.memory for task in self.tasks)

    def takes(self, task):
        """Return whether one more task may come."""
        asked = sum(other.bandwidth for other in self.tasks if other.size > 1)
        asked += task.bandwidth if task.size > 1 else 0
        return (
            len(self.tasks) < self.contract.mpl
            and self.left() > 0
            and (not task.memory or self.free() >= task.memory)
            and asked <= self.machine.bandwidth * self.contract.bandwidth
        )

    def power(self, tasks):
        """Return the effective power for each of so many tasks."""
        return Fraction(self.machine.power) * min(Fraction(1), self.left() / tasks)

    def pages(self):
        """Return by how much tasks take longer for want of memory."""
        whole = self.machine.memory
        if whole == inf:
            return 1
        held = Fraction(sum(task.memory for task in self.tasks)) / Fraction(whole)
        return 1 + 5 * max(Fraction(0), held + Fraction(self.memory) - 1)


@dataclass(eq=False)
class Task:
    """One job."""

    number: int
    submit: int
    size: int
    compute: Fraction
    talk: Fraction
    memory: float
    bandwidth: float
    able: list
    start: Fraction | None = None
    end: Fraction | None = None
    left: Fraction = Fraction(1)
    whole: Fraction | None = None
    places: list = field(default_factory=list)
    ready: Fraction = Fraction(0)
    """When it begins to work in its places."""
    stays: list = field(default_factory=list)


class Game:
    """All clusters, played from event to event."""

    def __init__(self, case, *, upper, limit, broker, interference, times, cycles="instant"):
        self.each_event = cycles == "event"
        self.clusters = case.platform.clusters
        self.places = [
            Place(site, machine, cluster.contract)
            for site, cluster in enumerate(self.clusters)
            for machine in cluster.nodes
        ]
        self.upper, self.limit, self.broker = upper, limit, broker
        self.interference = Fraction(interference)
        self.cpu, self.cost, self.decision = times["cpu"], Fraction(times["owners"]), times["decision"]
        self.desk, self.done = [], None
        slots = [len(cluster.nodes) * cluster.contract.mpl for cluster in self.clusters]
        by_size = sorted(range(len(slots)), key=slots.__getitem__)
        table = case.workload
        self.tasks = []
        for number, program in enumerate(table.applications):
            run, share = Fraction(table.run_time[number]), Fraction(program.compute_share)
            task = Task(
                number, int(table.submit_time[number]), int(table.processors[number]), run * share,
                run * (1 - share), program.memory, program.bandwidth, [],
            )  # fmt: skip
            counts = [self.could_hold(task, program, site) for site in range(len(self.clusters))]
            # Of clusters that tie the one of fewest slots counts as the lowest, of those the first listed.
            task.able = [site for site in by_size if counts[site] >= task.size]
            if sum(counts) >= task.size:
                task.software = [site for site in range(len(self.clusters)) if self.runs(program, site)]
                self.tasks.append(task)
        self.told = list(case.users.script)
        self.queue, self.below = [], [[] for _ in self.clusters]
        self.running, self.noted, self.last = [], {}, -1
        self.now = Fraction(0)

    def runs(self, program, site):
        return not program.library or program.library in self.clusters[site].software

    def could_hold(self, task, program, site):
        """Return how many nodes of the empty cluster have enough for a task."""
        contract = self.clusters[site].contract
        return self.runs(program, site) and sum(
            machine.memory * contract.memory >= task.memory
            and (task.size == 1 or machine.bandwidth * contract.bandwidth >= task.bandwidth)
            for machine in self.clusters[site].nodes
        )

    def best(self, task, site):
        """Return the nodes the task would get now, or None."""
        here = [place for place in self.places if place.site == site and place.takes(task)]
        here.sort(key=lambda place: (len(place.tasks), -place.free(), -place.power(len(place.tasks) + 1)))
        return here[: task.size] if len(here) >= task.size else None

    def begin(self, task, places):
        task.start, task.places = self.now, sorted(places, key=self.places.index)
        self.running.append(task)
        for place in places:
            place.tasks.append(task)

    def spread(self, task):
        """Start a job of several clusters on the lowest nodes there are."""
        free = [place for place in self.places if place.site in task.software and place.takes(task)]
        if len(free) < task.size:
            return False
        self.queue.remove(task)
        self.begin(task, free[: task.size])
        return True

    def accepts(self, task, site):
        if self.limit is None:
            return True
        waiting = len(self.below[site])
        return waiting < self.limit or (self.limit == 0 and not waiting and self.best(task, site) is not None)

    def there(self, site):
        """Return who waits or runs in a cluster; one of several clusters is in each."""
        return self.below[site] + [
            task for task in self.running if any(place.site == site for place in task.places)
        ]

    def choose(self, task, sites):
        def value(site):
            slots = len(self.clusters[site].nodes) * self.clusters[site].contract.mpl
            load = sum(other.size for other in self.there(site))
            return {
                "first-fit": -1 if load + task.size <= slots else Fraction(load, slots),
                "round-robin": (site - self.last - 1) % len(self.clusters),
                "ml": len(self.there(site)),
            }[self.broker]

        return min(sites, key=value)

    def deliver(self, task, site):
        self.queue.remove(task)
        self.below[site].append(task)
        self.last = site

    def hand_out(self):
        full = set()
        for task in list(self.queue):
            if len(full) == len(self.clusters):
                # Line 1 of algorithm 4.4: while there are clusters that are not full.
                return
            if not task.able:
                if not self.spread(task) and self.upper in ("fcfs", "b"):
                    return
                continue
            if self.upper in ("fcfs", "fpfs"):
                takers = [site for site in task.able if self.accepts(task, site)]
                if takers:
                    self.deliver(task, self.choose(task, takers))
                elif self.upper == "fcfs":
                    return
                continue
            if task not in self.noted:
                open_ = [site for site in task.able if site not in full]
                if not open_:
                    continue
                self.noted[task] = self.choose(task, open_)
            site = self.noted[task]
            if site in full:
                continue
            if self.accepts(task, site):
                self.deliver(task, site)
            elif self.upper == "b":
                return
            else:
                full.add(site)

    def decide(self):
        """Let the upper queue and the clusters act until nothing starts."""
        while self.desk and self.done == self.now:
            self.queue.append(self.desk.pop(0))
            self.done += self.decision
        begun = -1
        while begun != len(self.running):
            begun = len(self.running)
            self.hand_out()
            for site, waiting in enumerate(self.below):
                while waiting and (places := self.best(waiting[0], site)) is not None:
                    self.begin(waiting.pop(0), places)

    def links(self):
        """Return capacity and demands of every link that carries something: algorithm 3.1's input."""
        found = {}
        for number, place in enumerate(self.places):
            whole = place.machine.bandwidth
            left = (
                whole
                if whole == inf
                else max(Fraction(whole) - Fraction(place.traffic), Fraction(whole) / 100)
            )
            asked = {t: Fraction(t.bandwidth) for t in place.tasks if t.size > 1 and t.bandwidth}
            found[number] = (left, asked)
        for site, cluster in enumerate(self.clusters):
            asked = {}
            for task in self.running:
                here = sum(place.site == site for place in task.places)
                if 0 < here < task.size and task.bandwidth:
                    asked[task] = Fraction(here * (task.size - here), task.size - 1) * Fraction(
                        task.bandwidth
                    )
            left = inf if cluster.link == inf else Fraction(cluster.link) - Fraction(cluster.link_traffic)
            found[len(self.places) + site] = (left, asked)
        return {number: link for number, link in found.items() if link[0] != inf and link[1]}

    def shares(self):
        share = dict.fromkeys(self.running, Fraction(1))
        links = self.links()
        while links:
            degree = {
                number: left / sum(need * share[task] for task, need in asked.items())
                for number, (left, asked) in links.items()
            }
            worst = min(degree, key=lambda number: (degree[number], number))
            if degree[worst] >= 1:
                break
            for task in links[worst][1]:
                share[task] *= degree[worst]
        return share

    def pace(self):
        """Give every running job its speed: equations 3.1 to 3.6."""
        share = self.shares()
        for task in self.running:
            slow, fullest = Fraction(1), 1
            task.whole = None
            slowdowns = [place.slowdown(task, self.cpu, self.cost) for place in task.places]
            if None not in slowdowns:
                for place, slowdown in zip(task.places, slowdowns, strict=True):
                    slow = max(slow, place.pages() * slowdown)
                    fullest = max(fullest, len(place.tasks))
                talking = (1 / share[task]) * (1 + self.interference * (fullest - 1))
                task.whole = task.compute * slow + task.talk * talking

    def play(self):
        """Return start, end and nodes of every job that could run, in order."""
        coming = sorted(self.tasks, key=lambda task: task.submit)
        while coming or self.desk or self.queue or self.running or any(self.below):
            times = [
                max(self.now, task.ready) + task.left * task.whole
                for task in self.running
                if task.whole is not None
            ]
            times += [Fraction(coming[0].submit)] if coming else []
            times += [Fraction(self.told[0].time)] if self.told else []
            times += [self.done] if self.desk else []
            self.pass_to(min(times))
            ending = [task for task in self.running if task.left == 0]
            arriving = [task for task in coming if task.submit == self.now]
            coming = coming[len(arriving) :]
            owners = self.told and self.told[0].time <= self.now
            for task in ending:
                self.end(task)
                if self.each_event:
                    self.decide()
            while self.told and self.told[0].time <= self.now:
                _, site, node, use = self.told.pop(0)
                place = [place for place in self.places if place.site == site][node]
                place.cpu, place.memory, place.traffic = use
            if self.each_event and (owners or not (ending or arriving)):
                self.decide()
            for task in arriving:
                self.done = self.done if self.desk else self.now + self.decision
                self.desk.append(task)
                if self.each_event:
                    self.decide()
            if not self.each_event:
                self.decide()
            self.pace()
        return self.tasks

    def pass_to(self, time):
        """Let the running jobs work until `time`."""
        for task in self.running:
            if task.whole is not None:
                task.left -= max(Fraction(0), time - max(self.now, task.ready)) / task.whole
        self.now = time

    def end(self, task):
        task.end = self.now
        self.running.remove(task)
        for place in task.places:
            place.tasks.remove(task)


@pytest.mark.parametrize("cycles", ["instant", "event"])
@pytest.mark.parametrize("upper", ["fcfs", "fpfs", "b", "nb"])
@check
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from([None, 0, 1, 2]),
    st.sampled_from(["first-fit", "round-robin", "ml"]),
    st.sampled_from([0.0, 0.25]),
    st.fixed_dictionaries(
        {"owners": st.sampled_from([0, 4, 16]), "short": st.booleans(), "links": st.booleans()}
    ),
    st.fixed_dictionaries(
        {
            "cpu": st.sampled_from(["count", "use", "use"]),
            "owners": st.sampled_from([1.0, 1.0, 1.5, 2.0]),
            "decision": st.sampled_from([0, 0, 3, 7]),
        }
    ),
)
def test_a_multicluster_is_what_fractions_say(upper, cycles, seed, limit, broker, interference, kinds, times):  # noqa: PLR0917
    """Starts, ends and nodes of every job are those worked out in fractions, under both engines."""
    case = random_cluster_case(seed, jobs=12, larger=True, forever=False, **kinds)
    scenario = case.scenario(
        upper=upper, limit=limit, broker=broker, co_allocation=LowestNodes(),
        execution=TimeShared(interference=interference, cpu=times["cpu"], owners=times["owners"]),
        decision_time=times["decision"],
    )  # fmt: skip
    scenario = replace(scenario, cycles=cycles)
    game = Game(
        case, upper=upper, limit=limit, broker=broker, interference=interference, times=times, cycles=cycles
    )
    if not game.tasks:
        with pytest.raises(InputError, match="no job is left"):
            reference.simulate(scenario)
        return
    expected = game.play()
    for engine in (reference, compiled):
        found = engine.simulate(scenario)
        assert found.instance.kept.tolist() == [task.number for task in expected]
        assert found.start_time.tolist() == pytest.approx([float(t.start) for t in expected], rel=1e-9)
        assert found.end_time.tolist() == pytest.approx([float(t.end) for t in expected], rel=1e-9)
        first = np.concatenate(([0], np.cumsum([len(cluster.nodes) for cluster in game.clusters])))
        assert (first[found.places.site] + found.places.node).tolist() == [
            game.places.index(place) for task in expected for place in task.places
        ]


class Suspending(Game):
    """One cluster, in which those with the least left of their requests run, by their work."""

    def __init__(self, case, *, switch, fill, **others):
        super().__init__(case, upper="fcfs", limit=None, broker="first-fit", **others)
        self.switch, self.fill = Fraction(switch), fill
        self.request = [Fraction(asked) for asked in case.workload.requested_time]

    def left_of(self, task):
        """Return what is left of its request."""
        return self.request[task.number] * task.left

    def decide(self):
        """Let those run that fit beside each other, and suspend the others."""
        self.queue, self.desk = [*self.queue, *self.desk], []
        self.hand_out()
        waiting, running, moving = self.below[0], list(self.running), []
        order = sorted(
            [*waiting, *running], key=lambda t: (self.left_of(t), t in waiting, t.submit, t.number)
        )
        staying = []
        for task in order:
            stay, move = ([*staying, task], moving) if task in running else (staying, [*moving, task])
            if self.have_room(stay, move):
                staying, moving = stay, move
            elif not self.fill:
                break
        for task in running:
            if task not in staying:
                self.suspend(task)
        for task in moving:
            if (places := self.best(task, 0)) is not None:
                waiting.remove(task)
                task.ready = self.now + self.switch
                self.begin(task, places)

    def have_room(self, staying, moving):
        """Return whether these find room one after the other beside those that stay where they are."""
        before = [list(place.tasks) for place in self.places]
        for place in self.places:
            place.tasks = [task for task in place.tasks if task in staying]
        room = True
        for task in moving:
            found = self.best(task, 0)
            room = room and found is not None
            for place in found or ():
                place.tasks.append(task)
        for place, tasks in zip(self.places, before, strict=True):
            place.tasks = tasks
        return room

    def begin(self, task, places):
        """Start or resume a task."""
        super().begin(task, places)
        task.since = self.now

    def suspend(self, task):
        """Let a task wait again."""
        self.end(task)
        self.below[0].append(task)

    def end(self, task):
        """Note where the task was, and from when to when."""
        super().end(task)
        # In floats ends that are so near are at one instant, and what starts between them never does.
        if task.left == 0 or self.now - task.since > Fraction(1, 10**9):
            nodes = [self.places.index(place) for place in task.places]
            task.stays.append((task.number, task.since, self.now, nodes))


@check
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from([0, 0, 1, 2.5]),
    st.booleans(),
    st.sampled_from([0.0, 0.25]),
    st.fixed_dictionaries(
        {"owners": st.sampled_from([0, 4, 16]), "short": st.booleans(), "links": st.booleans()}
    ),
    st.fixed_dictionaries(
        {
            "cpu": st.sampled_from(["count", "use"]),
            "owners": st.sampled_from([1.0, 2.0]),
            "decision": st.just(0),
        }
    ),
)
def test_suspensions_are_what_fractions_say(seed, switch, fill, interference, kinds, times):  # noqa: PLR0917
    """Every attempt of every job under SRTF: when and in which nodes, beside neighbors and owners."""
    case = random_cluster_case(seed, jobs=12, clusters=1, forever=False, **kinds)
    # No two jobs have so nearly as much left that rounding decides which is first.
    uneven = case.workload.requested_time + (np.arange(len(case.workload)) + 1) / 64
    case = replace(case, workload=case.workload.with_columns(requested_time=uneven))
    scenario = case.scenario(
        f"srtf:switch={switch}:fill={'yes' if fill else 'no'}",
        execution=TimeShared(interference=interference, cpu=times["cpu"], owners=times["owners"]),
    )
    game = Suspending(case, switch=switch, fill=fill, interference=interference, times=times)
    if not game.tasks:
        with pytest.raises(InputError, match="no job is left"):
            reference.simulate(scenario)
        return
    expected = [stay for task in game.play() for stay in task.stays]
    found = reference.simulate(scenario)
    attempts, places = found.attempts, found.places
    assert found.instance.kept[attempts.job].tolist() == [number for number, *_ in expected]
    assert attempts.start.tolist() == pytest.approx([float(start) for _, start, _, _ in expected], rel=1e-9)
    assert attempts.end.tolist() == pytest.approx([float(end) for _, _, end, _ in expected], rel=1e-9)
    assert places.node.tolist() == [node for *_, nodes in expected for node in nodes]
