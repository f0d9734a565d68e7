"""Policies of single sites: how they are said, which site has which, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import echelon as ec
from echelon.errors import EchelonError
from echelon.experiments import manifest
from echelon.experiments.scenario import scenario_of
from echelon.experiments.scenario_file import scenario_from
from echelon.model import InnerSite, SharedCluster, SocialContract, TimeSharedMachine, Workstation


@pytest.fixture
def jobs():
    """Return a hundred jobs of one to four processors."""
    return ec.read_workload("lublin:jobs=100,processors=4,seed=3")


def tree_of(*inner, **sites):
    """Return a platform of sites, ``__`` in whose names stands for ``/``; 8 processors under a policy."""
    made = (
        ec.Site(name, 8, policy=one) if isinstance(one, str) else ec.Site(name, one)
        for name, one in ((name.replace("__", "/"), one) for name, one in sites.items())
    )
    return ec.Platform(tuple(made), "tree", inner=inner)


def tree(**sites):
    """Return a platform of which only sites are described."""
    return tree_of(**sites)


TREE = tree(desk=TimeSharedMachine(4), spain__a=4, spain__uab__n=8, spain__uab__m=4, lab=6)


def policies(jobs, platform, **said):
    """Return the name of the policy of every site with a queue."""
    policy = scenario_of(jobs, platform=platform, **said).policy
    names = [site.name for site in platform.sites if not isinstance(site.resource, TimeSharedMachine)]
    return [policy.at(name).name for name in names]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("easy", ["easy"] * 4),
        ("easy@lab=sjf", ["easy"] * 3 + ["shortest-first"]),
        ("@spain=easy", ["easy"] * 3 + ["fcfs"]),
        ("easy@spain=lpt@spain/uab/n=none", ["longest-first", "fcfs", "longest-first", "easy"]),
        ({"": "easy", "spain/uab": "conservative"}, ["easy", "conservative", "conservative", "easy"]),
    ],
)
def test_the_longest_path_counts(jobs, said, expected):
    """A site has the policy of its own path, else of the nearest inner site above it, else of the root."""
    assert policies(jobs, TREE, policy=said) == expected


SAID = tree_of(
    InnerSite("", policy="easy"),
    InnerSite("spain", policy="conservative"),
    spain__a=4,
    spain__uab__n="SJF",
    spain__uab__m=4,
    lab=6,
)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (None, ["conservative", "shortest-first", "conservative", "easy"]),
        ("fcfs", ["conservative", "shortest-first", "conservative", "fcfs"]),
        ("fcfs@*=lpt", ["longest-first"] * 4),
        ("@spain=lpt", ["longest-first"] * 3 + ["easy"]),
        ("@spain/uab=lpt", ["conservative", "longest-first", "longest-first", "easy"]),
    ],
)
def test_a_run_overrides_its_platform(jobs, said, expected):
    """The run's word for a site or above it counts, then the platform's, then the run's for the root."""
    named = {} if said is None else {"policy": said}
    assert policies(jobs, SAID, **named) == expected
    spec = scenario_of(jobs, platform=SAID, **named).policy.name
    assert policies(jobs, SAID, policy=spec) == expected


def test_platform_files_say_policies(jobs, tmp_path):
    """A written platform is read back with its policies; wrong ones are placed."""
    path = tmp_path / "said.toml"
    ec.write_platform(SAID, path)
    again = ec.read_platform(path)
    assert again == SAID
    assert [site.policy for site in again.sites] == [None, "SJF", None, None]
    path.write_text('[[site]]\nname = "a/b"\nprocessors = 4\npolicy = "eazy"\n')
    with pytest.raises(EchelonError, match=r"said\.toml: line 4, site 1, policy: no policy is named 'eazy'"):
        scenario_of(jobs, platform=str(path))
    path.write_text('[[site]]\nname = "a/b"\nprocessors = 4\n[[group]]\npath = "a"\npolicy = "eazy"\n')
    with pytest.raises(EchelonError, match=r"said\.toml: line 6, group 1, policy: no policy is named 'eazy'"):
        scenario_of(jobs, platform=str(path))


