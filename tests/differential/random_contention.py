"""Random contention cases in the form of ``tests/golden/contention_cases.json``, without expected figures.

All jobs arrive before any can end and take one core after the other in platform order: each job starts
when it arrives, on the cores that first fit gives it.
"""

from __future__ import annotations

import random
from typing import Any

V1 = {"b": -1.85e-05, "c": 32000, "da": 1.75, "db": 2000, "dc": 50000, "dd": 6000}
V2 = {
    "abb": -92.130488,
    "bbb": 1,
    "ccb": 1,
    "cca": -0.004,
    "cbb": 14.7,
    "cba": -19.8,
    "cab": -815,
    "caa": 495,
    "dbb": 0.0186,
    "dab": 0.7,
}
POWER_V2 = {
    "pidle": 1,
    "p00": 1.997208,
    "p01": 1.374746,
    "p02": -0.006362,
    "p10": 18.848542,
    "p11": 0.596069,
    "p20": -24.348324,
}
NETWORKS: list[dict[str, Any] | None] = [
    None,
    {"count": "task", "time": "second", "factor": 0.8},
    {"count": "pair", "time": "task", "factor": "proportional"},
]
#: Requests of a task under each memory model, from light to more than its share (MB/s; 1000 y for V2).
REQUESTS = {"none": (0, 0), "memory-v1": (3000, 25000), "memory-v2": (2, 14)}


def random_case(seed: int, memory: str, network: dict[str, Any] | None) -> dict[str, Any]:
    """Return a platform of 2 to 4 nodes and jobs of 1 to 6 equal tasks that fill it."""
    draw = random.Random(seed)
    nodes = [_node(draw, memory) for _ in range(draw.randint(2, 4))]
    cores = [
        [i, j, k]
        for i, node in enumerate(nodes)
        for j, processor in enumerate(node["processors"])
        for k in range(processor["cores"])
    ]
    submits = sorted(draw.randint(0, 900) / 100 for _ in range(len(cores)))
    jobs: list[dict[str, Any]] = []
    while cores:
        size = draw.randint(1, 6)
        places, cores = cores[:size], cores[size:]
        jobs.append(_job(draw, len(jobs), submits[len(jobs)] if jobs else 0.0, places, memory))
    return {"name": f"random-{seed}", "memory": memory, "network": network, "nodes": nodes, "jobs": jobs}


def _node(draw: random.Random, memory: str) -> dict[str, Any]:
    """Return one or two processors of 2 to 5 cores and a link that a job or two can overload."""
    processors = [
        {
            "cores": draw.randint(2, 5),
            "clock_rate": draw.choice([1.7, 2.0, 2.5]),
            "dpflops_per_cycle": 1.0,
            "static_power": 6.14211,
            "dynamic_power": 5.59316,
            "min_power": 0.05,
            "contention": V1,
        }
        for _ in range(1 if memory == "memory-v2" else draw.randint(1, 2))
    ]
    link = draw.choice([60, 125, 300]) * 1e6
    return {"processors": processors, "comm_bw": link, "contention_v2": V2, "power_v2": POWER_V2}


def _job(
    draw: random.Random, number: int, submit: float, places: list[list[int]], memory: str
) -> dict[str, Any]:
    """Return a job of equal tasks that takes 12 to 40 s at 2 GHz."""
    base, (low, high) = draw.randint(1200, 4000) / 100, REQUESTS[memory]
    volume = draw.randint(low * 100, high * 100) / 100 * base
    work = {"req_ops": round(base * 2e9), "ipc": 1.0, "mem_vol": round(volume, 4)}
    return {
        "id": f"J{number}",
        "submit": submit,
        "tasks": [{"place": place, **work} for place in places],
        "comm_vol": draw.randint(5, 400) * 1e6,
        "compute_share": draw.randint(20, 90) / 100,
    }
