"""Echelon under the rules of IRMASim's managers beside a second program written from their description."""

from __future__ import annotations

import importlib.util
import random
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import echelon as ec
from echelon.metrics.power.energy import energy
from echelon.model import (
    Cluster,
    Core,
    Demand,
    Demands,
    Hardware,
    MemoryCurveV1,
    Node,
    Processor,
    TaskGroup,
)

_SPEC = importlib.util.spec_from_file_location("plain_irmasim", Path(__file__).parent / "plain_irmasim.py")
plain = importlib.util.module_from_spec(_SPEC)
sys.modules["plain_irmasim"] = plain
_SPEC.loader.exec_module(plain)

CURVE = {"b": -1.85e-05, "c": 32000, "da": 1.75, "db": 2000, "dc": 50000, "dd": 6000}
PUBLIC = {"execution": "memory-v1:refresh=release", "release": "gang", "estimates": "request"}
MANAGERS = {
    "minimal": {"sequential": "straddle"},
    "heuristic": {},
    "backfill": {"policy": "node-backfill"},
}
ORDERS = ("first", "high-gigaflops", "high-cores", "low-cores", "high-memory", "low-power")


def machine(draw):
    """Return processors of nodes as (cores, GHz, static W, dynamic W), one or two in a node."""
    return [
        [
            (
                draw.randint(2, 5),
                draw.choice([1.5, 1.7, 2.5, 3.4]),
                draw.choice([2.31, 6.14]),
                draw.choice([1.6, 5.6]),
            )
            for _ in range(draw.randint(1, 2))
        ]
        for _ in range(draw.randint(2, 5))
    ]


def jobs_of(draw, manager, nodes):
    """Return jobs that fit on the machine under a manager: (submit, tasks, nodes, Gop, s, MB, MB)."""
    largest = max(sum(one[0] for one in node) for node in nodes)
    made = []
    for number in range(30):
        over = draw.randint(1, 2) if manager == "heuristic" else 1
        share = min(sum(one[0] for one in node) for node in nodes)
        tasks = draw.randint(over, over * share) if over > 1 else draw.randint(1, largest)
        work = draw.randint(100, 4000) / 100
        made.append(
            (
                0.0 if number < 5 else draw.randint(0, 6000) / 100,
                tasks,
                over,
                work,
                round(work / draw.uniform(1.0, 5.0), 3),
                float(draw.randint(1, 3000)),
                draw.randint(0, 20000) * work / 2,
            )
        )
    return sorted(made)


def ours(nodes, jobs, **options):
    """Return Echelon's run."""
    parts = tuple(
        Node(
            tuple(
                Processor(
                    (Core(clock * 1e9, dynamic_power=dynamic),) * cores,
                    static_power=static,
                    idle_share=0.05,
                    memory_curve=MemoryCurveV1(**CURVE),
                )
                for cores, clock, static, dynamic in node
            )
        )
        for node in nodes
    )
    demands = [
        Demand(
            (TaskGroup(tasks, work * 1e9, memory * 1e6, volume * 1e6),),
            sequential=over == 1,
            nodes=over * (over > 1),
        )
        for _, tasks, over, work, _, memory, volume in jobs
    ]
    table = ec.Workload.from_columns(
        submit_time=[job[0] for job in jobs],
        run_time=np.ones(len(jobs)),
        requested_time=[job[4] for job in jobs],
        processors=[job[1] for job in jobs],
    )
    workload = replace(table, demands=Demands.of(demands))
    return ec.simulate(workload, platform=Hardware((Cluster(parts),)), **PUBLIC, **options)


def theirs(nodes, jobs, manager, order):
    """Return the second program's run."""
    made = []
    for node in nodes:
        made.append(
            [plain.Processor(clock * 1e9, static, dynamic, CURVE) for _, clock, static, dynamic in node]
        )
        for processor, (cores, *_) in zip(made[-1], node, strict=True):
            processor.cores = [plain.Core(processor) for _ in range(cores)]
    rows = [plain.Job(submit, tasks, over, work * 1e9, *rest) for submit, tasks, over, work, *rest in jobs]
    return plain.Program(made, rows, manager, order).run()


@pytest.mark.parametrize(
    ("manager", "order"),
    [("minimal", "first"), *((one, order) for one in ("heuristic", "backfill") for order in ORDERS)],
)
def test_runs_are_the_same(manager, order):
    """Every start, every end and the energy of thirty jobs, on five machines each, with heavy contention."""
    place = {} if manager == "minimal" else {"place": f"node-order:by={order}"}
    for seed in range(5):
        draw = random.Random(f"{manager}/{seed}")
        nodes = machine(draw)
        jobs = jobs_of(draw, manager, nodes)
        expected = theirs(nodes, jobs, manager, order)
        found = ours(nodes, jobs, **MANAGERS[manager], **place)
        assert found.schedule.start_time.tolist() == pytest.approx(
            [job.start for job in expected.jobs], rel=1e-9
        )
        assert found.schedule.end_time.tolist() == pytest.approx([job.end for job in expected.jobs], rel=1e-9)
        assert energy(found.schedule, unused_is_off=True).total == pytest.approx(expected.energy, rel=1e-9)


def test_the_rules_matter():
    """Without the public program's rules the runs of the same jobs are others."""
    draw = random.Random("backfill/0")
    nodes = machine(draw)
    jobs = jobs_of(draw, "backfill", nodes)
    expected = [job.start for job in theirs(nodes, jobs, "backfill", "first").jobs]
    assert ours(nodes, jobs, policy="easy").schedule.start_time.tolist() != pytest.approx(expected)
