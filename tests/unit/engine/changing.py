"""Runs on machines that change, for tests: one machine, nodes, the leaf of a tree, and one of two sites."""

from __future__ import annotations

import math
from dataclasses import replace

from echelon.availability import Changes
from echelon.engine.clock import simulation
from echelon.engine.contract import Scenario
from echelon.engine.controllers import Controller
from echelon.engine.nodes.rules import NodeRules
from echelon.engine.reference import system_of
from echelon.engine.system_model import LeafRules, NodeLevelMachine, OneMachine, TreeOfSites, tree_of_sites
from echelon.execution import execution_of
from echelon.model import (
    Cluster,
    Core,
    Demand,
    Demands,
    Hardware,
    Instance,
    JobStatus,
    Node,
    OutageKind,
    Outages,
    Platform,
    Processor,
    Site,
    TaskGroup,
    Workload,
)
from echelon.policies import broker_named, placement_of, policy
from echelon.policies.broker.admissible import Admissible

SHAPES = ("counted", "nodes", "speed", "grid", "grid of nodes")
"""Where the jobs run: processors, nodes with fixed run times or with speeds, and leaves of a tree."""

PAIRS = ("pair", "pair of nodes")
"""Two sites right below the root, of which the broker chooses the first wherever a job fits."""


def failures(*rows):
    """Return outages from (start, end, nodes) of the first site."""
    return Outages.of([(start, end, nodes, OutageKind.FAIL, -math.inf, 0) for start, end, nodes in rows])


def workload(jobs, **columns):
    """Return a workload of (submit time, run time, processors[, requested time])."""
    rows = [(*job, job[1]) if len(job) == 3 else job for job in jobs]
    submit, run, size, asked = zip(*rows, strict=True)
    table = Workload.from_columns(
        submit_time=submit, run_time=run, processors=size, requested_time=asked, **columns
    )
    demands = [Demand((TaskGroup(count, float(run)),)) for _, run, count, _ in rows]
    return replace(table, demands=Demands.of(demands))


def machine_of(shape, processors):
    """Return a machine of so many processors, each a node, of one of the `SHAPES` or `PAIRS`; its model."""
    hardware = Hardware((Cluster((Node((Processor((Core(1.0),)),)),) * processors),), name="small")
    execution = execution_of("speed" if shape == "speed" else "fixed")
    rules = NodeRules(placement_of("first-fit"), execution)
    if shape in ("nodes", "speed"):
        return hardware, NodeLevelMachine(rules)
    if shape == "counted":
        return processors, OneMachine()
    what = hardware if shape.endswith("of nodes") else processors
    leaves = LeafRules(nodes=rules)
    if shape in PAIRS:
        model = tree_of_sites(broker_named("first-site"))
        platform = Platform((Site("a", what), Site("b", processors)))
        return platform, TreeOfSites(model.controllers, leaves) if what is hardware else model
    root = Controller(broker_named("round-robin"), Admissible())
    return Platform((Site("grid/a", what),)), TreeOfSites({"": root, "grid": root}, leaves)


def scenario_of(shape, spec, processors, table, changes, *, estimates="raise", **more):
    """Return the scenario of a table of jobs and changes on a `machine_of` some shape, under a policy."""
    machine, model = machine_of(shape, processors)
    instance = Instance.of(table, machine, estimates=estimates)
    return Scenario(instance, policy(spec), system_model=model, changes=changes, **more)


def run(shape, spec, processors, jobs, *outages, estimates="raise", columns=None, **changes):
    """Return the schedule of these jobs with these failures."""
    table = workload(jobs, **(columns or {}))
    changing = Changes(outages=failures(*outages), **changes)
    scenario = scenario_of(shape, spec, processors, table, changing, estimates=estimates)
    return simulation.run(system_of(scenario))


def attempts_of(schedule):
    """Return all attempts by the numbers of their jobs: job, start, end, why it ended."""
    table, instance = schedule.attempts, schedule.instance
    numbers = instance.workload.job_id[instance.kept][table.job]
    columns = (numbers, table.start, table.end)
    return list(zip(*(column.tolist() for column in columns), table.reason_names.tolist(), strict=True))


def statuses(schedule):
    """Return the status of each job that is left, by its number, and the positions left out by reason."""
    instance = schedule.instance
    numbers = instance.workload.job_id[instance.kept].tolist()
    found = {number: JobStatus(status).name for number, status in zip(numbers, schedule.status, strict=True)}
    return found, {one.reason: one.count for one in instance.dropped}
