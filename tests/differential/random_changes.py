"""Random small machines that change, and what an engine makes of them in the words of the plain program."""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from echelon.availability.changes import Changes, Requeueing
from echelon.availability.checkpoints.checkpoint_rule import CheckpointRule
from echelon.engine.contract import Scenario
from echelon.engine.nodes.rules import NodeRules
from echelon.engine.system_model import NodeLevelMachine
from echelon.errors import InputError
from echelon.execution import execution_named
from echelon.model import Cluster, Core, Hardware, Instance, JobStatus, Node, Processor, Workload
from echelon.model.machines.outages import OutageKind, Outages
from echelon.model.machines.reservations import Reservation
from echelon.policies import policy
from echelon.policies.placement import placement_named

sys.path.insert(0, str(Path(__file__).parent))
from changing_calendar import FOREVER, Booking, Calendar, Rules, Shut, Task
from changing_machine import Machine

POLICIES = {"none": "none", "first-fit": "first_fit", "easy": "easy", "conservative": "conservative"}
KEYS = {"fcfs": lambda task: 0, "largest-first": lambda task: -task.size}
FEATURES = ("fail", "drain", "maintenance", "booking", "cancel", "deadline")
NEVER_STARTED = {
    "a cancellation before they started": "canceled_waiting",
    "a reservation that ended before they started": "held",
    "a reservation that was too short or too small for them": "held",
    "a deadline that they could no longer meet": "deadline",
    "no processors left to run on": "unfinished",
}
"""What became of jobs that a schedule leaves out, by the reason that it gives."""


@dataclass(frozen=True)
class Case:
    """A machine, its jobs and a policy; jobs are as the log has them."""

    calendar: Calendar
    tasks: tuple[Task, ...]
    backfill: str = "none"
    order: str = "fcfs"
    flat: bool = True


