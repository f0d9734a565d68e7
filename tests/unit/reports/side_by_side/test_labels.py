"""Labels that tell runs of several folders apart."""

from __future__ import annotations

import pytest

from echelon.reports.side_by_side.labels import distinct_labels


@pytest.mark.parametrize(
    ("facts", "labels"),
    [
        # Nothing is said that all have in common.
        ([{"policy": "fcfs"}, {"policy": "easy"}], ["fcfs", "easy"]),
        # A seed is said where it differs, also where policies differ, too.
        ([{"policy": "fcfs", "seed": 1}, {"policy": "easy", "seed": 2}], ["seed=1 + fcfs", "seed=2 + easy"]),
        # The workload settles the machine's size.
        (
            [{"workload": "a", "processors": 8}, {"workload": "b", "processors": 9}],
            ["workload=a + run", "workload=b + run"],
        ),
        # Other settings only where it takes them.
        (
            [{"estimates": "raise"}, {"estimates": "kill"}, {"policy": "easy", "estimates": "kill"}],
            ["estimates=raise + run", "estimates=kill + run", "easy"],
        ),
        # What a comparison has said of its runs is not said again, and comes together with the rest.
        (
            [
                {"label": "processors=8 + easy", "processors": 8, "seed": 1},
                {"label": "processors=9 + easy", "processors": 9, "seed": 1},
                {"label": "easy", "processors": 8, "seed": 2},
            ],
            ["seed=1 processors=8 + easy", "seed=1 processors=9 + easy", "processors=8 seed=2 + easy"],
        ),
    ],
)
def test_labels_say_what_differs(make_run, facts, labels):
    """Before the runs' own labels stand the settings in which they differ."""
    runs = [make_run(**one) for one in facts]
    assert distinct_labels(runs, ["a"] * len(runs)) == labels


def test_folders_tell_equal_runs_apart(make_run):
    """As many parts of the path as it takes; a folder that holds equal labels twice has them numbered."""
    runs = [make_run(policy="easy") for _ in range(4)]
    labels = distinct_labels(runs, ["/x/a/out", "/x/b/out", "/x/c", "/x/c"])
    assert labels == [
        "folder=a/out + easy",
        "folder=b/out + easy",
        "folder=x/c + easy",
        "folder=x/c + easy (2)",
    ]
