"""``echelon compare``."""

from __future__ import annotations

import io
import json

import polars as pl
import pytest

POLICIES = "fcfs,easy,easy(reservations=2)"


def test_a_table_with_the_best_marked(echelon, six_jobs, monkeypatch):
    """One row a policy, one unit a column, a star at the best values."""
    monkeypatch.setenv("COLUMNS", "80")
    said = echelon("compare", six_jobs, "--policies", POLICIES)
    assert (said.code, said.err) == (0, "")
    rows = {arguments[0]: arguments[1:] for line in said.out.splitlines() if (arguments := line.split())}
    assert rows["fcfs"][0] == "74.25"
    assert rows["easy"][0] == rows["easy:reservations=2"][0] == "24.75*"
    assert max(map(len, said.out.splitlines())) <= 80


def test_a_table_wider_than_the_terminal_stays_whole(echelon, six_jobs, tmp_path, monkeypatch):
    """Metrics of one's own take the room they need: no name and no head is cut."""
    monkeypatch.setenv("COLUMNS", "80")
    rules = tmp_path / "rules.py"
    rules.write_text(
        "from echelon import metric\n"
        + "".join(
            f"@metric('some_long_name_{n}', unit='units of length', source='none', better='low')\n"
            f"def rule_{n}(jobs):\n    'A number.'\n    return {n}\n"
            for n in range(4)
        )
    )
    own = [word for n in range(4) for word in ("--metric", f"{rules}:some_long_name_{n}")]
    said = echelon("compare", six_jobs, "--policies", "easy,easy:shortest-first", *own)
    assert (said.code, said.err) == (0, "")
    heads = next(line.split() for line in said.out.splitlines() if "Policy" in line)
    assert heads[-3:] == ["units", "of", "length"]
    assert [line.split()[0] for line in said.out.splitlines() if "24.75" in line][:1] == ["easy"]
    assert any(line.lstrip().startswith("easy:shortest-first ") for line in said.out.splitlines())


def test_equal_policies_have_no_best(echelon, six_jobs):
    """Where no value is better than another there is no star, and no word of stars."""
    said = echelon("compare", six_jobs, "--policies", "easy")
    assert said.out.startswith("1 policy on ")
    assert "*" not in said.out


def test_files(echelon, six_jobs, tmp_path):
    """--out leaves a run folder for each policy, the comparison, and one page with all."""
    out = tmp_path / "out"
    said = echelon("compare", six_jobs, "--policies", POLICIES, "--out", out)
    folders = ["easy", "easy-reservations=2", "fcfs"]
    assert sorted(path.name for path in out.iterdir()) == [
        *folders,
        "metrics.csv",
        "metrics.json",
        "report.html",
    ]
    for folder in folders:
        names = {path.name for path in (out / folder).iterdir()}
        assert {"jobs.csv", "jobs.parquet", "metrics.json", "run.json"} <= names
    metrics = json.loads((out / "metrics.json").read_text())
    assert list(metrics) == ["fcfs", "easy", "easy:reservations=2"]
    assert metrics["easy"] == json.loads((out / "easy" / "metrics.json").read_text())
    assert pl.read_csv(out / "metrics.csv")["mean_wait"].to_list() == [74.25, 24.75, 24.75]
    page = (out / "report.html").read_text()
    assert all(policy in page for policy in metrics)
    assert str(out / "report.html") in said.out


def test_json_and_no_report(echelon, six_jobs, tmp_path):
    """--json prints the metrics of each policy, its run and the files, and nothing else."""
    out = tmp_path / "out"
    said = echelon("compare", six_jobs, "--policies", POLICIES, "--json", "--no-report", "--out", out)
    assert said.err == ""
    assert said.json["metrics"] == json.loads((out / "metrics.json").read_text())
    assert said.json["runs"]["fcfs"]["command"][:2] == ["echelon", "compare"]
    assert set(said.json["files"]) == {str(path) for path in out.rglob("*.*") if path.is_file()}
    assert not (out / "report.html").exists()


