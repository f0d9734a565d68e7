"""Random calendars of the sites of a run, and what must hold of every leaf at every instant of it."""

from __future__ import annotations

import math
from functools import reduce
from operator import or_

import numpy as np

from echelon.availability import Changes, CheckpointRule, Requeueing
from echelon.availability.machine_nodes import MachineNodes
from echelon.engine.clock import simulation
from echelon.engine.immediate.site import TimeSharedSite
from echelon.engine.machine import Machine
from echelon.engine.nodes.numbered_processors import NumberedProcessors
from echelon.engine.reference import system_of
from echelon.errors import InputError
from echelon.model import EndReason, JobStatus, OutageKind, Outages, Reservation, TimeSharedMachine

LATEST = 60
"""Seconds in which things begin: about as long as most of these runs."""

MOST = 3000
"""Instants of a run, beyond which it does not come to an end."""

NAMES = ("alpha", "beta")


def calendar_of(rng, scenario, *, fails=True, closes=True):
    """Return random outages of any kind, and reservations where there are queues, of a run's sites."""
    machine = scenario.instance.sites
    counts = MachineNodes.of(machine).counts
    rows, reservations = [], []
    kinds = [OutageKind.FAIL] * 3 * fails + [OutageKind.DRAIN, OutageKind.MAINTENANCE] * closes
    for _ in range(rng.randint(1, 8)):
        site, nodes = _some_nodes(rng, counts)
        start, end = _span(rng)
        kind = rng.choice(kinds)
        # What is closed for good would let jobs wait for ever, which is another story.
        end = end if kind == OutageKind.FAIL or end < math.inf else start + 9
        known = -math.inf if kind == OutageKind.FAIL else _known(rng, start)
        rows.append((start, end, nodes, kind, known, site))
    for _ in range(rng.randint(0, 3) if closes else 0):
        site, nodes = _some_nodes(rng, counts)
        if not isinstance(machine.sites[site].resource, TimeSharedMachine):
            start = rng.randint(0, LATEST)
            reservations.append(
                Reservation(
                    rng.choice(NAMES), start, start + rng.randint(1, 30), nodes, site,
                    users=rng.choice([(), ("1",), ("2",)]), flex=rng.random() < 0.3,
                    overrun=rng.random() < 0.4, ignore_jobs=rng.random() < 0.3, announced=_known(rng, start),
                )
            )  # fmt: skip
    return Changes(
        Outages.of(rows),
        tuple(reservations),
        Requeueing(
            rng.choice(["requeue", "requeue", "kill"]), rng.choice(["keep", "back"]),
            rng.choice([0, 0, 7]), rng.choice([None, None, 1]),
        ),
        rng.choice(["unknown", "known", 5.0]),
        rng.choice(["kill", "wait"]),
        rng.choice([None, None, CheckpointRule(4.0, 1.0, 2.0)]),
    )  # fmt: skip


def _some_nodes(rng, counts):
    site = rng.randrange(len(counts))
    return site, tuple(sorted(rng.sample(range(counts[site]), rng.randint(1, counts[site]))))


def _span(rng):
    start = rng.randint(0, LATEST)
    return start, rng.choice([start + rng.randint(0, 30), start + rng.randint(0, 30), math.inf])


def _known(rng, start):
    return rng.choice([-math.inf, start * rng.random()])


class Watched:
    """A run of a system, each of whose leaves is looked at after every instant.

    Attributes
    ----------
    instants : int
        How often that was.
    schedule : Schedule or None
        None if no job ever started, so that there is nothing to describe.
    """

    def __init__(self, scenario):
        self.instants, self.leaves, self.schedule = 0, [], None
        try:
            self.system = system_of(scenario)
            self._look_at_instants()
            self.schedule = simulation.run(self.system)
        except InputError as error:
            if "no job is left to simulate" not in str(error):
                raise

    def _look_at_instants(self):
        one = self.system
        self.leaves = [one] if isinstance(one, Machine) else one._actual.leaves
        self._next_event, one.next_event = one.next_event, self._look

    def _look(self, release):
        self.instants += 1
        assert self.instants < MOST, "the run has more instants than so few jobs can need"
        for leaf in self.leaves:
            if isinstance(leaf, TimeSharedSite):
                check_cores(leaf)
            else:
                check_resource(leaf)
        return self._next_event(release)


def check_cores(leaf):
    """Hold the cores of a time-shared machine against its size; without one in service nothing runs."""
    machine = leaf.machine
    down = {node for outage in machine.down for node in outage.nodes}
    assert machine.cores + len(down) == machine.processors
    assert not (leaf.running and not machine.cores)
    assert set(leaf.running) == set(machine._kind_of)
    assert machine.processes == sum(copy.job.processors for copy in leaf.running.values())


def check_resource(leaf):
    """Hold what jobs hold, what is free and what is down of a leaf with a queue against its size, by node."""
    cluster, resource = leaf.cluster, leaf.cluster.resource
    if isinstance(resource, NumberedProcessors):
        sets = [*(resource.held[one.position].bits for one in cluster.running), resource.idle, resource._gone]
        assert sum(one.bit_count() for one in sets) == resource.processors
        assert reduce(or_, sets) == (1 << resource.processors) - 1
        assert resource.free == resource.idle.bit_count()
        return
    busy = np.zeros(len(resource.cores), dtype=np.int64)
    for running in cluster.running:
        for node, (cores, _) in resource.held[running.position].items():
            busy[node] += cores
    size = resource.hardware.node_cores
    down = np.zeros(len(size), dtype=np.int64)
    down[list(resource.down)] = size[list(resource.down)]
    assert not (busy * down).any(), "a job holds a node that is down"
    assert (busy + resource.cores + down == size).all()
    assert busy.sum() + resource.free + down.sum() == resource.processors
    assert set(resource.assignments) == {one.position for one in cluster.running}


def check_nothing_lost(run, jobs):
    """Every job has a status, and one attempt at most after which it is done, or is counted with a reason."""
    schedule = run.schedule
    instance, dropped = schedule.instance, sum(one.count for one in schedule.instance.dropped)
    assert len(instance) + dropped == jobs
    assert set(schedule.status.tolist()) <= {status.value for status in JobStatus}
    attempts = schedule.attempts
    done = np.bincount(attempts.job[attempts.finished], minlength=len(instance))
    undone = (JobStatus.UNFINISHED, JobStatus.CANCELED_WAITING, JobStatus.DEADLINE, JobStatus.HELD)
    over = np.isin(schedule.status, undone)
    assert (done[~over] == 1).all()
    assert (done[over] == 0).all()
    if not isinstance(run.system, Machine) and run.system.ledger.course.all_ended:
        for leaf in run.leaves:
            assert [sums.sites[place].jobs for sums, place in leaf.above] == [0] * len(leaf.above)


def check_losses(schedule, changes):
    """Check that attempts and copies are lost only where and when something begins or ends."""
    table, attempts = changes.outages, schedule.attempts
    when = set(zip(table.site.tolist(), table.start.tolist(), strict=True))
    when |= {(one.site, time) for one in changes.reservations for time in (one.start, one.end)}
    lost = np.isin(attempts.reason, [EndReason.REQUEUED, EndReason.FAILED, EndReason.EVICTED])
    for row in np.flatnonzero(lost):
        assert (int(attempts.site[row]), float(attempts.end[row])) in when
