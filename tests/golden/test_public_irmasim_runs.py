"""Runs of IRMASim's public program on a machine and jobs of our own, under three of its managers.

The starts, ends and joules are what the program (GitHub, MIT) gave for these inputs. It was put together from
stored versions of its files, without its statistics; jobs were made hashable, which its Backfill needs. That Backfill
is an earlier version, with no extra cores for jobs that overtake.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import echelon as ec
from echelon.metrics.energy import energy
from echelon.model import Cluster, Core, Demand, Demands, Hardware, MemoryCurveV1, Node, Processor, TaskGroup

CURVE = MemoryCurveV1(b=-1.85e-05, c=32000, da=1.75, db=2000, dc=50000, dd=6000)
PUBLIC = {"execution": "memory-v1:refresh=release", "release": "gang", "estimates": "request"}
# The processors of each node: cores, GHz, static W, dynamic W of a core.
NODES = [[(3, 2.1, 5.2, 3.9)], [(4, 1.6, 3.1, 1.7)], [(2, 3.3, 7.4, 6.2), (3, 2.6, 5.2, 3.9)]]
# Submission s, tasks, Gop of a task, requested s, MB held and MB moved by a task.
JOBS = [
    (0.0, 2, 38.23, 16.232, 1099, 285064),
    (0.0, 3, 30.76, 8.035, 3916, 99666),
    (3.01, 5, 32.03, 33.422, 2719, 252390),
    (4.29, 1, 35.92, 16.92, 3993, 133800),
    (5.99, 4, 35.84, 30.483, 2888, 304639),
    (9.92, 2, 10.91, 3.284, 1844, 53804),
    (12.28, 5, 38.5, 35.886, 3373, 163473),
    (12.58, 5, 24.93, 15.47, 3974, 104318),
    (13.84, 3, 39.76, 15.422, 3479, 149027),
    (13.99, 4, 30.18, 14.923, 3500, 99056),
    (22.95, 1, 29.75, 14.573, 2153, 198264),
    (27.7, 2, 13.3, 11.941, 3482, 46733),
]
# Options of Echelon; starts, ends and J of the program.
RUNS = [
    (
        {"sequential": "straddle"},
        [
            0.0,
            0.0,
            3.01,
            4.29,
            20.260572,
            20.558044,
            25.753906,
            48.075703,
            51.978176,
            51.978176,
            63.585868,
            63.585868,
        ],
        [
            20.558044,
            20.260572,
            25.753906,
            18.105385,
            48.075703,
            26.19839,
            51.978176,
            63.656953,
            76.828176,
            63.585868,
            73.012818,
            68.701253,
        ],
        3924.86384,
    ),
    (
        {"place": "node-order:by=first"},
        [
            0.0,
            0.0,
            3.01,
            4.29,
            19.225,
            20.322461,
            21.283159,
            36.403931,
            36.403931,
            46.107027,
            46.107027,
            52.419703,
        ],
        [
            20.322461,
            19.225,
            21.283159,
            22.038061,
            52.419703,
            25.517699,
            36.403931,
            46.107027,
            55.337264,
            58.245105,
            58.079721,
            60.732203,
        ],
        3293.508008,
    ),
    (
        {"place": "node-order:by=high-gigaflops"},
        [
            0.0,
            0.0,
            14.574963,
            14.574963,
            14.574963,
            14.574963,
            32.848121,
            47.968894,
            47.968894,
            47.968894,
            57.671989,
            57.671989,
        ],
        [
            14.574963,
            11.830769,
            32.848121,
            31.679725,
            47.769665,
            19.770201,
            47.968894,
            57.671989,
            66.902227,
            66.831394,
            66.837394,
            62.787374,
        ],
        3310.700235,
    ),
    (
        {"place": "node-order:by=high-cores"},
        [
            0.0,
            0.0,
            14.574963,
            14.574963,
            19.225,
            19.225,
            32.848121,
            47.968894,
            47.968894,
            52.419703,
            57.671989,
            57.671989,
        ],
        [
            14.574963,
            19.225,
            32.848121,
            31.679725,
            52.419703,
            24.420238,
            47.968894,
            57.671989,
            66.902227,
            71.282203,
            66.837394,
            62.787374,
        ],
        3271.548064,
    ),
    (
        {"place": "node-order:by=high-memory"},
        [
            0.0,
            0.0,
            3.01,
            4.29,
            21.283159,
            21.283159,
            37.795378,
            52.916151,
            52.916151,
            52.916151,
            62.619246,
            62.619246,
        ],
        [
            18.204762,
            19.225,
            21.283159,
            26.74,
            37.795378,
            28.101909,
            52.916151,
            62.619246,
            71.849484,
            71.778651,
            71.784651,
            67.734631,
        ],
        3330.03872,
    ),
    (
        {"policy": "node-backfill", "place": "node-order:by=first"},
        [
            0.0,
            0.0,
            3.01,
            4.29,
            19.225,
            20.322461,
            21.283159,
            36.403931,
            36.403931,
            46.107027,
            46.107027,
            52.419703,
        ],
        [
            20.322461,
            19.225,
            21.283159,
            22.038061,
            52.419703,
            25.517699,
            36.403931,
            46.107027,
            55.337264,
            58.245105,
            58.079721,
            60.732203,
        ],
        3293.508008,
    ),
]


def _machine():
    return Hardware(
        (
            Cluster(
                tuple(
                    Node(
                        tuple(
                            Processor(
                                (Core(clock * 1e9, dynamic_power=dynamic),) * cores,
                                static_power=static,
                                idle_share=0.05,
                                memory_curve=CURVE,
                            )
                            for cores, clock, static, dynamic in node
                        )
                    )
                    for node in NODES
                )
            ),
        )
    )


def _jobs():
    table = ec.Workload.from_columns(
        submit_time=[job[0] for job in JOBS],
        run_time=np.ones(len(JOBS)),
        requested_time=[job[3] for job in JOBS],
        processors=[job[1] for job in JOBS],
    )
    demands = [
        Demand((TaskGroup(tasks, work * 1e9, held * 1e6, moved * 1e6),), sequential=True)
        for _, tasks, work, _, held, moved in JOBS
    ]
    return replace(table, demands=Demands.of(demands))


@pytest.mark.parametrize(("options", "starts", "ends", "joules"), RUNS)
def test_start_end_and_energy_are_those_the_program_printed(options, starts, ends, joules):
    """Twelve jobs that contend for memory start, end and draw as in the public program itself."""
    run = ec.simulate(_jobs(), platform=_machine(), **PUBLIC, **options)
    assert run.schedule.start_time.tolist() == pytest.approx(starts, abs=2e-6)
    assert run.schedule.end_time.tolist() == pytest.approx(ends, abs=2e-6)
    assert energy(run.schedule, unused_is_off=True).total == pytest.approx(joules, rel=1e-7)