def test_quiet(echelon, six_jobs):
    """--quiet says nothing when all is well."""
    assert echelon("compare", six_jobs, "--policies", "fcfs,easy", "-q") == (0, "", "")


def test_round_robin_is_not_the_best_by_waits_that_go_on(echelon, tmp_path):
    """Three jobs in turns wait 10 s on average, one after the other 6 s: the star of the waits is there."""
    log = tmp_path / "three.csv"
    log.write_text("submit_time,run_time,processors\n0,6,1\n0,6,1\n0,6,1\n")
    said = echelon(
        "compare",
        log,
        "--processors",
        "1",
        "--policies",
        "fcfs,round-robin:quantum=2",
        "--out",
        tmp_path / "out",
    )
    assert (said.code, said.err) == (0, "")
    rows = {arguments[0]: arguments[1:4] for line in said.out.splitlines() if (arguments := line.split())}
    # Mean wait, longest wait, first start.
    assert rows["fcfs"] == ["6*", "12", "6"]
    assert rows["round-robin:quantum=2"] == ["10", "12", "2*"]
    page = (tmp_path / "out" / "report.html").read_text()
    row = page.split('data-metric="mean_wait"')[1].split("</tr>")[0]
    assert row.index("★") < row.index("10")


def test_changes_to_the_jobs_are_compared_and_marked(echelon, six_jobs, tmp_path):
    """Lists by commas, windows by semicolons, both flags of a pair: a row each, and a word on other jobs."""
    folder = tmp_path / "out"
    said = echelon("compare", six_jobs, "--policies", "fcfs,easy", "--load", "1,2", "--out", folder)
    assert (said.code, said.err) == (0, "")
    assert "The jobs of these runs differ; compare values only within load=1, and within load=2." in said.out
    table = pl.read_csv(folder / "metrics.csv")
    assert table["run"].to_list() == ["load=1 + fcfs", "load=1 + easy", "load=2 + fcfs", "load=2 + easy"]
    assert table["job_set"].to_list() == [1, 1, 2, 2]
    records = [json.loads(path.read_text()) for path in sorted(folder.glob("*/run.json"))]
    assert [(record["load"], record["policy"]) for record in records] == [
        *((1.0, "easy"), (1.0, "fcfs"), (2.0, "easy"), (2.0, "fcfs"))
    ]
    assert "Jobs: " not in said.out
    page = (folder / "report.html").read_text()
    assert "Changes to the jobs" in page
    assert "load: 1.0" in page
    alone = echelon("run", six_jobs, "--load", "2", "--first", "4")
    assert "Jobs: kept 4 of 6 jobs: the first 4 jobs." in alone.out
    assert "Jobs: load scaled by 2." in alone.out
    windows = echelon("compare", six_jobs, "--window", "0,2;0,100", "--json", "-q")
    assert list(json.loads(windows.out)["metrics"]) == ["window=0,2 + fcfs", "window=0,100 + fcfs"]
    flags = echelon("compare", six_jobs, "--off-line", "--no-off-line", "--json", "-q")
    assert list(json.loads(flags.out)["metrics"]) == ["off_line=True + fcfs", "off_line=False + fcfs"]


