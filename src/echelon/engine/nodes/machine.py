"""NodeMachine: one machine of nodes during a run: its cluster, its scheduler, its tasks."""

from __future__ import annotations

import math
from collections import defaultdict
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any, NoReturn

from echelon.engine.machine import Machine
from echelon.engine.nodes.cluster import NodeCluster
from echelon.engine.nodes.pace import Pace
from echelon.engine.nodes.record import ALONE, Numbers, Record
from echelon.engine.nodes.round_robin_group import RoundRobinGroup
from echelon.engine.nodes.running_group import RunningGroup
from echelon.engine.observer import NO_SITE
from echelon.errors import InputError

if TYPE_CHECKING:
    from echelon.engine.ledger import Ledger
    from echelon.engine.nodes.core_assignment import CoreAssignment
    from echelon.engine.nodes.rules import NodeRules
    from echelon.engine.observer import Place
    from echelon.model import Demand, Hardware, Job, Schedule
    from echelon.policies.contract import Where


_MOST_NAMED = 20


class NodeMachine(Machine):
    """`Machine` with a node-level model, down to the tasks on the cores.

    A job ends when its last task does. A task of a sequential job releases its core when it ends, those of
    an MPI job, and under ``release="gang"`` of every job, all together when the job ends. Under
    ``estimates="kill"`` a job is cut when its planned time is over. Otherwise one that runs on at its planned
    end is from then on planned to end when it will at its present speed, and all reservations are made again.

    Parameters
    ----------
    ledger : Ledger
        The ledger of the run.
    hardware : Hardware
        The nodes.
    rules : NodeRules
        What may run where, and how.
    record : Record, optional
        What happens on the nodes of the run; default: only these.
    numbers : Numbers, default those of one machine
        The numbers of the nodes among those of the run.
    place : Place, default one machine
        The site.
    """

    cluster: NodeCluster

    def __init__(
        self,
        ledger: Ledger,
        hardware: Hardware,
        rules: NodeRules,
        *,
        record: Record | None = None,
        numbers: Numbers = ALONE,
        place: Place = NO_SITE,
    ) -> None:
        instance = ledger.scenario.instance
        cluster = NodeCluster(ledger, hardware, rules)
        super().__init__(ledger, hardware.cores, place.name, cluster=cluster, site=place.site)
        self._numbers = numbers
        self._hardware = self.cluster.hardware
        self._fixed = rules.execution.fixed
        self._sharing = rules.sharing
        self._pace = Pace(self._hardware, rules)
        self.blur = self._pace.blur
        self.cluster.bandwidth_asked = self._pace.bandwidth_asked
        self._record = Record(len(instance)) if record is None else record
        self._overruns = instance.estimates == "request"
        self._kills = instance.estimates == "kill" and not self._exact
        gang = rules.release == "gang"
        self._frees = [not gang and each for each in instance.frees_each_task]
        self._cuts: list[tuple[float, int]] = []
        self._cut: set[int] = set()
        self._processor_of = self._hardware.processor_of_core.tolist()
        self._node_of = self._hardware.node_of_core.tolist()
        self._speed_of = self._hardware.core_speed.tolist()
        self._refuse_too_hungry()

    @property
    def _exact(self) -> bool:
        """Whether every job runs exactly its run time from its start, and its planned time is not less."""
        return self._fixed and self._sharing is None and not self.cluster.sleep.is_used and not self._overruns

    def next_time(self) -> float | None:
        """Return the time of the next event here, except submissions, in seconds, or None."""
        time = self.next_event(math.inf)
        return time if time < math.inf else None

    def next_event(self, release: float) -> float:
        """See `System.next_event`. What is planned may wait for another event if but rounding parts them."""
        cluster = self.cluster
        at, by = [release], []
        if (reservation := cluster.next_reservation()) is not None:
            at.append(reservation)
        if (cut := self._next_cut()) is not None:
            by.append(cut)
        if cluster.running and not self._exact:
            by.append(cluster.running[0].planned_end)
        if cluster.waiting:
            if (wake := cluster.next_wake()) is not None:
                at.append(wake)
            if (off := self._next_relief()) is not None:
                at.append(off)
        return self._pace.next_time(min(at), by)

    def take_ends(self) -> list[Job]:
        """End the tasks that end now; return the jobs without remaining tasks, in order of dispatch."""
        now = self.cluster.now
        done = self._pace.due(now)
        for group in done:
            self._pace.finish(group, now)
        if done:
            self.cluster.forget()
        touched = {group.position for group in done}
        ending = {
            position
            for position in touched
            if not any(group.is_running for group in self._pace.groups(position))
        }
        while self._cuts and self._cuts[0][0] <= now:
            _, position = heappop(self._cuts)
            if position in self.cluster.assignments and position not in ending:
                self._cut.add(position)
                ending.add(position)
        by_dispatch = self._dispatches.serial.__getitem__
        for position in sorted(touched - ending, key=by_dispatch):
            self._give_back(self.ledger.jobs[position])
        self.has_changed = bool(done or ending) or not self._only_pace(now)
        return [self.ledger.jobs[position] for position in sorted(ending, key=by_dispatch)]

    def _give_back(self, job: Job) -> None:
        """Release the cores of ended tasks of a job that continues, if it releases cores one by one."""
        if not self._frees[job.position]:
            return
        cores: list[int] = []
        for group in self._pace.groups(job.position):
            if not group.is_running and math.isnan(group.released):
                group.released = self.cluster.now
                cores += group.cores
                self._pace.give_back(group)
        self.cluster.give_back(job, cores)

    def end(self, job: Job) -> None:
        """End running `job` now."""
        now = self.cluster.now
        for group in self._pace.groups(job.position):
            if group.is_running:
                self._pace.finish(group, now)
            if math.isnan(group.released):
                group.released = now
                self._pace.give_back(group)
            self._record.keep(group, self._numbers)
        self._pace.leave(job.position)
        start = self.ledger.dispatches.last_start(job)
        self._record.ended(job.position, now, cut=job.position in self._cut)
        self._ended(job, now - start if start is not None else 0.0)

    def correct(self) -> bool:
        """Plan a later end for the jobs that run on at their planned end; return whether there are any."""
        if self._exact:
            return super().correct()
        now, cluster = self.cluster.now, self.cluster
        late = [running.job for running in cluster.running if running.planned_end <= now]
        if late:
            # Their present speed, after all ENDs of this instant.
            self._pace.settle(now)
        for job in late:
            end = self._pace.outlook(job.position)
            cluster.plan_end(job, end if end > now else math.nextafter(now, math.inf))
        return bool(late)

    def decide(self) -> None:
        """See `System.decide`."""
        self.cluster.withdraw_late()
        super().decide()

    def settle(self) -> None:
        """See `System.settle`."""
        self._pace.settle(self.cluster.now)

    def raise_deadlock(self) -> NoReturn:
        """Report that jobs can never start here, and whether the placement is the cause."""
        self.cluster.places.check()
        super().raise_deadlock()

    def schedule(self) -> Schedule:
        """See `System.schedule`."""
        self.note_sleeps(self.cluster.now)
        return self._record.schedule(self.ledger.schedule())

    def note_sleeps(self, end: float) -> None:
        """Note when nodes were off in the run that ends at `end`, in seconds."""
        if self.cluster.sleep.is_used:
            first = self._numbers.node
            self._record.slept((first + node, *off) for node, off in self.cluster.sleep.log(end))

    def _start(self, job: Job, switch: float, where: Where | None) -> None:
        cluster, now = self.cluster, self.cluster.now
        planned_end = cluster.start(job, switch, where)
        assignment = cluster.assignments[job.position]
        begin = cluster.sleep.wake(assignment.where, now)
        assert job.demand is not None
        self._pace.start(job.position, self._groups(job, job.demand, assignment, (now, begin)), job.demand)
        if self._kills:
            heappush(self._cuts, (planned_end, job.position))
        self._pace.join(now)
        self._started(job)

    def _place_of(self, job: Job) -> Place:
        return self._site._replace(nodes=self.cluster.assignments[job.position].where)

    def _groups(
        self, job: Job, demand: Demand, assignment: CoreAssignment, times: tuple[float, float]
    ) -> list[RunningGroup]:
        """Deal the tasks of a job to its cores, in order, and group those that run alike."""
        order = [(g, group) for g, group in enumerate(demand.groups) for _ in range(group.tasks)]
        gathered: dict[tuple[int, int, float], list[int]] = defaultdict(list)
        count: dict[tuple[int, int, float], int] = defaultdict(int)
        cores = len(assignment.cores)
        for index, (g, _) in enumerate(order):
            core = assignment.cores[index % cores]
            key = (self._processor_of[core], g, self._speed_of[core])
            if index < cores:
                gathered[key].append(core)
            count[key] += 1
        run_time = self.ledger.dispatches.run_time[job.position]
        groups: list[RunningGroup] = []
        for key, members in gathered.items():
            processor, g, speed = key
            group, level = demand.groups[g], self._level(processor, assignment.level)
            clock = self._hardware.processors[processor].levels[level].clock
            # With a fixed run time, operations are its seconds.
            operations, rate = (run_time, 1.0) if self._fixed else (group.operations, speed * clock)
            bandwidth = group.memory_volume / (operations / rate)
            common: dict[str, Any] = {
                "tasks": count[key], "operations": operations, "speed": rate, "bandwidth": bandwidth,
                "times": times, "level": level,
            }  # fmt: skip
            part, place = (job.position, g), (processor, self._node_of[members[0]])
            if (turn := self._turn(count[key], len(members))) is None:
                groups.append(RunningGroup(part, place, sorted(members), **common))
            else:
                groups.append(RoundRobinGroup(part, place, sorted(members), quantum=turn, **common))
        return groups

    def _turn(self, tasks: int, cores: int) -> float | None:
        """Return how long a task runs before the next has its turn; None if none waits for one."""
        return None if self._sharing is None or tasks <= cores else self._sharing.turn(tasks, cores)

    def _level(self, processor: int, level: int) -> int:
        return min(level, len(self._hardware.processors[processor].levels) - 1)

    def _refuse_too_hungry(self) -> None:
        """Refuse, before anything happens, jobs that would exceed the power cap even alone."""
        cluster, cap = self.cluster, self.cluster.power.cap
        if not math.isfinite(cap):
            return
        alone = ((job, cluster.places.power_alone(job)) for job in self.ledger.jobs)
        over = [(job, power) for job, power in alone if power > cap]
        if over:
            named = self.cluster.scenario.instance.label
            shown = "; ".join(f"job {named(job.position)} {power:g} W" for job, power in over[:_MOST_NAMED])
            more = f"; and {len(over) - _MOST_NAMED} more" if len(over) > _MOST_NAMED else ""
            jobs = "1 job" if len(over) == 1 else f"{len(over)} jobs"
            raise InputError(
                f"{jobs} would exceed {cap:g} W even alone on the machine with all nodes on: {shown}{more}; "
                "raise the cap, or let a governor run jobs at a lower frequency level",
                field="power cap",
            )

    def _next_cut(self) -> float | None:
        while self._cuts and self._cuts[0][1] not in self.cluster.assignments:
            heappop(self._cuts)
        return self._cuts[0][0] if self._cuts else None

    def _next_relief(self) -> float | None:
        """Return when a node is next switched off, for which a job may wait under a power cap."""
        cluster = self.cluster
        if not math.isfinite(cluster.power.cap) or not cluster.sleep.is_used:
            return None
        off = cluster.sleep.next_off(cluster.now)
        return off if math.isfinite(off) else None

    def _only_pace(self, now: float) -> bool:
        """Return whether only a turn of tasks or a node that becomes ready causes this event."""
        cluster = self.cluster
        due = any(time == now for time in cluster.reservations.values())
        late = bool(cluster.running) and cluster.running[0].planned_end <= now
        woken = bool(cluster.wakes) and cluster.wakes[0] <= now
        return not (due or late or woken or math.isfinite(cluster.power.cap))