def draw(seed, features=FEATURES, backfills=tuple(POLICIES), *, wild=False):
    """Return a random case; `wild`: failures of one node may overlap."""
    rng = random.Random(seed)
    flat = rng.random() < 0.6
    cores = (1,) * rng.randint(1, 8) if flat else tuple(rng.randint(1, 3) for _ in range(rng.randint(1, 4)))
    scale = rng.choice((1, 1, 5, 10))
    span = rng.randint(5, 40 if scale == 1 else 12) * scale

    def time(most=span):
        return rng.randint(0, most // scale) * scale

    def some_nodes():
        return frozenset(rng.sample(range(len(cores)), rng.randint(1, len(cores))))

    chosen = [one for one in features if rng.random() < 0.6] or [rng.choice(features)]
    shuts = []
    for kind in (one for one in ("fail", "drain", "maintenance") if one in chosen):
        for _ in range(rng.randint(1, 4)):
            start = time()
            length = rng.choice((0, 1, 3, 5)) * scale if kind == "fail" else rng.randint(1, 8) * scale
            announced = -FOREVER if kind == "fail" or rng.random() < 0.6 else rng.randint(0, start)
            shuts.append(Shut(kind, start, start + length, some_nodes(), announced))
    if shuts and rng.random() < 0.05:
        shuts[0] = replace(shuts[0], end=FOREVER)
    if not wild:
        shuts = apart(shuts)
    bookings = draw_bookings(rng, time, some_nodes, scale) if "booking" in chosen else ()
    rules = draw_rules(rng, scale, "fail" in chosen)
    tasks = tuple(
        draw_task(rng, (time(), scale, sum(cores)), bookings, chosen) for _ in range(rng.randint(1, 12))
    )
    tasks = tuple(
        replace(task, number=number)
        for number, task in enumerate(sorted(tasks, key=lambda task: task.submit))
    )
    calendar = Calendar(cores, tuple(sorted(shuts, key=lambda one: one.start)), bookings, rules)
    order = rng.choice(("fcfs", "fcfs", "largest-first"))
    return Case(calendar, tasks, rng.choice(backfills), order, flat)


def apart(shuts):
    """Return outages without failures that meet an earlier one of the same node."""
    kept = []
    for one in sorted(shuts, key=lambda one: one.start):
        meets = any(
            other.kind == one.kind == "fail" and other.nodes & one.nodes and one.start <= other.end
            for other in kept
        )
        if not meets:
            kept.append(one)
    return kept


def draw_bookings(rng, time, some_nodes, scale):
    made = []
    for number in range(rng.randint(1, 3)):
        start = time()
        users = frozenset(rng.sample(("1", "2"), rng.randint(0, 1)))
        made.append(
            Booking(
                f"r{number + 1}",
                start,
                start + rng.randint(1, 10) * scale,
                some_nodes(),
                users,
                frozenset(("1",)) if rng.random() < 0.2 else frozenset(),
                flex=rng.random() < 0.3,
                overrun=rng.random() < 0.3,
                ignore_jobs=rng.random() < 0.3,
                announced=-FOREVER if rng.random() < 0.6 else rng.randint(0, start),
            )
        )
    return tuple(made)


def draw_rules(rng, scale, fails):
    conflict = rng.choice(("kill", "wait"))
    if not fails:
        return Rules(conflict=conflict)
    interval = rng.choice((FOREVER, FOREVER, 2 * scale, 3 * scale))
    return Rules(
        requeue=rng.random() < 0.85,
        order=rng.choice(("keep", "back")),
        delay=rng.choice((0, 0, 1, 4)) * scale,
        most=rng.choice((FOREVER, 0, 1, 2)),
        repair=rng.choice(("unknown", "known", rng.randint(1, 6) * scale)),
        conflict=conflict,
        interval=interval,
        cost=rng.choice((0, 1)) if interval < FOREVER else 0,
        restart=rng.choice((0, 2)) if interval < FOREVER else 0,
        limit_per=rng.choice(("attempt", "attempt", "job")) if interval == FOREVER else "attempt",
    )


def draw_task(rng, sizes, bookings, chosen):
    submit, scale, most = sizes
    run = rng.randint(1, 12) * scale
    limit = max(1, int(run * rng.choice((0.5, 1, 1, 1.5, 3))))
    task = Task(0, submit, run, rng.randint(1, most), limit)
    if rng.random() < 0.5:
        task = replace(task, user=rng.choice(("1", "2", "3")), account=rng.choice(("1", "2")))
    if bookings and rng.random() < 0.4:
        task = replace(task, names=rng.choice(bookings).name)
    if "cancel" in chosen and rng.random() < 0.4:
        task = replace(task, cancel=max(0, submit + rng.randint(-1, 12) * scale))
    if "deadline" in chosen and rng.random() < 0.5:
        deadline = submit + limit + rng.randint(-2, 20) * scale
        task = replace(task, deadline=max(0, deadline))
        if rng.random() < 0.5:
            task = replace(task, minimum=rng.randint(1, limit))
    return task


# In the engine's words.


def instance_of(case, estimates="raise"):
    table = Workload.from_columns(
        submit_time=[task.submit for task in case.tasks],
        run_time=[task.run for task in case.tasks],
        requested_time=[task.limit for task in case.tasks],
        processors=[task.size for task in case.tasks],
        user=[int(task.user or -1) for task in case.tasks],
        account=[int(task.account or -1) for task in case.tasks],
        cancel_time=[finite(task.cancel) for task in case.tasks],
        deadline=[finite(task.deadline) for task in case.tasks],
        minimum_time=[-1 if task.minimum is None else task.minimum for task in case.tasks],
        reservation=[int(task.names[1:] or -1) for task in case.tasks],
    )
    table = replace(table, names={"reservation": tuple(one.name for one in case.calendar.bookings)})
    machine = sum(case.calendar.cores)
    if not case.flat:
        nodes = [Node((Processor((Core(1.0),) * count),)) for count in case.calendar.cores]
        machine = Hardware((Cluster(tuple(nodes)),))
    return Instance.of(table, machine, estimates=estimates)


def finite(time):
    return time if time < FOREVER else -1


def changes_of(calendar):
    rules = calendar.rules
    return Changes(
        Outages.of(
            (one.start, one.end, sorted(one.nodes), OutageKind[one.kind.upper()], one.announced, 0)
            for one in calendar.shuts
        ),
        tuple(
            Reservation(
                one.name,
                one.start,
                one.end,
                tuple(sorted(one.nodes)),
                users=tuple(sorted(one.users)),
                accounts=tuple(sorted(one.accounts)),
                flex=one.flex,
                overrun=one.overrun,
                ignore_jobs=one.ignore_jobs,
                announced=one.announced,
            )
            for one in calendar.bookings
        ),
        Requeueing(
            "requeue" if rules.requeue else "kill",
            rules.order,
            rules.delay,
            None if rules.most == FOREVER else rules.most,
        ),
        repair=rules.repair if isinstance(rules.repair, str) else float(rules.repair),
        conflict=rules.conflict,
        checkpoint=CheckpointRule(
            "none" if rules.interval == FOREVER else rules.interval, rules.cost, rules.restart
        )
        if rules.saves
        else None,
        limit_per=rules.limit_per,
    )


def scenario_of(case, estimates="raise"):
    model = {}
    if not case.flat:
        model["system_model"] = NodeLevelMachine(
            NodeRules(placement_named("first-fit"), execution_named("fixed"))
        )
    return Scenario(
        instance_of(case, estimates),
        policy(f"{case.backfill}:{case.order}"),
        changes=changes_of(case.calendar),
        **model,
    )


def planned_case(case, estimates):
    """Return the case with the run times and limits that the rule for estimates gives."""
    tasks = []
    for task in case.tasks:
        cut = estimates == "kill" and task.run > task.limit
        limit = {"raise": max(task.run, task.limit), "kill": task.limit, "exact": task.run}[estimates]
        run = task.limit if cut else task.run
        tasks.append(replace(task, run=run, limit=limit, cut=cut))
    calendar = case.calendar
    if estimates != "kill":
        # No job is cut at what it asked for, so all attempts together are not either.
        calendar = replace(calendar, rules=replace(calendar.rules, limit_per="attempt"))
    return replace(case, calendar=calendar, tasks=tuple(tasks))


@dataclass(frozen=True)
class Outcome:
    """What became of each job: its status, and (start, end, reason) of its attempts.

    `held` are the nodes of each attempt; None where processors are only counted: no capacity changes.
    """

    status: tuple[str, ...]
    stays: tuple[tuple[tuple[float, float, str], ...], ...]
    held: tuple[tuple[tuple[int, ...], ...], ...] | None = None

    def without_nodes(self):
        return replace(self, held=None)


def expected(case, estimates="raise"):
    """Return the outcome by the plain program."""
    plain = planned_case(case, estimates)
    states = Machine(plain.calendar, plain.tasks, POLICIES[case.backfill], KEYS[case.order]).outcome()
    return Outcome(
        tuple(one.status for one in states),
        tuple(tuple((stay.start, stay.end, stay.reason) for stay in one.stays) for one in states),
        tuple(tuple(tuple(sorted(stay.where.elements())) for stay in one.stays) for one in states),
    )


def differ(case, engines, estimates="raise"):
    """Return both outcomes of the first engine whose is another than the plain program's, else None."""
    plain = expected(case, estimates)
    for simulate in engines if any(plain.stays) else ():
        engine = found(case, simulate, estimates)
        known = plain if engine is None or engine.held is not None else plain.without_nodes()
        if engine != known:
            return known, engine
    return None


def found(case, simulate, estimates="raise"):
    """Return the outcome by an engine, or None if no job ever started."""
    try:
        schedule = simulate(scenario_of(case, estimates))
    except InputError as error:
        if "no job is left" in str(error):
            return None
        raise
    stays, status = [[] for _ in case.tasks], ["?"] * len(case.tasks)
    attempts, kept = schedule.attempts, schedule.instance.kept.tolist()
    columns = (attempts.job, attempts.start, attempts.end, attempts.reason_names)
    for job, start, end, reason in zip(*(column.tolist() for column in columns), strict=True):
        stays[kept[job]].append((start, end, reason))
    for job, position in enumerate(kept):
        code = schedule.status[job] if schedule.status is not None else schedule.instance.killed[job] * 1
        status[position] = JobStatus(int(code)).name.lower()
    for dropped in schedule.instance.dropped:
        for position in dropped.positions:
            status[position] = NEVER_STARTED[dropped.reason]
    return Outcome(tuple(status), tuple(tuple(one) for one in stays), held_nodes(schedule, kept, stays))


def held_nodes(schedule, kept, stays):
    """Return the nodes of each attempt of each job, one for each core."""
    nodes = [[[] for _ in one] for one in stays]
    if schedule.holdings is None and (numbered := schedule.numbered) is None:
        return None
    if schedule.holdings is None:
        rows = [
            (int(numbered.job[row]), numbered.start[row], numbered.nodes_of(row))
            for row in range(len(numbered))
        ]
    else:
        holdings, hardware = schedule.holdings, schedule.instance.hardware
        rows = [
            (int(job), start, hardware.node_of_core[holdings.cores[first:last]])
            for job, start, (first, last) in zip(
                holdings.job, holdings.start, pairwise(holdings.first_core), strict=True
            )
        ]
    for job, start, some in rows:
        attempt = [begin for begin, *_ in stays[kept[job]]].index(start)
        nodes[kept[job]][attempt] += some.tolist()
    return tuple(tuple(tuple(sorted(some)) for some in one) for one in nodes)
