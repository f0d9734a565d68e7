"""Options of machines that change: failures, maintenance, reservations, and what is said of them."""

from __future__ import annotations

import json

import pytest

RUN = ("--engine", "reference", "--processors", "4")


@pytest.fixture
def files(tmp_path):
    """Return a file of outages and one of reservations, ours and Slurm's."""
    (tmp_path / "down.csv").write_text("node,down,up,kind\n1-2,40,60,fail\n3,500,600,drain\n")
    (tmp_path / "kept.csv").write_text("name,nodes,start,end,users,flags\ncourse,2,400,500,7,\n")
    (tmp_path / "slurm.txt").write_text(
        "Name|Start|End|NodeNames|Flags|Associations\nm|838000400|838000500|n[1-2]|MAINT,MAGNETIC|3\n"
    )
    return {
        name: tmp_path / f"{name}.{kind}"
        for name, kind in (("down", "csv"), ("kept", "csv"), ("slurm", "txt"))
    }


def test_a_run_says_what_changed(echelon, six_jobs, files):
    """The settings are in run.json in canonical form, in the order of the reference, and in a sentence."""
    arguments = ("run", six_jobs, *RUN, "--outages", files["down"], "--repair", "estimate:1h")
    run = echelon(*arguments, "--json").json["run"]
    assert (run["outages"], run["repair"], run["failures"]) == (str(files["down"]), "estimate:3600", None)
    assert (run["horizon"], run["not_modelled"]) == (None, [])
    assert "The machine changed over time: outages" in echelon(*arguments).out


def test_a_run_without_changes_says_nothing_of_them(echelon, six_jobs):
    """Off means off: no key of run.json, no sentence."""
    said = echelon("run", six_jobs, *RUN, "--json").json["run"]
    assert not {"outages", "maintenance", "not_modelled", "horizon", "limit_per"} & said.keys()
    assert "changed" not in echelon("run", six_jobs, *RUN).out


def test_failures_by_a_law(echelon, six_jobs):
    """Laws have canonical specs, streams are recorded, and there is a horizon."""
    arguments = ("--failures", "weibull:shape=0.5,scale=2h", "--repair-times", "constant:1min")
    run = echelon("run", six_jobs, *RUN, *arguments, "--json").json["run"]
    assert run["failures"] == "weibull:shape=0.5:scale=7200"
    assert run["random_streams"] == ["failures", "repairs"]
    assert run["horizon"] > 0


def test_dates_are_those_of_the_log(echelon, six_jobs):
    """Maintenance on a date is in the log's time: with it, no job runs then."""
    # The log begins on 1996-07-22 at 01:46:40 UTC.
    run = echelon("run", six_jobs, *RUN, "--maintenance", "1996-07-22T01:51:40/8h/weekly", "--json")
    assert run.json["run"]["maintenance"] == "1996-07-22T01:51:40/8h/weekly"


def test_what_slurm_says_and_nothing_models_is_on_stderr(echelon, six_jobs, files):
    """On stderr, so that results stay clean, and in run.json."""
    said = echelon("run", six_jobs, *RUN, "--reservations", files["slurm"], "--json")
    assert "echelon: not modelled: flag MAGNETIC (1 rows)" in said.err
    assert any("Associations" in clause for clause in said.json["run"]["not_modelled"])


def test_compare_varies_any_of_it(echelon, six_jobs, files):
    """Commas part values, but not the parameters of a law; what a run has no use for is left out of it."""
    arguments = (
        "--failures",
        "none,weibull:shape=0.5,scale=9h,exponential:mean=20h",
        "--repair-times",
        "constant:60",
    )
    said = echelon("compare", six_jobs, *RUN, "--policies", "fcfs", *arguments, "--json").json["runs"]
    assert [*said] == [
        "failures=none + fcfs",
        "failures=weibull:shape=0.5:scale=32400 + fcfs",
        "failures=exponential:mean=72000 + fcfs",
    ]
    more = ("--outages", files["down"], "--checkpoint", "30,none,60", "--checkpoint-cost", "5")
    runs = echelon("compare", six_jobs, *RUN, "--policies", "fcfs", *more, "--json").json["runs"]
    assert [run["checkpoint_cost"] for run in runs.values()] == [5, None, 5]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--repair", "known"), "repair: 'known' applies to failures"),
        (("--failures", "constant:1h"), "give --repair-times LAW"),
        (("--maintenance", "5/3", "--cycles", "event"), "cycles: 'event' has no order"),
        (("--maintenance", "tomorrow/3h"), "maintenance: 'tomorrow/3h': got 'tomorrow', expected seconds"),
        (("--outages", "no.csv"), "no.csv: no such file"),
        (("--limit-per", "hour"), "limit"),
        (("--cancellations", "maybe"), "no rule for cancellations is named 'maybe'"),
    ],
)
def test_mistakes_are_sentences(echelon, six_jobs, arguments, sentence):
    """One line on stderr, exit code 2, nothing on stdout."""
    said = echelon("run", six_jobs, *RUN, *arguments)
    assert sentence in said.sentence
    assert said.code == 2