def test_a_time_shared_machine_has_no_policy():
    """It has no queue."""
    with pytest.raises(EchelonError, match="policy of site 'desk': must be left out"):
        ec.Site("desk", TimeSharedMachine(4), policy="easy")


def test_specs_are_read_back(jobs):
    """The policy in a manifest is canonical and gives the same run again."""
    first = ec.simulate(jobs, platform=TREE, policy="easy@spain/uab=SJF@lab=cons")
    spec = manifest(first)["policy"]
    assert spec == first.policy == "easy@lab=conservative@spain/uab=shortest-first"
    again = ec.simulate(jobs, platform=TREE, policy=spec)
    assert again.jobs.equals(first.jobs)
    assert again.label == first.label == "mpl + easy@lab=conservative@spain/uab=shortest-first"


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("easy@spian=fcfs", "no site is named 'spian'"),
        ("easy@desk=fcfs", "policy: names 'desk', where no job waits for a policy"),
        ("easy@spain=nonsense", "no policy is named 'nonsense'"),
        ("easy@lab=fcfs@lab=easy", "policy: names inner site 'lab' twice"),
    ],
)
def test_wrong_paths_are_refused(jobs, said, message):
    """A path must name sites whose jobs wait, once, and a policy."""
    with pytest.raises(EchelonError, match=message):
        scenario_of(jobs, platform=TREE, policy=said)


def test_names_that_specs_cannot_hold_are_refused(jobs):
    """What a manifest says could not be read back."""
    with pytest.raises(EchelonError, match="names 'a@b', expected a path without any of"):
        scenario_of(jobs, platform=tree(**{"a@b": 4, "c": 4}), policy={"": "easy", "a@b": "fcfs"})


def test_one_machine_has_no_paths(jobs):
    """A single machine is told from a platform of sites."""
    with pytest.raises(EchelonError, match="policy: names 'a', but there is one machine"):
        scenario_of(jobs, policy="easy@a=fcfs")


def test_sites_under_a_protocol_have_none(jobs):
    """Where sites exchange jobs by themselves, a policy of theirs would not be used."""
    with pytest.raises(EchelonError, match="names 'spain/uab/n', where no job waits for a policy"):
        scenario_of(jobs, platform=TREE, policy="easy@spain/uab/n=fcfs", broker="mpl@spain/uab=common-pool")


@pytest.mark.slow
@pytest.mark.parametrize(
    "platform",
    [
        tree(a=4, b=8),
        tree(a=SharedCluster((Workstation(),) * 4), b=SharedCluster((Workstation(),) * 8)),
    ],
    ids=["grid", "multicluster"],
)
def test_flat_platforms_take_them(jobs, platform):
    """On a flat grid and a multicluster the paths are the names of sites."""
    mixed = ec.simulate(jobs, platform=platform, policy="easy@b=fcfs")
    assert mixed.scenario.policy.at("b").name == "fcfs"
    assert mixed.scenario.policy.at("a").scheduler.name == "easy"
    assert mixed.engine.startswith("reference")


@pytest.mark.slow
@pytest.mark.parametrize("seed", [7, 8])
def test_a_cluster_suspends_by_the_policy_that_it_has(seed):
    """On shared nodes what is left of suspended jobs goes by the policy of their cluster."""
    jobs = ec.read_workload(f"nas:jobs=60:gap=6:seed={seed}")
    cluster = tree(a=SharedCluster((Workstation(),) * 16, SocialContract(mpl=2)))
    plain, by_path = (ec.simulate(jobs, platform=cluster, policy=spec) for spec in ("srtf", "fcfs@a=srtf"))
    assert plain.schedule.interrupted
    for column in ("start_time", "end_time"):
        assert by_path.jobs[column].equals(plain.jobs[column])


def test_a_scenario_file_says_them():
    """In a scenario file the policies are a spec, or a table by path."""
    table = {"": "easy", "b": {"name": "slack", "factor": 2}}
    for said in (table, "easy@b=slack:factor=2"):
        content = {"workload": "lublin:jobs=20,processors=4,seed=3", "policy": said}
        assert scenario_from(content, Path("run.toml"))["policy"] == "easy@b=slack:factor=2"
