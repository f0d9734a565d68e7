"""``echelon run`` and ``compare`` on a grid, and ``echelon brokers``."""

from __future__ import annotations

import json

import polars as pl
import pytest

from echelon.policies import DISPATCHERS, IMMEDIATE_STRATEGIES, PROTOCOLS, STRATEGIES

JOBS = """\
; Partition: 1 small
; Partition: 2 large
1 0 0 10 2 -1 -1 2 10 -1 1 1 1 -1 -1 1 -1 -1
2 0 0 20 2 -1 -1 2 20 -1 1 1 1 -1 -1 2 -1 -1
3 0 0 30 4 -1 -1 4 30 -1 1 1 1 -1 -1 2 -1 -1
4 0 0 40 1 -1 -1 1 40 -1 1 1 1 -1 -1 2 -1 -1
"""
SITES = '[[site]]\nname = "large"\nprocessors = 4\n[[site]]\nname = "small"\nprocessors = 2\n'
BROKER = '''
from echelon.policies import broker


@broker("last", information=0, source="none")
def last(job, site, view):
    """The largest site."""
    return -view.sizes[site]
'''


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder with four jobs, two sites and a broker in it, and be there."""
    (tmp_path / "jobs.swf").write_text(JOBS)
    (tmp_path / "sites.toml").write_text(SITES)
    (tmp_path / "rules.py").write_text(BROKER)
    monkeypatch.chdir(tmp_path)
    return tmp_path


RUN = ("run", "jobs.swf", "--platform", "sites.toml", "--policy", "easy")


def test_a_table_by_site(echelon, folder):
    """The run is named by broker and policy; a row a site says what came from elsewhere, and who chose."""
    said = echelon(*RUN)
    assert said.code == 0
    assert said.out.startswith("mpl + easy on jobs, sites (2 sites, 6 processors)\n")
    rows = {arguments[0]: arguments[1:] for line in said.out.splitlines() if (arguments := line.split())}
    assert rows["small"] == ["2", "2", "1", "60.0", "5", "1.125"]
    assert rows["large"] == ["4", "2", "0", "80.0", "10", "1.333"]
    assert "Sites were chosen by the broker mpl.\n" in said.out


def test_jobs_without_a_home_are_told(echelon, folder):
    """Where the broker sends jobs home, those without one are counted; with homes nothing is said."""
    assert "home: " not in echelon(*RUN, "--broker", "home").out
    (folder / "jobs.swf").write_text(JOBS.replace("2 large", "2 elsewhere"))
    sentence = "home: 3 of 4 jobs have no partition that is named like a site; they went to the smallest"
    assert sentence in echelon(*RUN, "--broker", "home").out
    assert sentence in echelon("compare", *RUN[1:4], "--brokers", "mct,home", "--policies", "easy").out


def test_files_of_a_grid(echelon, folder):
    """jobs.csv names sites and homes, sites.csv has a row a site, run.json all that was told."""
    said = echelon(*RUN, "--broker", "mct:of=job", "--admissible", "0.9", "--out", "out")
    assert said.code == 0
    assert "sites.csv" in said.out
    assert "mct:of=job among admissible ones, a = 0.9." in said.out
    jobs = pl.read_csv("out/jobs.csv")
    assert set(jobs["site"]) == {"small", "large"}
    assert jobs["home_site"].to_list() == ["small", "large", "large", "large"]
    assert pl.read_csv("out/sites.csv")["processors"].to_list() == [4, 2]
    run = json.loads((folder / "out" / "run.json").read_text())
    assert (run["broker"], run["admissible"], run["processors"]) == ("mct:of=job", 0.9, 6)
    assert [site["name"] for site in run["platform"]["sites"]] == ["large", "small"]
    assert "mct:of=job a=0.9 + easy" in (folder / "out" / "report.html").read_text()


def test_an_arrangement_without_a_broker(echelon, folder):
    """It is named by its own spec, without a local policy."""
    plain = [word for word in RUN if word not in ("--policy", "easy")]
    said = echelon(*plain, "--broker", "common-pool")
    assert said.out.startswith("common-pool on jobs, sites")
    assert "Decentralized scheduling: common-pool (local policies are not used).\n" in said.out
    said = echelon(*RUN, "--broker", "common-pool")
    assert said.code == 2
    assert "policy: 'easy' would not be used: under common-pool sites exchange jobs" in said.err


def test_a_scenario_file_with_a_policy_that_nobody_uses(echelon, folder):
    """A local policy in a file is refused beside a protocol without one, too."""
    text = 'workload = "jobs.swf"\nplatform = "sites.toml"\npolicy = "easy"\nbroker = "stealing"\n'
    (folder / "run.toml").write_text(text)
    said = echelon("run", "run.toml")
    assert said.code == 2
    assert "policy: 'easy' would not be used: under stealing:50" in said.err


def test_a_comparison_says_to_whom_policies_do_not_apply(echelon, folder):
    """Beside brokers a protocol is run once; a sentence says that policies and admissibility are not its."""
    arguments = ("jobs.swf", "--platform", "sites.toml", "--policies", "fcfs,easy")
    said = echelon("compare", *arguments, "--brokers", "mpl,common-pool")
    assert said.code == 0
    assert "Local policies and admissibility do not apply to common-pool: sites exchange jobs" in said.out
    said = echelon("compare", *arguments, "--brokers", "common-pool,stealing")
    assert said.code == 2
    assert "would not be used: under common-pool, stealing:50" in said.err


def test_a_broker_of_ones_own(echelon, folder):
    """FILE.py:NAME chooses, too."""
    said = echelon(*RUN, "--broker", "rules.py:last", "--out", "out", "--no-report")
    assert said.out.startswith("last + easy on jobs")
    assert set(pl.read_csv("out/jobs.csv")["site"]) == {"large"}


def test_check_a_broker_of_ones_own(echelon, folder):
    """A broker is told from a policy, and what it breaks is said."""
    said = echelon("check", "rules.py:last")
    assert (said.code, said.err) == (0, "")
    assert said.out.endswith("last keeps the rules.\n")
    (folder / "wrong.py").write_text(BROKER.replace("return -view.sizes[site]", "return view.jobs(site)"))
    said = echelon("check", "wrong.py:last")
    assert said.code == 2
    assert "fails the check of its sites" in said.err


def test_a_comparison_of_brokers(echelon, folder):
    """Each broker with each admissibility and policy has a row, a folder and a place in the report."""
    arguments = ("--brokers", "mpl,mct", "--policies", "fcfs,easy", "--admissible", "1,0.5", "--out", "out")
    said = echelon("compare", "jobs.swf", "--platform", "sites.toml", *arguments)
    assert said.code == 0
    assert said.out.startswith("8 runs on jobs, sites (2 sites, 6 processors)\n")
    assert "4 of 4 jobs simulated in each of 8 runs in " in said.out
    table = pl.read_csv("out/metrics.csv")
    assert table.height == len(set(table["run"])) == 8
    metrics = json.loads((folder / "out" / "metrics.json").read_text())
    assert list(metrics) == table["run"].to_list()
    assert (folder / "out" / "mct-a=0.5-easy" / "sites.csv").is_file()
    page = (folder / "out" / "report.html").read_text()
    assert all(label in page for label in metrics)
    again = echelon("report", "out")
    assert again.code == 0
    assert "mct a=0.5 + easy" in again.out


def test_brokers_alone_are_enough_to_compare(echelon, folder):
    """Policies may be left out on a grid; --json names runs by their labels."""
    said = echelon(
        "compare", "jobs.swf", "--platform", "sites.toml", "--brokers", "mpl,common-pool", "--json"
    )
    assert list(said.json["metrics"]) == list(said.json["runs"]) == ["mpl + fcfs", "common-pool"]


def test_a_scenario_file_of_a_grid(echelon, folder, monkeypatch):
    """The keys are the options; paths in it start from its folder; --processors there means one machine."""
    (folder / "grid.toml").write_text(
        'workload = "jobs.swf"\nplatform = "sites.toml"\nbroker = "rules.py:last"\nadmissible = 1\n'
        'policy = "easy"\n'
    )
    monkeypatch.chdir("/")
    run = echelon("run", folder / "grid.toml", "--json").json["run"]
    assert (run["label"], run["platform"]["name"]) == ("last + easy", "sites")
    assert echelon("run", folder / "grid.toml", "--processors", 4, "--json").json["run"]["label"] == "easy"
    other = echelon("run", folder / "grid.toml", "--platform", "grid3", "--admissible", "0.5", "--json")
    assert other.json["run"]["label"] == "last a=0.5 + easy"
    (folder / "one.toml").write_text(f'workload = "{folder}/jobs.swf"\nprocessors = 4\n')
    assert (
        echelon("run", folder / "one.toml", "--platform", "grid3", "--json").json["run"]["processors"] == 136
    )


def test_a_scenario_file_is_compared_with_others(echelon, folder):
    """Compare takes a scenario file, too: its one policy and broker unless several are named."""
    (folder / "grid.toml").write_text(
        'workload = "jobs.swf"\nplatform = "sites.toml"\nbroker = "mct"\npolicy = "easy"\nout = "out"\n'
        "report = false\n"
    )
    said = echelon("compare", "grid.toml", "--policies", "easy,fcfs")
    assert said.code == 0
    assert pl.read_csv("out/metrics.csv")["run"].to_list() == ["mct + easy", "mct + fcfs"]
    assert not (folder / "out" / "report.html").exists()
    runs = echelon("compare", "grid.toml", "--brokers", "mpl,mlp", "--out", "other", "--json").json["runs"]
    assert list(runs) == ["mpl + easy", "mlp + easy"]


def test_of_many_sites_those_with_the_most_work_are_shown(echelon, folder):
    """A terminal has no thousand rows; the file has."""
    sites = "".join(f'[[site]]\nname = "s{k}"\nprocessors = {4 + k}\n' for k in range(40))
    (folder / "many.toml").write_text(sites)
    said = echelon("run", "jobs.swf", "--platform", "many.toml", "--out", "out", "--no-report")
    shown = [line for line in said.out.splitlines() if line.startswith(" s")]
    assert len(shown) == 30
    assert [line.split()[0] for line in shown][:4] == ["s0", "s1", "s2", "s3"]
    assert "The 10 other sites ran less than these.\n" in said.out
    assert pl.read_csv("out/sites.csv").height == 40


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("run jobs.swf --broker mct", "broker: 'mct' applies to several sites; give a platform"),
        ("run jobs.swf --admissible 0.5", "admissible: '0.5' applies to several sites"),
        (
            "run jobs.swf --platform sites.toml --processors 4",
            "processors: 4 cannot be combined with a platform",
        ),
        ("run jobs.swf --platform gird1", "did you mean 'grid1'?"),
        ("run jobs.swf --platform none.toml", "none.toml: no such file, expected a platform in TOML"),
        (
            "run jobs.swf --platform grid3 --broker lball-s",
            "no broker is named 'lball-s'; did you mean 'lbal-s'?",
        ),
        ("run jobs.swf --platform grid3 --broker rules.py:lats", "no broker in rules.py is named 'lats'"),
        ("run jobs.swf --platform grid3 --admissible 2", "must be a number with 0 < a <= 1"),
        (
            "run jobs.swf --platform grid3 --passes pyss",
            "pyss is the order of one machine, whose jobs have all been submitted to it; choose 'instant' or "
            "'event', got 'pyss'",
        ),
        ("run jobs.swf --platform grid3 --broker common-pool --admissible 0.5", "has no broker"),
        (
            "run wrong.toml",
            "broker: no broker is named 'lball-s'; did you mean 'lbal-s'?; admissible: must",
        ),
        ("run wrong.toml", "line 3, site 1, processors: got 0, expected a whole number"),
        ("compare jobs.swf", "needs policies to compare, give --policies P,Q (or --platform and --brokers)"),
        ("compare jobs.swf --policies easy --brokers mpl", "broker: 'mpl' applies to several sites"),
        (
            "compare jobs.swf --platform grid3 --brokers mpl,mpl",
            "brokers: must all be different, got 'mpl' twice",
        ),
        (
            "compare jobs.swf --platform grid3 --brokers mpl,,mct",
            "brokers: must be names joined by single commas",
        ),
        ("compare jobs.swf --platform grid3 --admissible 1,1.0", "admissible: must all be different"),
        ("brokers lball-s", "no broker is named 'lball-s'; did you mean 'lbal-s'?"),
    ],
)
def test_wrong_arguments(echelon, folder, arguments, sentence):
    """One sentence and exit code 2, and nothing is written."""
    (folder / "none.toml.bak").write_text("")
    (folder / "wrong-sites.toml").write_text('[[site]]\nname = "a"\nprocessors = 0\n')
    (folder / "wrong.toml").write_text(
        'workload = "jobs.swf"\nplatform = "wrong-sites.toml"\nbroker = "lball-s"\nadmissible = true\n'
    )
    before = sorted(folder.rglob("*"))
    said = echelon(*arguments.split())
    assert said.code == 2
    assert sentence in said.sentence
    assert [path for path in sorted(folder.rglob("*")) if "__pycache__" not in str(path)] == before


def test_every_broker_is_listed(echelon):
    """Each strategy and arrangement is there, with its source."""
    said = echelon("brokers")
    assert (said.code, said.err) == (0, "")
    flat = " ".join(said.out.split())
    for kind in (*STRATEGIES, *IMMEDIATE_STRATEGIES, *DISPATCHERS, *PROTOCOLS.values()):
        assert f" {kind.name} " in flat
        assert f"Source: {kind.source}" in flat


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "mct:of=job",
            ["--broker mct:of=job\n", "needs   level 4, schedules: ", "The completion of", "Source: Quezada"],
        ),
        ("ml", ["--broker ml\n", "level 1, job-counts: the sites' sizes, the numbers of their jobs\n"]),
        ("common-pool", ["--broker common-pool\n", "List scheduling from one pool"]),
    ],
)
def test_all_about_one_broker(echelon, name, expected):
    """A broker is described by its canonical spec, what it needs to know, and its docstring."""
    said = echelon("brokers", name)
    assert said.code == 0
    assert [text for text in expected if text not in said.out] == []
    assert "``" not in said.out