def test_a_scenario_file_with_tables(echelon, six_jobs, tmp_path):
    """Tables reach the run; an option takes the place of what the file says."""
    file = tmp_path / "s.toml"
    file.write_text(
        f'workload = "{six_jobs}"\nprocessors = 4\nengine = "reference"\n'
        '[[reservation]]\nname = "course"\nnodes = "1-2"\nstart = 400\nend = "+1h"\n'
        "[[outage]]\nnode = 4\ndown = 10\nup = 20\n"
    )
    run = echelon("run", file, "--json").json["run"]
    assert json.loads(run["reservations"]) == [{"end": "+1h", "name": "course", "nodes": "1-2", "start": 400}]
    assert json.loads(run["outages"]) == [{"down": 10, "node": 4, "up": 20}]
    assert echelon("run", file, "--reservations", "none", "--json").json["run"]["reservations"] is None


def test_canceled_jobs_are_kept_on_request(echelon, tmp_path):
    """A job that was canceled while it waited is simulated only if asked for."""
    log = tmp_path / "log.swf"
    log.write_text(
        "; MaxProcs: 4\n"
        "1 0 0 100 4 -1 -1 4 100 -1 1 1 1 -1 -1 -1 -1 -1\n"
        "2 1 50 0 4 -1 -1 4 100 -1 5 1 1 -1 -1 -1 -1 -1\n"
    )
    assert echelon("run", log, "--json").json["run"]["jobs_simulated"] == 1
    kept = echelon("run", log, "--cancellations", "keep", "--engine", "reference", "--json").json
    assert kept["run"]["cancellations"] == "keep"


def test_a_run_that_loses_jobs_wins_no_star(echelon, tmp_path, monkeypatch):
    """Without the job that a failure kills waits are shorter: stars are for the run that keeps all four."""
    monkeypatch.setenv("COLUMNS", "200")
    (tmp_path / "four.csv").write_text(
        "submit_time,run_time,processors,requested_time\n0,60,2,60\n10,100,4,100\n20,30,1,30\n40,50,2,50\n"
    )
    (tmp_path / "down.csv").write_text("node,down,up,kind\n1,30,35,fail\n")
    arguments = ("--outages", tmp_path / "down.csv", "--on-failure", "kill,requeue")
    said = echelon("compare", tmp_path / "four.csv", *RUN, "--policies", "fcfs", *arguments)
    lost, kept = (line for line in said.out.splitlines() if line.startswith(" on_failure"))
    assert lost.split()[3:7] == ["58.75", "1.917", "2.496", "79.73"]
    assert "*" not in lost
    assert kept.split()[-2:] == ["0*", "4"]
    assert "* the best of its column, of the runs that completed the most jobs" in said.out
    assert "Not all runs completed the same jobs" in said.out
    for head in ("Goodput", "failures", "completed"):
        assert head in said.out
    frame = echelon("compare", tmp_path / "four.csv", *RUN, "--policies", "fcfs", *arguments, "--json").json
    assert [one["incomplete_jobs"] for one in frame["metrics"].values()] == [1, 0]


def test_a_machine_that_was_down_for_a_moment_was_not_there_all_the_time():
    """An availability below 100 % is never rounded up to it."""
    from echelon.cli.formatting import metric_text
    from echelon.metrics import metric_named

    shown = [metric_text(metric_named("availability"), value) for value in (1.0, 0.9998, 0.999999, 0.5)]
    assert shown == ["100 %", "99.98 %", "99.99 %", "50 %"]
    assert metric_text(metric_named("utilization"), 0.99999) == "100.0 %"
