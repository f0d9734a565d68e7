"""``echelon run`` and ``compare`` on multiclusters, from options and from scenario files."""

from __future__ import annotations

import json
import re

import polars as pl
import pytest

SITES = """\
name = "two"
[[site]]
name = "a"
contract = {mpl = 2}
node = [{count = 2}]
[[site]]
name = "b"
contract = {mpl = 2}
node = [{count = 3}]
"""
JOBS = """\
1 0 0 20 2 -1 -1 2 20 -1 1 1 1 -1 -1 -1 -1 -1
2 1 0 10 3 -1 -1 3 10 -1 1 2 1 -1 -1 -1 -1 -1
3 2 0 30 1 -1 -1 1 40 -1 1 1 1 -1 -1 -1 -1 -1
4 3 0 10 5 -1 -1 5 10 -1 1 2 1 -1 -1 -1 -1 -1
"""
SCENARIO = """\
workload = "jobs.swf"
platform = "sites.toml"
estimator = "sdpn"
global_queue = "nb.rs"
queue_limit = 2
co_allocate = "threshold"
two_phase = true
longest_stay = 3600
local_users = "loads.csv"
watch = ["li", "ibl"]
history = "past.db"
execution = "time-shared:interference=0.1"
"""
LOADS = "time,site,node,cpu,memory,network\n0,a,0,0.5,0.2,0\n15,a,0,0,0,0\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder with jobs, two clusters and a scenario in it, and be there."""
    inner = tmp_path / "in"
    inner.mkdir()
    files = {"jobs.swf": JOBS, "sites.toml": SITES, "all.toml": SCENARIO, "loads.csv": LOADS}
    for name, text in files.items():
        (inner / name).write_text(text)
    monkeypatch.chdir(inner)
    return inner


RUN = ("run", "jobs.swf", "--platform", "sites.toml", "--estimator", "sdpn")


def test_a_run_says_what_decided(echelon, folder):
    """The table has what shared nodes have; the sentences below say what was told."""
    said = echelon(*RUN, "--upper-queue", "nb", "--queue-limit", "1", "--local-users", "xwin:share=1")
    assert said.code == 0
    assert said.out.startswith("nb limit=1 + tat + fcfs on jobs, two (2 sites, 10 processors)\n")
    assert "Slowdown of local users" in said.out
    assert "Multicluster: global queue nb, queue limit 1, co-allocation none, local load xwin," in said.out
    assert "Left out: 1 with more processors than the largest site's 3 (first: job 4)." in said.out


def test_clusters_that_pull_need_no_broker(echelon, folder):
    """Who asks for jobs is not chosen by a broker, so none is named; under other rules one is."""
    assert "Sites chosen" not in echelon(*RUN, "--upper-queue", "pull").out
    assert "Sites were chosen by the broker tat." in echelon(*RUN, "--upper-queue", "sjf").out
    said = echelon(*RUN, "--upper-queue", "pull", "--broker", "tat")
    assert said.code == 2
    assert (
        "broker: 'tat' would not be used: under the global queue pull clusters take jobs themselves"
        in said.err
    )


def test_a_scenario_file_says_it_all(echelon, folder, monkeypatch):
    """Paths are relative to the file; run.json has it all again; a second run knows the first."""
    monkeypatch.chdir(folder.parent)
    for known in (0, 4):
        said = echelon("run", "in/all.toml", "--out", "out")
        assert said.code == 0
        assert f"Learned from {known} jobs of in/past.db; this run was recorded there.\n" in said.out
    run = json.loads((folder.parent / "out" / "run.json").read_text())
    assert (run["upper_queue"], run["queue_limit"], run["two_phase"]) == ("nb.rs", "2", True)
    assert (run["watch"], run["longest_stay"]) == (["li", "ibl"], 3600)
    assert (run["execution"], run["local_users"]) == ("time-shared:interference=0.1", "in/loads.csv")
    jobs = pl.read_csv(folder.parent / "out" / "jobs.csv")
    assert jobs.filter(pl.col("sites") == 2)["nodes"].to_list() == ["a: 0-1; b: 0-2"]
    accuracy = pl.read_csv(folder.parent / "out" / "accuracy.csv")
    assert accuracy["estimator"].unique(maintain_order=True).to_list() == ["sdpn", "li", "ibl"]
    assert echelon("report", "out").code == 0


