"""What cannot run on nodes is refused before the run, with the names that the workload gives its jobs."""

from __future__ import annotations

import json
import math

import pytest

import echelon as ec
from echelon.errors import InputError


@pytest.fixture
def two_jobs(tmp_path):
    """Two sequential jobs of two tasks, with names."""
    file = tmp_path / "two.json"
    jobs = [{"id": name, "subtime": 0, "res": 2, "req_ops": 2e9, "req_time": 1} for name in ("ant", "bee")]
    file.write_text(json.dumps({"jobs": jobs}))
    return ec.read_workload(file)


@pytest.mark.parametrize("spec", ["srtf", "preemptive-priority", "round-robin"])
def test_preemptive_schedulers(two_jobs, spec):
    """Jobs whose tasks share cores keep them, whether or not this scheduler would come to suspend one."""
    with pytest.raises(InputError, match=f"lets tasks share cores, but {spec} suspends jobs"):
        ec.simulate(two_jobs, platform="irmasim-a", policy=spec, sharing="fair")


def test_a_power_cap_on_nodes_without_power(two_jobs):
    """It would cap nothing; one node of one site that says some is enough."""
    from echelon.model import Cluster, Core, Hardware, Node, Platform, Processor, Site

    def nodes(power):
        return Hardware((Cluster((Node((Processor((Core(1e9),) * 4),), power=power),) * 2),), name="plain")

    problem = "^power-cap: 190 W caps nothing: no node of 'plain' has a described power; describe it in the "
    for machine in (nodes(0), Platform((Site("a", nodes(0)), Site("b", nodes(0))), "plain")):
        with pytest.raises(InputError, match=problem):
            ec.simulate(two_jobs, platform=machine, power_cap=190)
        ec.simulate(two_jobs, platform=machine, power_cap=math.inf)
    ec.simulate(two_jobs, platform=Platform((Site("a", nodes(0)), Site("b", nodes(5)))), power_cap=190)


def test_jobs_too_hungry_for_the_power_cap(two_jobs):
    """They are told by name: alone, two busy cores draw 200 W, their processor 50 W, three others 7.5 W."""
    with pytest.raises(InputError, match=r"2 jobs would exceed 250 W .*: job ant 257.5 W; job bee 257.5 W;"):
        ec.simulate(two_jobs, platform="irmasim-a", power_cap=250)
    assert ec.simulate(two_jobs, platform="irmasim-a", power_cap=257.5).metrics["peak_power"] == 257.5
