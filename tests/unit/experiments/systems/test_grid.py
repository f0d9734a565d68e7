"""Runs on a grid: who chooses among which sites, what a run is called, and what it leaves."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import echelon
from echelon import Platform, Workload, compare, simulate
from echelon.errors import EchelonError, InputError
from echelon.experiments import manifest, write_run
from echelon.experiments.study.run.case import Case
from echelon.experiments.study.run.case_run import run_case
from echelon.experiments.study.store.store import Store
from echelon.experiments.tables.columns import COLUMNS, SITE_COLUMNS
from echelon.model import (
    Cluster,
    Core,
    Hardware,
    Header,
    InnerSite,
    Node,
    Processor,
    Site,
    TimeSharedMachine,
)
from echelon.platforms.platform_writer import to_dict
from echelon.policies import Admissible, broker_named


@pytest.fixture
def jobs() -> Workload:
    """Return four jobs submitted together at two sites, and one that no site of 4 can hold."""
    jobs = Workload.from_columns(
        name="five",
        header=Header((("MaxProcs", "8"),)),
        submit_time=[0, 0, 0, 0, 1],
        run_time=[10, 20, 30, 40, 50],
        requested_time=[10, 20, 30, 40, 50],
        processors=[2, 2, 4, 1, 8],
        partition=[1, 2, 2, 2, 2],
    )
    return replace(jobs, names={"partition": ("site-1", "site-2")})


def test_a_run_on_a_grid_by_hand(jobs):
    """By mpl each job goes where least is asked a processor; its site and home are named in the table."""
    result = simulate(jobs, platform=[2, 4], policy="easy")
    assert (result.label, result.broker, result.processors) == ("mpl + easy", "mpl", 6)
    # Loads a processor when each arrives: 0 and 0; 2/2 and 0; the third fits one alone; 2/2 and 6/4.
    assert result.jobs["site"].to_list() == ["site-1", "site-2", "site-2", "site-1"]
    assert result.jobs["start_time"].to_list() == [0, 0, 20, 10]
    assert result.jobs["home_site"].to_list() == ["site-1", "site-2", "site-2", "site-2"]
    assert result.sites["jobs"].to_list() == [2, 2]
    assert result.sites["jobs_from_elsewhere"].to_list() == [1, 0]
    assert [drop.reason for drop in result.instance.dropped] == [
        "more processors than the largest site's 4",
    ]


def test_home_sites_are_empty_where_unknown(jobs):
    """A job whose partition is no site has no home; where nobody has one there is no column."""
    assert simulate(jobs, platform=[8]).jobs["home_site"].to_list() == ["site-1", None, None, None, None]
    nowhere = Platform((echelon.Site("elsewhere", 8),))
    assert "home_site" not in simulate(jobs, platform=nowhere).jobs.columns


def test_columns_are_those_listed(jobs):
    """The tables and the lists of their columns agree."""
    result = simulate(jobs, platform=[2, 4])
    assert result.jobs.columns == [
        column.name for column in COLUMNS if not column.only or column.name == "home_site"
    ]
    assert result.sites.columns == [column.name for column in SITE_COLUMNS if not column.only]
    assert simulate(jobs).sites is None


def test_one_site_is_one_machine(jobs):
    """A grid of one site gives the starts of the machine, under any broker."""
    alone = simulate(jobs, processors=8, policy="easy").jobs
    for broker in ("mpl", "random", "mct"):
        found = simulate(jobs, platform=[8], broker=broker, policy="easy").jobs
        assert found["start_time"].to_list() == alone["start_time"].to_list()


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"platform": [4], "processors": 4}, "processors: 4 cannot be combined with a platform"),
        ({"broker": "mct"}, "broker: 'mct' applies to several sites; give a platform"),
        ({"admissible": 0.5}, "admissible: 0.5 applies to several sites"),
        ({"platform": []}, "at least one site"),
        ({"platform": "grid9"}, "no platform .* is named 'grid9'"),
        ({"platform": 4}, "must be a preset's name"),
        ({"platform": [4], "broker": "lball-s"}, "did you mean 'lbal-s'"),
        ({"platform": [4], "broker": 3}, "must be a spec or a broker"),
        ({"platform": [4], "admissible": 0}, "must be a number with 0 < a <= 1, got 0"),
        ({"platform": [4], "admissible": "half"}, "must be a number with 0 < a <= 1"),
        ({"platform": [4], "passes": "pyss"}, "pyss is the order of one machine"),
        ({"platform": [1]}, None),
    ],
)
def test_what_is_refused(jobs, given, problem):
    """Each wrong choice is told with what was given; jobs that fit no site leave nothing to run."""
    if problem is None:
        assert len(simulate(jobs, **given).instance) == 1
        return
    with pytest.raises(EchelonError, match=problem):
        simulate(jobs, **given)


def test_runs_are_told_apart_by_what_differs(jobs):
    """Every broker is run with every admissibility and policy, in the order given, each with its own name."""
    found = compare(
        jobs, platform=[2, 4], brokers=["mpl", "mct:of=job"], admissible=[1, 0.5], policies=["fcfs", "easy"]
    )
    assert [result.label for result in found.results] == [
        *("mpl + fcfs", "mpl + easy", "mpl a=0.5 + fcfs", "mpl a=0.5 + easy"),
        *("mct:of=job + fcfs", "mct:of=job + easy", "mct:of=job a=0.5 + fcfs", "mct:of=job a=0.5 + easy"),
    ]
    frame = found.to_frame()
    assert frame["run"].to_list() == [result.label for result in found.results]
    assert frame["broker"].to_list() == ["mpl"] * 4 + ["mct:of=job"] * 4
    assert frame["admissible"].to_list() == [1, 1, 0.5, 0.5] * 2
    alone = simulate(jobs, platform=[2, 4], broker="mct:of=job", admissible=0.5, policy="easy")
    assert alone.metrics == found.results[-1].metrics
    assert "mct:of=job a=0.5 + easy" in found._repr_html_()


def test_what_is_compared_if_little_is_said(jobs):
    """Without policies it is fcfs, without brokers mpl; progress hears what each run is called."""
    asked = []
    compare(jobs, platform=[4], brokers=["mpl", "mlp"], progress=asked.append)
    compare(jobs, platform=[4], policies=["easy"], progress=asked.append)
    compare(jobs, platform=[4], admissible=np.array([0.5, 1]), progress=asked.append)
    compare(jobs, platform=[4], admissible="0.5:equal-sizes", progress=asked.append)
    assert asked == [
        *("mpl + fcfs", "mlp + fcfs", "mpl + easy", "mpl a=0.5 + fcfs", "mpl + fcfs"),
        "mpl a=0.5:equal-sizes + fcfs",
    ]


def test_arrangements_without_a_broker_are_run_once(jobs):
    """They have neither policy nor admissibility, so that no pair of those gives another run."""
    found = compare(
        jobs, platform=[2, 4], brokers=["common-pool", "mpl"], policies=["fcfs", "easy"], admissible=[0.5, 1]
    )
    assert [result.label for result in found.results] == [
        *("common-pool", "mpl a=0.5 + fcfs", "mpl a=0.5 + easy", "mpl + fcfs", "mpl + easy"),
    ]
    assert found.to_frame()["policy"].to_list()[:2] == [None, "fcfs"]
    assert found.results[0].label == simulate(jobs, platform=[2, 4], broker="common-pool").label
    with pytest.raises(InputError, match="no broker whose choice admissibility could limit"):
        simulate(jobs, platform=[2, 4], broker="common-pool", admissible=0.5)


@pytest.mark.parametrize("policy", ["fcfs", "easy"])
def test_a_policy_that_nobody_uses_is_refused(jobs, policy):
    """Sites without a broker have no local policy, so that one which is named is not dropped in silence."""
    said = f"policy: '{policy}' would not be used: under stealing:50 sites exchange jobs and use no lo"
    with pytest.raises(InputError, match=said):
        simulate(jobs, platform=[2, 4], broker="stealing", policy=policy)
    with pytest.raises(
        InputError, match=r"policies: \['easy'\] would not be used: under common-pool, stealing:50"
    ):
        compare(jobs, platform=[2, 4], brokers=["common-pool", "stealing"], policies=["easy"])
    with pytest.raises(InputError, match=r"admissible: 0.5 would not be used.*no broker"):
        compare(jobs, platform=[2, 4], brokers=["common-pool", "stealing"], admissible=0.5)
    assert len(compare(jobs, platform=[2, 4], brokers=["common-pool", "stealing"]).results) == 2


def test_a_study_says_which_case_has_a_policy_that_nobody_uses(tmp_path):
    """The case of a protocol without local policies fails with the sentence; the others run."""
    setting = {"workload": "lublin:jobs=20,processors=4,seed=1", "platform": [2, 4], "policy": "easy"}
    store = Store.open(tmp_path / "runs")
    ran = [run_case(Case({**setting, "broker": spec}), store) for spec in ("mpl", "exchange")]
    assert [one.ending for one in ran] == ["done", "failed"]
    assert "policy: 'easy' would not be used: under exchange:easy" in ran[1].problem


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({}, "policies: needs at least one policy"),
        ({"brokers": ["mpl"]}, "broker: 'mpl' applies to several sites"),
        ({"platform": [4], "policies": []}, "policies: needs at least one policy"),
        ({"platform": [4], "brokers": []}, "brokers: needs at least one broker"),
        ({"platform": [4], "admissible": []}, "admissible: needs at least one admissibility"),
        ({"platform": [4], "brokers": ["mct", "mpl", "mct:of=before"]}, "brokers: must .* got 'mct' twice"),
        ({"platform": [4], "admissible": [1, 1.0]}, "admissible: must all be different"),
        ({"platform": [4], "policies": ["sjf", "shortest-first"]}, "policies: must all be different"),
    ],
)
def test_nothing_to_compare_or_one_twice(jobs, given, problem):
    """Empty lists and repetitions are refused by the name of the list."""
    with pytest.raises(InputError, match=problem):
        compare(jobs, **given)


def test_the_manifest_holds_all_that_a_repetition_needs(jobs, tmp_path):
    """Sites, broker and admissibility are in run.json; run again from there, the schedule is the same."""
    platform = Platform((echelon.Site("b", 4), echelon.Site("a", 2)), name="mine", source="made up")
    result = simulate(jobs, platform=platform, broker="mct:of=job", admissible=1 / 3, policy="easy", seed=3)
    folder = write_run(result, tmp_path / "run", manifest(result))
    told = json.loads((folder / "run.json").read_text())
    assert told["platform"] == json.loads(json.dumps(to_dict(platform)))
    assert told["label"] == f"mct:of=job a={1 / 3!r} + easy"
    again = Platform(
        tuple(echelon.Site(site["name"], site["processors"]) for site in told["platform"]["sites"]),
        told["platform"]["name"],
    )
    repeated = simulate(
        jobs,
        platform=again,
        broker=told["broker"],
        admissible=told["admissible"],
        policy=told["policy"],
        seed=told["seed"],
    )
    assert repeated.jobs.equals(result.jobs)
    assert repeated.scenario.admissible == Admissible(1 / 3)
    assert broker_named(told["broker"]) == result.scenario.broker
    one = manifest(simulate(jobs))
    assert (one["platform"], one["broker"], one["admissible"], one["label"]) == (None, None, None, "fcfs")


def test_sites_are_a_file_of_grids_alone(jobs, tmp_path):
    """sites.csv is written for a grid, and taken away when a run on one machine follows."""
    grid, one = simulate(jobs, platform=[2, 4]), simulate(jobs)
    write_run(grid, tmp_path, manifest(grid))
    assert pl.read_csv(tmp_path / "sites.csv")["site"].to_list() == ["site-1", "site-2"]
    write_run(one, tmp_path, manifest(one))
    assert not (tmp_path / "sites.csv").exists()


def test_without_a_broker_no_policy_is_named(jobs):
    """`run.json` of sites without a broker names no policy and no source of one: it has no say."""
    found = manifest(simulate(jobs, platform=[4, 8], broker="stealing:50"))
    assert [found[key] for key in ("policy", "policy_source", "order_source")] == [None] * 3
    assert manifest(simulate(jobs, platform=[4, 8], policy="easy"))["policy_source"].startswith("Lifka")


NODES = Hardware((Cluster((Node((Processor((Core(1e9),) * 4),)),) * 2),))


@pytest.mark.parametrize(
    ("sites", "inner", "said"),
    [
        (
            {"c": NODES, "d": TimeSharedMachine(4)},
            (InnerSite("", broker="exchange"),),
            "no job waits at time-shared",
        ),
        (
            {"c": 4, "d": TimeSharedMachine(4)},
            (InnerSite("", broker="min-min"),),
            "at site 'c' jobs wait in a queue",
        ),
    ],
)
def test_what_no_engine_can_run_is_refused(sites, inner, said):
    """A platform that a file can describe and no engine can run is refused before anything runs."""
    platform = Platform(tuple(Site(name, resource) for name, resource in sites.items()), inner=inner)
    workload = echelon.Workload.from_columns(submit_time=[0.0], run_time=[1.0], processors=[1])
    with pytest.raises(InputError, match=said):
        echelon.simulate(workload, platform=platform)