def test_the_counts_of_changed_jobs_are_a_range(echelon, six_jobs):
    """Where runs have other numbers of jobs, the least and the greatest are told."""
    said = echelon("compare", six_jobs, "--first", "2,4", "--policies", "easy")
    assert "2 to 3 of 2 to 4 jobs simulated in each of 2 runs" in said.out


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--load", "0"], "load: got 0.0, expected a number > 0"),
        (["--load", "1,1.0"], "load: must all be different, got '1' twice"),
        (["--load", "1,two"], "Invalid value for '--load': 'two' is not a valid float"),
        (["--load", "1", "--scale-load", "2"], "Invalid value for '--load': is given more than once"),
        (["--window", "2,1"], "window: got [2.0, 1.0], expected a list of two times in seconds"),
        (["--window", "2"], "window: got [2.0], expected a list of two times in seconds"),
        (["--first", "0"], "first: got 0, expected a whole number >= 1"),
        (["--estimates-model", "guess"], "estimates-model: no model of estimates is named 'guess'"),
        (["--workload-seed", "1"], "workload-seed: seeds what changes to the jobs draw, but none draws"),
    ],
)
def test_wrong_changes_are_refused_in_a_sentence(echelon, six_jobs, options, problem):
    """The sentence names the option, what was given and what is expected."""
    said = echelon("compare", six_jobs, "--policies", "fcfs,easy", *options)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(f"echelon: {problem}")


def test_a_scenario_file_lists_changes_to_the_jobs(echelon, six_jobs, tmp_path):
    """A comparison takes all values of the file, a run one of them, by an option."""
    file = tmp_path / "loads.toml"
    file.write_text('workload = "six.swf"\nload = [1, 2]\nwindow = [[0, 50], [0, 100]]\nfirst = 4\n')
    said = echelon("compare", file, "--json", "-q")
    assert list(json.loads(said.out)["metrics"]) == [
        f"window=0,{end} load={load} + fcfs" for end in (50, 100) for load in (1, 2)
    ]
    assert "window: the file lists 2 values" in echelon("run", file, "--load", "2").err
    record = json.loads(echelon("run", file, "--load", "2", "--window", "0,50", "--json", "-q").out)["run"]
    assert (record["window"], record["load"], record["first"]) == ([0.0, 50.0], 2.0, 4)


def test_no_value_is_the_best_among_runs_of_other_jobs(echelon, six_jobs):
    """Runs of the same jobs have stars; where half of the jobs are left out of one run, none has."""
    same = echelon("compare", six_jobs, "--policies", "fcfs,easy").out
    assert "* the best of its column" in same
    others = echelon("compare", six_jobs, "--policies", "fcfs,easy", "--first", "3,6").out
    assert "compare values only within" in others
    assert "*" not in others


def test_several_workloads(echelon, six_jobs):
    """Each is run under each policy; a scenario file stands alone."""
    options = ("--policies", "fcfs,easy", "--processors", "8", "--json", "-q")
    said = echelon("compare", six_jobs, "lublin:jobs=9:seed=2", *options)
    assert (said.code, said.err) == (0, "")
    assert list(said.json["metrics"]) == [
        f"workload={name} + {policy}"
        for name in ("six", "lublin:jobs=9:seed=2")
        for policy in ("fcfs", "easy")
    ]
    assert len({run["input_sha256"] for run in said.json["runs"].values()}) == 2
    refused = echelon("compare", six_jobs, "other.toml", *options)
    assert (refused.code, refused.err[:40]) == (2, "echelon: other.toml: is not the only arg")


def test_a_scenario_file_lists_workloads(echelon, six_jobs, tmp_path):
    """A comparison takes all of them, a run asks for one."""
    file = tmp_path / "logs.toml"
    file.write_text('workload = ["six.swf", "lublin:jobs=9"]\nprocessors = 8\n')
    said = echelon("compare", file, "--json", "-q")
    assert list(said.json["metrics"]) == ["workload=six + fcfs", "workload=lublin:jobs=9 + fcfs"]
    problem = "workload: the file lists 2 values; run them with echelon compare, or leave one in the file"
    assert problem in echelon("run", file).err


def test_standard_input_is_read_once(echelon, six_jobs, monkeypatch):
    """Two time zones would need the log twice: the message says what to do."""
    monkeypatch.setattr(
        "sys.stdin", io.TextIOWrapper(io.BytesIO(b"; UnixStartTime: 0\n" + six_jobs.read_bytes()))
    )
    said = echelon("compare", "-", "--timezone", "UTC,Europe/Madrid", "--policies", "fcfs")
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("echelon: standard input: can be read only once")
