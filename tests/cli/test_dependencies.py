"""Jobs that wait for others, from the command line: info, run, compare, scenario files, reports, convert."""

from __future__ import annotations

import json

import pytest

TABLE = """job_id,submit_time,run_time,processors,dependencies
1,0,100,2,
2,0,50,2,1
3,5,10,1,1+60 2
4,0,30,4,9
"""


@pytest.fixture
def jobs(tmp_path):
    """Return the path of a table of four jobs, of which two wait for others and one for nobody known."""
    path = tmp_path / "flow.csv"
    path.write_text(TABLE)
    return path


def test_info_tells_of_them(echelon, jobs):
    """How many wait, how long the longest chain is, and what is not there."""
    said = echelon("info", jobs)
    assert "waiting for others  2 jobs" in said.out
    assert "longest chain       3 jobs" in said.out
    assert "1 predecessor is not in the file; considered ended; first in line 5" in " ".join(said.out.split())
    told = json.loads(echelon("info", jobs, "--json").out)["dependencies"]
    assert told == {
        "dependent_jobs": 2, "following_jobs": 0, "edges": 3, "longest_chain": 3, "absent_predecessors": 0,
    }  # fmt: skip


def test_run_keeps_or_ignores_them(echelon, jobs, tmp_path):
    """Starts, files and sentences say which; a wrong word is one sentence."""
    out = tmp_path / "out"
    said = echelon("run", jobs, "--processors", "4", "--out", out)
    assert said.code == 0
    assert "2 jobs waited for others to end, as in the log." in said.out
    rows = [line.split(",") for line in (out / "jobs.csv").read_text().splitlines()]
    row = dict(zip(rows[0], rows[3], strict=True))
    assert (row["submit_time"], row["held_time"], row["dependencies"]) == ("180", "175", "1+60 2")
    assert json.loads((out / "run.json").read_text())["dependencies"] == "keep"
    page = (out / "report.html").read_text()
    assert "2 jobs waited for other jobs to end" in page
    said = echelon("run", jobs, "--processors", "4", "--dependencies", "ignore", "--json")
    told = json.loads(said.out)
    assert told["run"]["dependencies"] == "ignore"
    assert "mean_held" not in told["metrics"]
    said = echelon("run", jobs, "--processors", "4", "--dependencies", "no")
    assert (said.code, said.out) == (2, "")
    assert "no rule for dependencies is named 'no'" in said.err


def test_compare_and_scenario_files(echelon, jobs, tmp_path):
    """A scenario file says it, and the command line may say otherwise."""
    scenario = tmp_path / "flow.toml"
    scenario.write_text('workload = "flow.csv"\nprocessors = 4\npolicy = "easy"\ndependencies = "ignore"\n')
    assert "ignored" in echelon("run", scenario).out
    assert "2 jobs waited" in echelon("run", scenario, "--dependencies", "keep").out
    said = echelon("compare", scenario, "--policies", "fcfs,easy", "--dependencies", "keep")
    assert "2 jobs waited for others" in said.out


def test_circles_are_one_sentence(echelon, tmp_path):
    """File and job ids, and exit code 2."""
    path = tmp_path / "loop.csv"
    path.write_text("job_id,submit_time,run_time,processors,dependencies\n1,0,1,1,2\n2,0,1,1,1\n")
    said = echelon("run", path, "--processors", "4")
    assert (said.code, said.out) == (2, "")
    assert said.err.count("\n") == 1
    assert "loop.csv, dependencies: jobs wait for each other in a cycle, by job id: 1 waits for 2" in said.err


def test_convert_says_what_is_lost(echelon, jobs, tmp_path):
    """SWF has room for one predecessor; a table for all."""
    said = echelon("convert", jobs, tmp_path / "flow.swf")
    assert "Lost: what 1 job waited for (all or some of their predecessors, or delays)." in said.out
    assert "Nothing was lost" in echelon("convert", jobs, tmp_path / "again.parquet").out


def test_generate_and_convert_draw_them(echelon, tmp_path):
    """By a spec; standard output is a table where SWF could not hold them."""
    said = echelon(
        "generate", "poisson", "--jobs", "30", "--dependencies-model", "layers:size=6,depth=3", "--out", "-"
    )
    assert said.code == 0
    assert said.out.splitlines()[0].endswith("dependencies")
    log = tmp_path / "chains.swf"
    said = echelon("generate", "poisson", "--jobs", "30", "--dependencies-model", "chains", "--out", log)
    assert "cannot hold" not in said.out
    said = echelon("convert", log, tmp_path / "layers.csv", "--dependencies-model", "layers:parents=3")
    assert "Changed: workflows of 20 jobs in 5 layers" in said.out
    said = echelon("convert", log, tmp_path / "x.csv", "--dependencies-model", "layer")
    assert (said.code, said.out) == (2, "")
    assert "did you mean 'layers'" in said.err
