"""The units of workload.json, by what IRMASim's README example of two tasks on two cores comes to.

Two tasks of a second each arrive half a second apart on a processor of two cores. Each moves a million MB, so
that together they run at 1 / 1.6 of their speed: both take 1.3 s, the last ends at 1.8 s, and 350 J are used.
"""

from __future__ import annotations

import json

import pytest

import echelon as ec

PROCESSOR = {
    **{"cores": 2, "clock_rate": 0.001, "dpflops_per_cycle": 1},
    **{"static_power": 50, "dynamic_power": 100, "min_power": 0.05},
    **{"b": -1.85e-05, "c": 32000, "da": 1.75, "db": 3500, "dc": 45000, "dd": 3000},
}
PLATFORM = {
    "platform": {
        "pair": {"id": "pair", "model_name": "modelV1", "clusters": [{"nodes": [{"type": "n", "number": 1}]}]}
    },
    "node": {"n": {"processors": [{"type": "p", "number": 1}]}},
    "processor": {"p": PROCESSOR},
}


@pytest.mark.parametrize(
    ("volume", "units", "turnaround", "energy"),
    [(10**6, {}, 1.3, 350), (1, {}, 1, 275), (10**12, {"mem_vol": "B"}, 1.3, 350)],
)
def test_memory_volume_is_in_mb(tmp_path, volume, units, turnaround, energy):
    """A million MB a second slows both down as printed, one MB does not, and bytes may be said."""
    (tmp_path / "platform.json").write_text(json.dumps(PLATFORM))
    task = {"req_ops": 10**6, "req_time": 10, "mem": 50, "mem_vol": volume}
    jobs = [{"id": str(k), "subtime": 2 + k / 2, "res": 1, "profile": "task"} for k in range(2)]
    (tmp_path / "workload.json").write_text(
        json.dumps({"jobs": jobs, "profiles": {"task": task}, "units": units})
    )
    result = ec.simulate(
        ec.read_workload(tmp_path / "workload.json"),
        platform=str(tmp_path / "platform.json"),
        execution="speed+memory-v1",
    )
    assert result.jobs["turnaround_time"].to_list() == pytest.approx([turnaround] * 2, abs=1e-9)
    assert result.metrics["makespan"] == pytest.approx(turnaround + 0.5)
    assert result.metrics["energy"] == pytest.approx(energy)
