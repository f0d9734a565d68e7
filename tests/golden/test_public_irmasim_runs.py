"""Runs of IRMASim's public program on a machine and jobs of our own, under three of its managers.

The starts, ends and joules are what the program (GitHub, MIT) gave for these inputs. It was put together from
stored versions of its files, without its statistics; jobs were made hashable, which its Backfill needs.
Backfill is run as an earlier version has it, and as later ones do (`extra`).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import echelon as ec
from echelon.metrics.power.energy import energy
from echelon.model import Cluster, Core, Demand, Demands, Hardware, MemoryCurveV1, Node, Processor, TaskGroup

CURVE = MemoryCurveV1(b=-1.85e-05, c=32000, da=1.75, db=2000, dc=50000, dd=6000)
PUBLIC = {"execution": "memory-v1:refresh=release", "release": "gang", "estimates": "request"}
# The processors of each node: cores, GHz, static W, dynamic W of a core.
NODES = [[(3, 2.1, 5.2, 3.9)], [(4, 1.6, 3.1, 1.7)], [(2, 3.3, 7.4, 6.2), (3, 2.6, 5.2, 3.9)]]
# Submission s, tasks, Gop of a task, requested s, MB held and MB moved by a task.
JOBS = [
    (0.0, 2, 26.77, 25.969, 2882, 231877),
    (0.0, 5, 15.2, 4.689, 164, 37120),
    (3.09, 2, 11.3, 3.108, 2357, 74276),
    (7.72, 4, 13.44, 5.298, 1261, 74983),
    (8.4, 2, 8.79, 8.866, 3872, 62118),
    (9.41, 3, 5.91, 2.934, 3520, 14349),
    (9.78, 1, 13.61, 6.073, 1110, 113536),
    (9.88, 3, 6.2, 1.895, 2714, 26616),
    (9.88, 4, 37.49, 21.896, 3504, 319346),
    (16.13, 5, 35.17, 16.342, 1096, 185316),
    (18.44, 5, 39.43, 25.997, 1254, 87014),
    (26.8, 4, 19.07, 10.761, 3963, 78668),
]
# Options of Echelon; starts, ends and J of the program.
RUNS = [
    (
        {"sequential": "straddle"},
        [0.0, 0.0, 3.09, 7.72, 9.5, 9.5, 9.78, 13.19375, 13.518625, 17.06875, 31.860104, 39.05],
        [
            15.94846,
            9.5,
            7.160303,
            13.518625,
            14.99375,
            13.19375,
            17.856549,
            17.06875,
            31.860104,
            39.05,
            56.503854,
            50.96875,
        ],
        2923.232251,
    ),
    (
        {"place": "node-order:by=first"},
        [
            0.0,
            0.0,
            3.09,
            7.72,
            8.4,
            12.889231,
            12.889231,
            14.372773,
            15.162308,
            32.450247,
            48.344213,
            48.344213,
        ],
        [
            14.116388,
            5.846154,
            10.622974,
            12.889231,
            14.372773,
            15.162308,
            19.672501,
            18.247773,
            32.450247,
            48.344213,
            63.509598,
            60.262963,
        ],
        2643.991819,
    ),
    (
        {"place": "node-order:by=high-gigaflops"},
        [
            0.0,
            11.050386,
            11.050386,
            11.050386,
            16.431339,
            16.89654,
            16.89654,
            19.169617,
            20.068724,
            22.169299,
            38.063265,
            53.22865,
        ],
        [
            11.050386,
            16.89654,
            16.431339,
            20.068724,
            20.617053,
            19.169617,
            22.169299,
            21.592376,
            54.848147,
            38.063265,
            53.22865,
            60.563265,
        ],
        2542.528285,
    ),
    (
        {"place": "node-order:by=high-cores"},
        [
            0.0,
            11.050386,
            11.050386,
            16.89654,
            16.89654,
            18.112886,
            18.112886,
            21.806636,
            22.065771,
            39.35371,
            55.247677,
            55.247677,
        ],
        [
            11.050386,
            16.89654,
            18.112886,
            22.065771,
            21.719307,
            21.806636,
            25.482302,
            25.681636,
            39.35371,
            55.247677,
            70.413061,
            67.166427,
        ],
        2663.562707,
    ),
    (
        {"place": "node-order:by=high-memory"},
        [
            0.0,
            0.0,
            3.09,
            7.72,
            8.4,
            12.889231,
            12.889231,
            13.871542,
            14.372773,
            18.123846,
            34.017812,
            49.152196,
        ],
        [
            13.871542,
            5.846154,
            10.622974,
            12.889231,
            14.372773,
            15.162308,
            18.123846,
            16.823923,
            49.152196,
            34.017812,
            49.183197,
            61.070946,
        ],
        2420.192848,
    ),
    (
        {"policy": "node-backfill", "place": "node-order:by=first"},
        [0.0, 0.0, 3.09, 7.72, 8.4, 12.889231, 9.78, 14.372773, 15.162308, 32.450247, 48.344213, 48.344213],
        [
            14.891382,
            5.846154,
            10.622974,
            12.889231,
            14.372773,
            15.162308,
            17.520172,
            18.247773,
            32.450247,
            48.344213,
            63.509598,
            60.262963,
        ],
        2643.136176,
    ),
    (
        {"policy": "node-backfill:extra=yes", "place": "node-order:by=first"},
        [0.0, 0.0, 3.09, 7.72, 8.4, 12.889231, 9.78, 14.372773, 15.162308, 32.450247, 48.344213, 26.8],
        [
            14.891382,
            5.846154,
            10.622974,
            12.889231,
            14.372773,
            15.162308,
            17.520172,
            18.247773,
            32.450247,
            48.344213,
            63.509598,
            38.71875,
        ],
        2643.136176,
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
