"""Random machines that change: failures, drains, maintenance, reservations, cancellations, checkpoints."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np

from echelon.availability import Changes, CheckpointRule, Requeueing
from echelon.engine.contract import Scenario
from echelon.model import Instance, OutageKind, Outages, Reservation, Workload
from echelon.policies import ORDERS, Conservative, Easy, FirstFit, NoBackfill, Plan, Policy, Selective
from echelon.testing.dependent_jobs import random_edges
from echelon.testing.strategies import _CHANGING as CHANGING

FIXED = [order for order in ORDERS if order not in CHANGING]
ALL = frozenset(
    ("failures", "drains", "maintenance", "reservations", "cancellations", "deadlines", "checkpoints")
)
NAMES = ("alpha", "beta")
_EARLY, _LATE, _LONGEST = 60, 200, 80
"""Jobs are submitted up to the first, in seconds, and things happen up to the second, for so long."""


def random_scenario(seed: int, what: frozenset[str] = ALL, reserving: str = "") -> Scenario:
    """Return a run of a few jobs on a machine to which some of `what` happens, in one unit of time.

    Its scheduler is one that reserves no start but the head's, or the one that is called `reserving`.
    """
    random = Random(seed)
    processors = random.choice((1, 2, 3, 5, 8, 40, 70))
    grain = random.choice((1.0, 1.0, 0.1, 1 / 3, 60.0))
    table = random_table(random, processors, what, grain)
    instance = Instance.of(table, processors, estimates=random.choice(("raise", "kill")))
    if random.random() < 0.2:
        instance = random_edges(instance, seed)
    changes = random_changes(random, processors, what, grain)
    policy = _reserving(random, reserving) if reserving else random_policy(random)
    return Scenario(instance, policy, changes=changes, seed=random.randrange(10))


def random_changes(random: Random, nodes: int, what: frozenset[str], grain: float) -> Changes:
    """Return what changes of so many nodes."""
    failures = "failures" in what
    return Changes(
        _outages(random, nodes, what, grain),
        _reservations(random, nodes, grain) if "reservations" in what else (),
        _requeueing(random, grain) if failures else Requeueing(),
        random.choice(("unknown", "known", 7 * grain, 25 * grain)) if failures else "unknown",
        random.choice(("kill", "wait")),
        _checkpoint(random, grain) if "checkpoints" in what else None,
        random.choice(("attempt", "attempt", "job")) if failures else "attempt",
    )


def random_table(random: Random, processors: int, what: frozenset[str], grain: float) -> Workload:
    """Return a few jobs that fit on so many processors."""
    n_jobs = random.randint(1, 25)
    run = [random.choice((1, 2, random.randint(1, 12), random.randint(1, 60))) for _ in range(n_jobs)]
    exact = random.random() < 0.4
    requested = [time if exact else random.randint(max(1, time // 2), 2 * time + 5) for time in run]
    columns = {
        "submit_time": [random.choice((0, random.randint(0, _EARLY))) * grain for _ in run],
        "run_time": [time * grain for time in run],
        "requested_time": [time * grain for time in requested],
        "processors": [random.randint(1, random.choice((processors, -(-processors // 3)))) for _ in run],
        "user": [random.randint(1, 3) for _ in run],
    }
    if "reservations" in what and random.random() < 0.6:
        columns["reservation"] = [random.choice((-1, -1, 1, 2)) for _ in run]
    if "cancellations" in what:
        columns["cancel_time"] = [random.choice((-1, -1, -1, random.randint(0, _LATE) * grain)) for _ in run]
    if "deadlines" in what:
        columns |= _deadlines(random, columns, grain)
    workload = Workload.from_columns(**columns)
    return replace(workload, names={**workload.names, "reservation": NAMES})


def _deadlines(random: Random, columns: dict[str, list[float]], grain: float) -> dict[str, list[float]]:
    """Return deadlines, some of them of no use, and the shortest limits that jobs accept."""
    asked = zip(columns["submit_time"], columns["requested_time"], strict=True)
    in_time = [submit + limit + random.randint(-3, _LONGEST) * grain for submit, limit in asked]
    return {
        "deadline": [random.choice((-1, max(0.0, time), max(0.0, time))) for time in in_time],
        "minimum_time": [
            random.choice((-1, random.randint(0, 9) * grain, random.random() * limit))
            for limit in columns["requested_time"]
        ],
    }


def _nodes(random: Random, processors: int) -> list[int]:
    share = random.choice((1, 2, 4))
    return sorted(random.sample(range(processors), random.randint(1, max(1, processors // share))))


def _span(random: Random, grain: float) -> tuple[float, float]:
    start = random.randint(0, _LATE)
    length = random.choice((0, random.randint(0, 10), random.randint(0, _LONGEST)))
    return start * grain, (start + length) * grain


def _outages(random: Random, processors: int, what: frozenset[str], grain: float) -> Outages:
    rows = []
    kinds = (("failures", 6, OutageKind.FAIL), ("drains", 3, OutageKind.DRAIN))
    for name, most, kind in (*kinds, ("maintenance", 3, OutageKind.MAINTENANCE)):
        for _ in range(random.randint(0, most) if name in what else 0):
            start, end = _span(random, grain)
            end = end if kind != OutageKind.FAIL or random.random() < 0.95 else np.inf
            announced = random.choice((-np.inf, start * random.random()))
            rows.append((start, end, _nodes(random, processors), kind, announced, 0))
    return Outages.of(rows)


def _reservations(random: Random, processors: int, grain: float) -> tuple[Reservation, ...]:
    found = []
    for _ in range(random.randint(0, 3)):
        start, end = _span(random, grain)
        found.append(
            Reservation(
                random.choice(NAMES),
                start,
                max(end, start + grain),
                tuple(_nodes(random, processors)),
                users=random.choice(((), ("1",), ("2",), ("1", "3"))),
                flex=random.random() < 0.3,
                overrun=random.random() < 0.4,
                ignore_jobs=random.random() < 0.3,
                announced=random.choice((-np.inf, -np.inf, start * random.random())),
                slide=random.choice((0.0, 0.0, 0.0, 3000.0, 3600.0, 4321.0)),
            )
        )
    return tuple(found)


def _requeueing(random: Random, grain: float) -> Requeueing:
    return Requeueing(
        random.choice(("requeue", "requeue", "kill", "slurm")),
        random.choice(("keep", "back")),
        random.choice((0, 0, 5, 30)) * grain,
        random.choice((None, None, 0, 1, 2)),
    )


def _checkpoint(random: Random, grain: float) -> CheckpointRule | None:
    interval = random.choice((1, 3, 7, np.inf)) * grain
    cost, restart = random.choice((0, 1, 2.5)) * grain, random.choice((0, 1, 4)) * grain
    return random.choice((None, CheckpointRule(interval, cost, restart)))


def random_policy(random: Random) -> Policy:
    """Return a policy that kernels know where the machine changes."""
    candidates = random.choice((None, None, random.choice(FIXED)))
    easy = Easy(candidates=candidates, fit=random.choice(("first-fit", "first-fit", "best-fit")))
    return Policy.of(random.choice(FIXED), random.choice((NoBackfill(), FirstFit(), easy, easy)))


def _reserving(random: Random, name: str) -> Policy:
    match name:
        case "conservative":
            scheduler = Conservative()
        case "plan":
            scheduler = Plan()
        case "selective":
            scheduler = Selective(random.choice(("adaptive", 1.5, 2.0, 5.0)))
        case _:
            candidates = random.choice((None, random.choice(FIXED)))
            scheduler = Easy(random.choice((2, 4)), candidates, random.choice(("first-fit", "best-fit")))
    return Policy.of(random.choice(FIXED), scheduler)