def test_an_option_counts_more_than_the_file(echelon, folder):
    """What is given on the command line stands, also on one machine instead."""
    said = echelon("run", "all.toml", "--queue-limit", "unlimited", "--one-phase", "--json")
    assert (said.json["run"]["queue_limit"], said.json["run"]["two_phase"]) == ("unlimited", False)
    alone = echelon("run", "all.toml", "--processors", "8", "--execution", "fixed")
    assert alone.sentence.startswith("echelon: execution: 'fixed' applies to nodes")


def test_several_global_queues_and_limits(echelon, folder):
    """Each is run with each, and shown by its spec."""
    said = echelon(
        "compare", "jobs.swf", "--platform", "sites.toml", "--upper-queue", "b,nb", "--queue-limit", "1,2",
        "--local-users", "xwin", "--out", "out",
    )  # fmt: skip
    assert said.code == 0
    table = pl.read_csv(folder / "out" / "metrics.csv")
    assert table["upper_queue"].to_list() == ["b", "b", "nb", "nb"]
    assert table["queue_limit"].to_list() == [1, 2, 1, 2]
    assert "Local" in said.out


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ('global_queue = "nb.sr"', "no global queue is named 'nb.sr'; did you mean 'nb.rs'?"),
        ('queue_limit = "soon"', "no queue limit is named 'soon'"),
        ('co_allocate = "most"', "no co-allocation is named 'most'"),
        ("longest_stay = 0", "longest_stay: got 0, expected seconds > 0"),
        ('watch = "li"', "watch: got 'li', expected a list of estimators"),
        ('watch = ["le"]', "no estimator is named 'le'"),
        ('local_users = "no.csv"', "no.csv: cannot be read: No such file"),
        ('history = ""', "history: got '', expected a file or an address"),
    ],
)
def test_mistakes_in_a_file_are_one_sentence(echelon, folder, change, problem):
    """A wrong word is told with its key and the nearest right one."""
    key = change.split(" ")[0]
    kept = [line for line in SCENARIO.splitlines() if not line.startswith(key)]
    (folder / "all.toml").write_text("\n".join([*kept, change]) + "\n")
    said = echelon("run", "all.toml")
    assert said.code == 2
    assert problem in said.sentence


def test_the_same_seed_the_same_files(echelon, folder):
    """Run twice, all files but reports and manifests are the same, byte for byte, seconds aside."""
    for name in ("one", "two"):
        told = ("--local-users", "xwin:share=0.5:period=5", "--watch", "ibl", "--seed", "7", "--out", name)
        assert echelon(*RUN, *told, "--no-report").code == 0
    for file in ("jobs.csv", "jobs.parquet", "nodes.csv", "places.csv", "sites.csv", "metrics.json"):
        assert (folder / "one" / file).read_bytes() == (folder / "two" / file).read_bytes()
    forecasts = [pl.read_csv(folder / name / "forecasts.csv").drop("seconds") for name in ("one", "two")]
    assert forecasts[0].equals(forecasts[1])


def test_rules_of_multiclusters_are_listed(echelon):
    """Upper queues, limits and co-allocations are in the list, and each is told by its name."""
    said = echelon("policies")
    for word in ("nb.rs", "requests", "stable, stable:predicted", "first-feasible", "rule-85"):
        assert f"  {word} " in said.out
    assert echelon("policies", "b.rs").out.startswith("--global-queue b.rs\n")
    assert echelon("policies", "stable:predicted").out.startswith("--queue-limit stable:predicted\n")
    assert echelon("policies", "optimal").out.startswith("--co-allocate optimal\n")
    # A name that policies have, too, is theirs.
    assert "Order of the queue: fcfs" in echelon("policies", "fcfs").out


