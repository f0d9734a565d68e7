"""After how long the global queues of a tree reject jobs, by inner site: of the run, and of the platform."""

from __future__ import annotations

import math

import pytest

import echelon as ec
from echelon.errors import EchelonError
from echelon.experiments import manifest
from echelon.experiments.scenario import scenario_of
from echelon.model import InnerSite, SharedCluster, Workstation
from echelon.platforms import platform_from_dict, read_platform, write_platform
from echelon.platforms.serialization import to_dict

LAB = SharedCluster((Workstation(),) * 4)
QUEUES = "fcfs@a=fcfs@b=fcfs"


@pytest.fixture
def jobs():
    """Return a dozen jobs of one to four processors."""
    return ec.read_workload("lublin:jobs=12,processors=4,seed=3")


def tree(*inner, leaf=4):
    """Return a platform with two inner sites of two leaves each, and a leaf at the root."""
    sites = (*(ec.Site(name, leaf) for name in ("a/x", "a/y", "b/x", "b/y")), ec.Site("c", leaf))
    return ec.Platform(sites, "tree", inner=inner)


@pytest.mark.parametrize(
    ("inner", "said", "expected", "told"),
    [
        ((), {}, (math.inf, math.inf, math.inf), None),
        ((), {"longest_stay": 60}, (60, 60, 60), 60),
        ((), {"longest_stay": "60"}, (60, 60, 60), 60),
        ((), {"longest_stay": "60@a=30"}, (60, 30, 60), "60@a=30@b=60"),
        ((), {"longest_stay": {"": 60, "*": 30}}, (60, 30, 30), "60@a=30@b=30"),
        ((), {"longest_stay": "@a=30"}, (math.inf, 30, math.inf), "inf@a=30@b=inf"),
        ((InnerSite("a", longest_stay=30),), {}, (math.inf, 30, math.inf), "inf@a=30@b=inf"),
        ((InnerSite("a", longest_stay=30),), {"longest_stay": 60}, (60, 30, 60), "60@a=30@b=60"),
        ((InnerSite("a", longest_stay=30),), {"longest_stay": "60@a=60"}, (60, 60, 60), "60@a=60@b=60"),
        ((InnerSite("a", longest_stay=30),), {"longest_stay": 30}, (30, 30, 30), 30),
    ],
)
def test_the_longest_stay_of_each_queue(jobs, inner, said, expected, told):
    """The run's word for a site, else the platform's, else the run's for the root; run.json says it again."""
    platform = tree(*inner)
    scenario = scenario_of(jobs, platform=platform, global_queue=QUEUES, **said)
    assert tuple(one.queue.longest_stay for one in scenario.system_model.controllers.values()) == expected
    found = manifest(ec.simulate(jobs, platform=platform, global_queue=QUEUES, **said))["longest_stay"]
    assert found == told
    again = scenario_of(jobs, platform=platform, global_queue=QUEUES, longest_stay=found)
    assert again.system_model.controllers == scenario.system_model.controllers


def test_jobs_are_rejected_where_it_is_said():
    """Of two inner sites, each full of one job, the one with a longest stay rejects the job behind."""
    rows = {"submit_time": [0, 0, 1, 1], "run_time": [100] * 4, "processors": [4] * 4}
    jobs = ec.Workload.from_columns(**rows)
    platform = ec.Platform((ec.Site("a/x", 4), ec.Site("b/x", 4)), "two")
    said = {"global_queue": "@a=fcfs@b=fcfs", "queue_limit": 0, "broker": "round-robin"}
    assert ec.simulate(jobs, platform=platform, **said).rejected is None
    found = ec.simulate(jobs, platform=platform, **said, longest_stay="@b=50").rejected
    assert found["job_id"].to_list() == ["4"]


def test_what_is_said_of_no_queue_is_refused(jobs):
    """A path without a global queue, an unknown path, and what is no time, each in a sentence."""
    for said, problem in (
        (
            {"longest_stay": "60@b=30", "global_queue": "fcfs"},
            "longest-stay: rejects .* at inner site 'b'; give",
        ),
        ({"longest_stay": "@z=30", "global_queue": "fcfs"}, "longest-stay: no inner site is named 'z'"),
        ({"longest_stay": "@b=0", "global_queue": QUEUES}, "longest-stay: got '0', expected seconds > 0"),
        ({"longest_stay": "@b=30"}, "rejects jobs that wait in or below a global queue, but there is none"),
    ):
        with pytest.raises(EchelonError, match=problem):
            scenario_of(jobs, platform=tree(), **said)
    with pytest.raises(EchelonError, match="must be a finite number > 0"):
        InnerSite("a", longest_stay=0)


def test_a_multicluster_has_that_of_its_platform(jobs):
    """A file's word for the root is that of a multicluster's queue, unless the run says another."""
    labs = ec.Platform((ec.Site("x", LAB), ec.Site("y", LAB)), inner=(InnerSite("", longest_stay=30),))
    assert scenario_of(jobs, platform=labs).multicluster.longest_stay == 30
    assert scenario_of(jobs, platform=labs, longest_stay=60).multicluster.longest_stay == 60
    with pytest.raises(EchelonError, match="longest-stay: names 'x', but all sites"):
        scenario_of(jobs, platform=labs, longest_stay="@x=30")


def test_a_platform_file_says_it(tmp_path):
    """As a time with a unit; it is written, and told by run.json, only where it is said."""
    sites = '[[site]]\nname = "a/x"\nprocessors = 4\n[[site]]\nname = "a/y"\nprocessors = 4\n'
    group = '[[group]]\npath = "a"\nglobal_queue = "fcfs"\n'
    (tmp_path / "plain.toml").write_text(sites + group)
    (tmp_path / "stay.toml").write_text(f'{sites}{group}longest_stay = "1 min"\ndecision_time = "own"\n')
    found = read_platform(tmp_path / "stay.toml")
    assert found.inner == (InnerSite("a", global_queue="fcfs", longest_stay=60.0, decision_time="own"),)
    assert platform_from_dict(to_dict(found)) == found
    write_platform(found, tmp_path / "again.toml")
    assert read_platform(tmp_path / "again.toml").inner == found.inner
    assert [*to_dict(read_platform(tmp_path / "plain.toml"))["group"][0]] == ["path", "global_queue"]


def test_the_own_time_of_a_broker_in_a_platform(jobs):
    """It goes before the run's word for the root, as a number would, and run.json tells it as a number."""
    platform = tree(InnerSite("a", broker="mct:decision=7", decision_time="own"))
    result = ec.simulate(jobs, platform=platform, decision_time=5)
    times = {path: one.decision_time for path, one in result.scenario.system_model.controllers.items()}
    assert times == {"": 5, "a": 7, "b": 5}
    assert manifest(result)["decision_time"] == "5@a=7"
    with pytest.raises(EchelonError, match=r'a finite number >= 0, or "own", got .equal.'):
        InnerSite("a", decision_time="equal")
