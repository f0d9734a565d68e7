"""Queues and partitions without a priority: what a run says of them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from echelon import Workload, simulate
from echelon.cli import main
from echelon.experiments import manifest
from echelon.experiments.summaries.priorities import priority_sentences

NOTHING = (
    "No queue and no partition has a priority: those factors are 0 for every job; give some, as in "
    "multifactor:qos=normal=1:partitions=7=1."
)


@pytest.fixture
def jobs() -> Workload:
    """Return three jobs in named queues and a numbered partition."""
    table = Workload.from_columns(
        submit_time=[0, 1, 2], run_time=[5, 5, 5], processors=[1, 1, 1], queue=[1, 2, 3], partition=[7, 7, 7]
    )
    return replace(table, names={"queue": ("normal", "high", "low")})


@pytest.mark.parametrize(
    ("policy", "sentences"),
    [
        ("multifactor", [NOTHING]),
        ("easy(candidates=multifactor)", [NOTHING]),
        ("easy", []),
        ("multifactor:queue=0:partition=0", []),
        (
            "preemptive-priority",
            [
                "No queue has a priority: that factor is 0 for every job; give some, as in "
                "preemptive-priority:qos=normal=1."
            ],
        ),
        ("preemptive-priority:order=fcfs", []),
        (
            "preemptive-priority:qos=normal=1",
            ["Without a priority, so with factor 0: queue high, low."],
        ),
        ("multifactor:partition=0:qos=high=1+normal=0.5+low=0", []),
        (
            "multifactor:partition=0:qos=high=1",
            ["Without a priority, so with factor 0: queue normal, low."],
        ),
        (
            "multifactor:queue=0:partitions=7=0.5+8=1",
            ["The log has no partition '8', which has a priority; its partitions are 7."],
        ),
        (
            "multifactor:partition=0:qos=hihg=1+normal=1+low=1",
            [
                "Without a priority, so with factor 0: queue high.",
                "The log has no queue 'hihg', which has a priority; did you mean 'high'?",
            ],
        ),
    ],
)
def test_what_is_not_given_is_said(jobs, policy, sentences):
    """A run says which queues count 0 for want of a priority, and which names the log does not have."""
    result = simulate(jobs, processors=1, policy=policy)
    assert priority_sentences(result) == sentences
    assert manifest(result)["priorities"] == sentences


def test_a_log_without_queues(jobs):
    """Where nobody was in a queue there is nothing to say, unless priorities are given."""
    bare = replace(jobs.with_columns(queue=[-1] * 3, partition=[-1] * 3), names={})
    assert priority_sentences(simulate(bare, processors=1, policy="multifactor")) == []
    assert priority_sentences(simulate(bare, processors=1, policy="multifactor:qos=high=1")) == [
        "The log has no queue 'high', which has a priority: it has no queues."
    ]


@pytest.mark.slow
def test_priorities_of_slurms_qos_from_the_log_to_the_schedule(tmp_path, capsys):
    """The names of a log's QOS take priorities on the command line and in a scenario file, and count.

    The QOS that comes second in the log goes first by its priority, where it was last by its number.
    """
    log = tmp_path / "log.sacct"
    log.write_text(
        "JobID|User|QOS|Submit|Start|End|Elapsed|AllocCPUS|State\n"
        "1|ada|normal|2024-01-31T12:00:00|2024-01-31T12:00:00|2024-01-31T12:01:40|00:01:40|4|COMPLETED\n"
        "2|bob|normal|2024-01-31T12:00:10|2024-01-31T12:01:40|2024-01-31T12:02:10|00:00:30|4|COMPLETED\n"
        "3|bob|high|2024-01-31T12:00:20|2024-01-31T12:02:10|2024-01-31T12:02:40|00:00:30|4|COMPLETED\n"
    )
    spec = "multifactor:qos=high=1.0+normal=0.5"
    scenario = tmp_path / "scenario.toml"
    scenario.write_text(
        f'workload = "log.sacct"\nprocessors = 4\npolicy = "{spec}"\nreport = false\nout = "b"\n'
    )
    assert main(["run", str(log), "--processors", "4", "--policy", "multifactor", "--no-report"]) == 0
    assert (
        "No queue has a priority: that factor is 0 for every job; give some, as in" in capsys.readouterr().out
    )
    given = [
        "run",
        str(log),
        "--processors",
        "4",
        "--policy",
        spec,
        "--no-report",
        "--out",
        str(tmp_path / "a"),
    ]
    assert main(given) == main(["run", str(scenario)]) == 0
    assert "priority" not in capsys.readouterr().out
    for folder in ("a", "b"):
        rows = (tmp_path / folder / "jobs.csv").read_text().splitlines()
        starts = {row.split(",")[0]: row.split(",")[2] for row in rows[1:]}
        assert starts == {"1": "0", "2": "130", "3": "100"}
        told = json.loads((tmp_path / folder / "run.json").read_text())
        assert (told["policy"], told["priorities"]) == ("multifactor:qos=high=1+normal=0.5", [])
