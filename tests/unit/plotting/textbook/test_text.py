"""Gantt charts as text: the examples of textbooks, and what does not fit."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import echelon as ec
from echelon.errors import InputError
from echelon.plotting import text_gantt


@pytest.fixture
def four_processes():
    """Return the processes of many a textbook: arrivals 0 to 3, bursts of 8, 4, 9 and 5 s, one processor."""
    return ec.Workload.from_columns(submit_time=[0, 1, 2, 3], run_time=[8, 4, 9, 5], processors=[1] * 4)


def drawn(jobs, policy, **how):
    """Return the chart of a run on one processor, in ASCII."""
    return text_gantt(ec.simulate(jobs, processors=1, policy=policy), is_ascii=True, **how).splitlines()


def order_of(chart):
    """Return the names in the boxes, from left to right."""
    return chart[3].replace("|", " ").split()


def test_first_come_first_served(four_processes):
    """One box a job, with its name in the middle, the times below its edges and the arrivals above."""
    assert drawn(four_processes, "fcfs", width=60) == [
        "1 2 3 4",
        "v v v v",
        "+---------------+-------+-----------------+---------+",
        "|       1       |   2   |        3        |    4    |",
        "+---------------+-------+-----------------+---------+",
        "0               8       12                21        26",
        "time (s)",
    ]


def test_shortest_remaining_time_first(four_processes):
    """The job that is suspended has two boxes: the schedule of the textbook, 1 2 4 1 3 at 0 1 5 10 17 26."""
    chart = drawn(four_processes, "srtf", width=60)
    assert order_of(chart) == ["1", "2", "4", "1", "3"]
    assert chart[5].split() == ["0", "1", "5", "10", "17", "26"]


def test_round_robin_has_a_box_each_quantum(four_processes):
    """With a quantum of 2 s: 1 2 3 1 4 2 3 1 4 3 1 4 3; the last job runs on without another box."""
    chart = drawn(four_processes, "round-robin(quantum=2)")
    assert order_of(chart) == [*"1231423143143"]
    assert chart[5].split() == [*map(str, (*range(0, 23, 2), 23, 26))]


def test_a_box_covers_the_processors_of_its_job():
    """In Unicode: three processors of one job are one box, and idle time stays blank."""
    jobs = ec.Workload.from_columns(submit_time=[0, 0, 4], run_time=[4, 2, 3], processors=[2, 1, 3])
    chart = text_gantt(ec.simulate(jobs, processors=3, policy="fcfs"), width=33)
    assert chart.splitlines()[2:] == [
        "  ┌───────┐       ┌───────────┐",
        "2 │   2   │       │           │",
        "  ├───────┴───────┤           │",
        "1 │               │     3     │",
        "  │       1       │           │",
        "0 │               │           │",
        "  └───────────────┴───────────┘",
        "  0       2       4           7",
        "time (s)",
    ]


def test_many_processors_have_a_row_a_job():
    """Above 16 processors the rows are jobs: dots while one waits, full while it runs."""
    jobs = ec.Workload.from_columns(submit_time=[0, 2], run_time=[4, 2], processors=[20, 12])
    chart = text_gantt(ec.simulate(jobs, processors=20, policy="fcfs"), width=40, is_ascii=True).splitlines()
    assert chart[0] == "1 (20) ####################"
    assert chart[1] == "2 (12)           ..........##########"
    assert chart[-1] == "A row a job (its processors): dots while it waits, full while it runs."


@pytest.mark.parametrize("width", [30, 80, 200])
@pytest.mark.parametrize("is_ascii", [False, True])
def test_no_line_is_wider_than_the_terminal(width, is_ascii):
    """Whatever the times and names; only notes are sentences, which a terminal folds."""
    jobs = ec.Workload.from_columns(
        submit_time=[1e6, 1e6 + 1, 1e6 + 5000], run_time=[0.5, 123456.75, 1], processors=[1, 3, 2]
    )
    chart = text_gantt(ec.simulate(jobs, processors=4, policy="easy"), width=width, is_ascii=is_ascii)
    assert max(map(len, chart.splitlines()[:-2])) <= width
    assert chart.isascii() == is_ascii
    assert "from 1,000,000 s on" in chart


def test_what_is_left_out_is_said(four_processes):
    """A window says its jobs; a box shorter than a column is counted."""
    chart = drawn(four_processes, "fcfs", window=(0, 10))
    assert chart[-1] == "Shown: 0 s to 10 s, in which 2 of 4 jobs held processors."
    assert chart[3].count("|") == 3
    tiny = ec.Workload.from_columns(submit_time=[0, 0], run_time=[1, 10**6], processors=[1, 1])
    assert "1 time on a processor shorter than a column not drawn." in drawn(tiny, "fcfs")


def test_of_many_jobs_the_beginning_is_drawn():
    """Without a window a chart of 61 jobs ends when the 31st starts."""
    jobs = ec.Workload.from_columns(submit_time=[0] * 61, run_time=[2] * 61, processors=[1] * 61)
    assert drawn(jobs, "fcfs")[-1] == "Shown: 0 s to 60 s, in which 30 of 61 jobs held processors."
    assert drawn(jobs.take(np.arange(60)), "fcfs")[-1] == "time (s)"


def test_names_are_one_line_of_plain_letters():
    """Line breaks and control characters are question marks, in ASCII all other letters, too."""
    table = pl.DataFrame(
        {
            "job_id": ["a\nb\x1b", "語"],
            "submit_time": [0.0, 0.0],
            "start_time": [0.0, 5.0],
            "end_time": [5.0, 9.0],
            "processors": [1, 1],
        }
    )
    assert "a?b?" in text_gantt(table)
    assert "語" in text_gantt(table)
    assert "\x1b" not in text_gantt(table)
    assert text_gantt(table, is_ascii=True).isascii()


def test_colors_are_behind_the_boxes_alone(four_processes):
    """With colors each box has its job's, and without the codes the text is the same."""
    import re

    result = ec.simulate(four_processes, processors=1, policy="fcfs")
    colored, plain = text_gantt(result, colors=True), text_gantt(result)
    assert len(set(re.findall(r"48;5;(\d+)m", colored))) == 4
    assert re.sub(r"\x1b\[[\d;]*m", "", colored) == plain


def test_a_narrow_terminal_is_refused(four_processes):
    """Below 30 columns nothing can be read."""
    with pytest.raises(InputError, match="width: needs at least 30 columns, got 29"):
        drawn(four_processes, "fcfs", width=29)


def test_arrivals_close_together_have_their_names_in_several_lines():
    """No name of an arrival is left out while there are fewer than five lines of them."""
    jobs = ec.Workload.from_columns(submit_time=[0, 1, 2, 3], run_time=[9] * 4, processors=[1] * 4)
    table = ec.simulate(jobs, processors=1).jobs.with_columns(
        job_id=pl.Series(["anna-1", "beatrice", "charlotte", "dora"])
    )
    above = "\n".join(text_gantt(table, is_ascii=True).splitlines()[:4])
    assert all(name in above for name in ("anna-1", "beatrice", "charlotte", "dora"))