def test_runs_that_reject_different_jobs_are_told_apart(echelon):
    """What a comparison simulates and rejects is told as a range, with a column, where runs differ."""
    arguments = ("nas:jobs=40:gap=2", "--platform", "cisne-844", "--brokers", "tat,first-site")
    said = echelon("compare", *arguments, "--longest-stay", "60")
    assert said.code == 0
    found = re.search(r"^(\d+) to (\d+) of 40 jobs simulated in each of 2 runs", said.out, re.MULTILINE)
    least, most = found.groups()
    rejected = f"Left out by the runs: {40 - int(most)} to {40 - int(least)} with a stay of 60 s in queues"
    assert rejected in said.out
    assert re.search(rf"^ first-site \+ fcfs +{40 - int(least)}\b", said.out, re.MULTILINE)
    same = echelon("compare", *arguments)
    assert same.out.count("40 of 40 jobs simulated in each of 2 runs") == 1
    assert "Rejected" not in same.out


def test_old_statuses_are_told(echelon):
    """How old statuses may be is said after the run, and nothing where they are not old."""
    jobs = "nas:jobs=12:gap=6"
    told = echelon("run", jobs, "--platform", "cisne-555", "--refresh", "30").out
    assert "local load none, statuses at most 30 s old, execution time-shared" in told
    by_minutes = echelon("run", jobs, "--platform", "cisne-555", "--refresh", "0.5min").out
    assert "statuses at most 30 s old" in by_minutes
    assert "statuses" not in echelon("run", jobs, "--platform", "cisne-555").out


def test_co_allocation_in_a_tree_is_told(echelon, tmp_path):
    """It is one of the rules of shared nodes, also where these are a part of a tree."""
    labs = "".join(
        f'[[site]]\nname = "labs/{one}"\ncontract = {{ mpl = 2 }}\nnode = {{ count = 4 }}\n' for one in "ab"
    )
    (tmp_path / "labs.toml").write_text(
        f'[[group]]\npath = "labs"\nglobal_queue = "fcfs"\n{labs}[[site]]\nname = "c"\nprocessors = 4\n'
    )
    given = ("run", "lublin:jobs=12,processors=4,seed=3", "--platform", str(tmp_path / "labs.toml"))
    assert "co-allocation threshold" in echelon(*given, "--co-allocate", "threshold").out
    assert "co-allocation" not in echelon(*given).out


def test_queues_and_stays_of_inner_sites_are_told_by_site(echelon, tmp_path):
    """Each inner site with several queues has a sentence of its own; a longest stay is told on any tree."""
    sites = "".join(f'[[site]]\nname = "{name}"\nprocessors = 8\n' for name in ("a/x", "a/y", "b"))
    (tmp_path / "t.toml").write_text(sites)
    run = (
        "run",
        "lublin:jobs=9,processors=8",
        "--platform",
        tmp_path / "t.toml",
        "--longest-stay",
        "600@a=60",
    )
    said = echelon(*run, "--queues", "one(tasks(most=1)); rest@a=x(tasks(most=2)); y")
    assert said.code == 0
    lines = said.out.splitlines()
    assert "Global queues: one(tasks(most=1)); rest." in lines
    assert "Global queues at a: x(tasks(most=2)); y." in lines
    assert "A job that had not started after 600@a=60 s was rejected." in lines
    plain = echelon(*run[:-1], 600, "--global-queue", "fcfs")
    assert "A job that had not started after 600 s was rejected." in plain.out.splitlines()


def test_queues_and_histories_vary_between_vertical_bars(echelon, folder):
    """Commas and semicolons have meanings of their own in them, so that bars part several values."""
    queues = "small(tasks(most=2)); rest | one"
    said = echelon("compare", "jobs.swf", "--platform", "sites.toml", "--queues", queues, "--json", "-q")
    assert [label.partition(" + ")[0] for label in json.loads(said.out)["metrics"]] == [
        "queues=small(tasks(most=2)); rest",
        "queues=one",
    ]
    wrong = echelon("compare", "jobs.swf", "--platform", "sites.toml", "--history", "a.db|")
    assert (wrong.code, wrong.out) == (2, "")
    assert "needs a value on both sides of |, got 'a.db|'" in wrong.err
