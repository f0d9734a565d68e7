"""Small trees of sites, runs on them, and an observer that writes down what it hears."""

from __future__ import annotations

from echelon.engine.contract import Scenario
from echelon.engine.controllers import Controller, QueueRules
from echelon.engine.immediate.rules import ImmediateRules
from echelon.engine.nodes.rules import NodeRules
from echelon.engine.reference import simulate
from echelon.engine.system_model import BrokeredGrid, LeafRules, TreeOfSites
from echelon.execution import Execution
from echelon.model import (
    Cluster,
    Core,
    Hardware,
    Instance,
    Monitoring,
    Node,
    Platform,
    Processor,
    Site,
    TimeSharedMachine,
    Workload,
)
from echelon.policies import Admissible, broker_named, placement_named, policy
from echelon.policies.global_queue.registry import global_queue, queue_limit

RULES = LeafRules(
    nodes=NodeRules(placement_named("first-fit"), Execution(fixed=True)),
    time_shared=ImmediateRules(Monitoring(phase="zero")),
)
"""Run times are given, and machines publish their loads at 0, 15, 30 s and so on."""


def nodes(*cores):
    """Return nodes of so many cores each."""
    return Hardware((Cluster(tuple(Node((Processor((Core(1e9),) * count),)) for count in cores)),))


def time_shared(cores, speed=1.0):
    """Return a time-shared machine."""
    return TimeSharedMachine(cores, speed)


def platform(**sites):
    """Return sites by name, ``__`` for ``/``: a number of processors, nodes, or a time-shared machine."""
    return Platform(tuple(Site(name.replace("__", "/"), kind) for name, kind in sites.items()))


def instance(on, *jobs, **columns):
    """Return jobs (submit, run, processors), perhaps with a request, on a platform or a machine."""
    rows = [job if len(job) == 4 else (*job, job[1]) for job in jobs]
    submit, run, size, request = zip(*rows, strict=True)
    workload = Workload.from_columns(
        submit_time=submit, run_time=run, processors=size, requested_time=request, **columns
    )
    return Instance.of(workload, on)


def of(spec="ml", *, queue=None, limit="unlimited", time=None, refresh=0.0, admissible=1.0):
    """Return a controller: a broker, perhaps with a global queue."""
    chosen = broker_named(spec) if isinstance(spec, str) else spec
    rule = global_queue(queue) if isinstance(queue, str) else queue
    rules = None if rule is None else QueueRules(rule, queue_limit(limit))
    return Controller(chosen, Admissible(admissible), time, rules, refresh)


def scenario(given, controllers, local="easy", **more):
    """Return a run of a tree; one controller alone is the root's."""
    named = controllers if isinstance(controllers, dict) else {"": controllers}
    return Scenario(given, policy(local), system_model=TreeOfSites(named, RULES), **more)


def run(given, controllers, local="easy", **more):
    """Return the schedule of a tree."""
    return simulate(scenario(given, controllers, local, **more))


def run_grid(given, spec, local="easy", admissible=1.0, **more):
    """Return the schedule of a grid under a broker alone."""
    model = BrokeredGrid(broker_named(spec), Admissible(admissible))
    return simulate(Scenario(given, policy(local), system_model=model, **more))


class Hearer:
    """Write down all events: time, what, the job or the jobs that still wait, and the site."""

    def __init__(self):
        self.events = []

    def submitted(self, time, job, place):
        self.events.append((time, "join", job.position, place.site))

    def started(self, time, job, place):
        self.events.append((time, "start", job.position, place.site))

    def ended(self, time, job, place):
        self.events.append((time, "end", job.position, place.site))

    def decided(self, time, waiting, free, place):
        self.events.append((time, "decide", waiting, place.site))

    def at(self, time):
        """Return what happened at an instant, without the time."""
        return [event[1:] for event in self.events if event[0] == time]
