"""Tables by user and by class, worked by hand."""

from dataclasses import replace

import numpy as np
import pytest

from echelon.errors import InputError
from echelon.metrics import per_class, per_user
from echelon.metrics.tables.class_table import length_labels, size_labels
from echelon.model import Instance, Schedule, Workload

COLUMNS = [
    "jobs",
    "area",
    "area_share",
    "mean_wait",
    "median_wait",
    "max_wait",
    "mean_turnaround",
    "mean_bounded_slowdown",
]


def five_jobs(names=()):
    """Return a schedule on 64 processors: user 2 has three jobs, user 1 one, and one is nobody's."""
    workload = Workload.from_columns(
        submit_time=[0, 0, 10, 20, 30],
        run_time=[100, 600, 10, 601, 20],
        processors=[1, 2, 8, 64, 1],
        user=[2, 1, 2, 2, -1],
    )
    named = replace(workload, names={"user": tuple(names)} if names else {})
    return Schedule(Instance.of(named, 64), np.array([0.0, 0, 40, 600, 30]))


def test_users_by_area():
    """Users come by the work they did, with their waits and shares; unknown users are null."""
    table = per_user(five_jobs())
    assert table.columns == ["user", *COLUMNS]
    area = 100 + 80 + 601 * 64
    everyone = area + 1200 + 20
    expected = [
        ("2", 3, area, area / everyone, 610 / 3, 30, 580, (100 + 40 + 1181) / 3, (1 + 4 + 1181 / 601) / 3),
        ("1", 1, 1200, 1200 / everyone, 0, 0, 0, 600, 1),
        (None, 1, 20, 20 / everyone, 0, 0, 0, 20, 1),
    ]
    assert [row[0] for row in table.rows()] == [row[0] for row in expected]
    assert [row[1:] for row in table.rows()] == [pytest.approx(row[1:]) for row in expected]


def test_users_by_name():
    """Where the log names its users the table does, and a code without a name stays a code."""
    assert per_user(five_jobs(["ada"]))["user"].to_list() == ["2", "ada", None]
    assert per_user(five_jobs(["ada", "grace"]))["user"].to_list() == ["grace", "ada", None]


def test_users_of_equal_area_come_by_code():
    """Ties in area are resolved by the log's code, as a number: 9 before 10."""
    workload = Workload.from_columns(
        submit_time=[0, 0, 0], run_time=[5, 5, 5], processors=[1, 1, 1], user=[10, 9, 11]
    )
    assert per_user(Schedule(Instance.of(workload, 3), np.zeros(3)))["user"].to_list() == ["9", "10", "11"]


def test_only_simulated_jobs_are_in_the_table():
    """A job that was dropped does not shift the users of those after it."""
    workload = Workload.from_columns(submit_time=[0, 0], run_time=[0, 5], processors=[1, 1], user=[1, 2])
    assert per_user(Schedule(Instance.of(workload, 1), np.zeros(1)))["user"].to_list() == ["2"]


def test_classes_by_size_and_length():
    """Every class is there in order; edges belong to the class below; the statistics are its jobs'."""
    table = per_class(five_jobs())
    assert table.columns == ["size_class", "length_class", *COLUMNS]
    lengths = ["to 10 min", "10 min to 1 h", "1 h to 8 h", "over 8 h"]
    assert table.select("size_class", "length_class").rows() == [
        (size, length) for size in ("1", "2 to 8", "9 to 32", "over 32") for length in lengths
    ]
    found = {row[:2]: row[2:] for row in table.rows() if row[2]}
    everyone = 100 + 80 + 601 * 64 + 1200 + 20
    assert found == {
        ("1", "to 10 min"): pytest.approx((2, 120, 120 / everyone, 0, 0, 0, 60, 1)),
        ("2 to 8", "to 10 min"): pytest.approx((2, 1280, 1280 / everyone, 15, 15, 30, 320, 2.5)),
        ("over 32", "10 min to 1 h"): pytest.approx(
            (1, 601 * 64, 601 * 64 / everyone, 580, 580, 580, 1181, 1181 / 601)
        ),
    }


def test_empty_classes_have_no_statistics():
    """A class without jobs has 0 jobs and no mean, rather than a mean of 0."""
    assert per_class(five_jobs()).row(-1) == ("over 32", "over 8 h", 0, 0, 0, None, None, None, None, None)


def test_edges_are_parameters():
    """One edge each makes four classes: the narrow and the wide, the short and the long."""
    table = per_class(five_jobs(), sizes=(2,), lengths=(50,))
    assert table.select("size_class", "length_class", "jobs").rows() == [
        ("1 to 2", "to 50 s", 1),
        ("1 to 2", "over 50 s", 2),
        ("over 2", "to 50 s", 1),
        ("over 2", "over 50 s", 1),
    ]


def test_no_edges_make_one_class():
    """Without edges all jobs are one class, of which the table is the whole."""
    table = per_class(five_jobs(), sizes=(), lengths=())
    assert table.select("size_class", "length_class", "jobs", "area_share").rows() == [("all", "all", 5, 1.0)]


def test_labels_use_the_largest_whole_unit():
    """Edges read as people say them."""
    assert length_labels((60, 90, 86400)) == ["to 1 min", "1 min to 90 s", "90 s to 1 d", "over 1 d"]
    assert size_labels((1, 2, 4)) == ["1", "2", "3 to 4", "over 4"]


@pytest.mark.parametrize("edges", [{"sizes": (0, 4)}, {"sizes": (8, 8)}, {"lengths": (60, 30)}])
def test_edges_must_ascend(edges):
    """Edges that do not ascend from above 0 are refused by name."""
    with pytest.raises(InputError, match=f"{next(iter(edges))}: must ascend from above 0, got"):
        per_class(five_jobs(), **edges)
