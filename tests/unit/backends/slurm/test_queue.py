"""What squeue prints is read whole or not at all, and nobody's name forges a job."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.backends.contract import OtherJob, Outcome, OwnJob
from echelon.backends.slurm.queue import (
    OWN_FIELDS,
    TAG,
    QueueError,
    in_order,
    other_job,
    other_jobs_command,
    own_job,
    own_jobs_command,
    parse_others,
    parse_own,
)

SEPARATOR = "0123456789abcdef0123456789abcdef"
NOW = 1_800_000_000.0


def listing(*rows):
    """Return what squeue prints for rows of fields, with its line of titles."""
    titles = ["JOBID", *(field.upper() for field in OWN_FIELDS[1:])]
    return "".join("".join(f"{field}|{SEPARATOR}|" for field in row) + "\n" for row in (titles, *rows))


def row(number, state, name, **others):
    """Return the fields of one job."""
    values = {
        "exit_code": "0",
        "NumCPUs": "4",
        "StartTime": "N/A",
        "EndTime": "N/A",
        "TimeLimit": "5:00",
        "SubmitTime": "1799999000",
        "PriorityLong": "100",
        "Reason": "None",
        **others,
    }
    return [str(number), state, *(values[field] for field in OWN_FIELDS[2:-1]), name]


OTHERS = """\
JOBID|UID|STATE|CPUS|START_TIME|END_TIME|TIME_LIMIT|SUBMIT_TIME|PRIORITY
7|1001|PENDING|24|N/A|N/A|10:00|1799999990|50
6_2|1001|RUNNING|2|1799999900|1800000100|1-00:00:00|1799999800|80
8|1000|RUNNING|1|1799999950|1800000100|UNLIMITED|1799999800|80
9|1001|COMPLETING|1|1799990000|1799999000|1:00|1799999800|80
5|1002|PENDING|1|1800000500|1800000600|UNLIMITED|1799999800|60
"""


def test_own_jobs_are_read():
    """Tags, states, processors, times, ends and reasons of own jobs come through."""
    text = listing(
        row(4, "PENDING", "ech-a-1", Reason="Resources", StartTime="1800000100"),
        row(2, "RUNNING", "ech-b-1", StartTime="1799999500", EndTime="1799999800"),
        row(3, "FAILED", "ech-c-1", StartTime="1799999500", EndTime="1799999600", exit_code="768"),
        row(1, "FAILED", "ech-c-1", StartTime="1799999500", EndTime="1799999600", exit_code="75:0"),
    )
    jobs = parse_own(text, SEPARATOR, now=NOW)
    assert [own_job(job, has_claims=True) for job in jobs] == [
        OwnJob("ech-a-1", "4", "waiting", 4, reason="Resources"),
        OwnJob("ech-b-1", "2", "running", 4, started_at=1799999500.0),
        OwnJob("ech-c-1", "3", "ended", 4, 1799999500.0, 1799999600.0, Outcome.FAILED),
        OwnJob("ech-c-1", "1", "ended", 4, 1799999500.0, 1799999600.0, Outcome.UNCLAIMED),
    ]


def test_jobs_of_others_are_read_without_names():
    """Of others there are numbers only; one's own account and jobs that are over are left out."""
    jobs = [other_job(job) for job in in_order(parse_others(OTHERS, now=NOW, but="1000"))]
    assert jobs == [
        OtherJob("6_2", "running", 2, 86400.0, 1799999800.0, 1799999900.0),
        OtherJob("5", "waiting", 1, None, 1799999800.0, None),
        OtherJob("7", "waiting", 24, 600.0, 1799999990.0, None),
    ]


def test_what_is_asked_of_others_has_no_free_text():
    """No name, comment or account of anybody else is asked for."""
    columns = other_jobs_command("")[other_jobs_command("").index("-o") + 1]
    assert set(columns.split("|")) <= {"%i", "%U", "%T", "%C", "%S", "%e", "%l", "%V", "%Q"}
    assert other_jobs_command("gpu")[-1] == "--partition=gpu"
    assert "--me" in own_jobs_command(SEPARATOR)


def test_an_empty_queue_is_not_an_empty_answer():
    """The line of titles alone is an empty queue; nothing at all is no answer."""
    assert parse_own(listing(), SEPARATOR, now=NOW) == []
    assert parse_others(OTHERS.splitlines()[0] + "\n", now=NOW, but="0") == []
    for text in ("", "\n", "slurm_load_jobs error: something\n"):
        with pytest.raises(QueueError):
            parse_own(text, SEPARATOR, now=NOW)
        with pytest.raises(QueueError):
            parse_others(text, now=NOW, but="0")


def test_an_answer_cut_anywhere_is_refused_or_loses_nothing_it_shows():
    """However an answer ends early, it is not taken for a shorter queue."""
    text = listing(row(1, "RUNNING", "ech-a-1"), row(2, "RUNNING", "ech-b-1"))
    for end in range(len(text) - 1):
        try:
            jobs = parse_own(text[:end], SEPARATOR, now=NOW)
        except QueueError:
            continue
        # At the end of a record nothing can tell; the exit code of squeue does.
        assert text[:end].rstrip("\n").endswith(f"|{SEPARATOR}|")
        assert len(jobs) < 2
    for end in range(len(OTHERS) - 1):
        try:
            parse_others(OTHERS[:end], now=NOW, but="0")
        except QueueError:
            continue
        assert OTHERS[:end].endswith("\n")


@given(st.text().filter(lambda text: SEPARATOR not in text))
def test_a_name_stays_a_name(name):
    """Whatever a job of this account is called, it is one job, and the others are what they are."""
    text = listing(row(1, "RUNNING", name), row(2, "RUNNING", "ech-b-1"))
    first, second = parse_own(text, SEPARATOR, now=NOW)
    assert (first.native_id, first.name) == ("1", name)
    assert (second.native_id, second.name) == ("2", "ech-b-1")


def test_lines_in_a_name_forge_no_job():
    """A name with line breaks and separators of other looks is no tag."""
    forged = f"x\n9|RUNNING|z\n2|{'f' * 32}|COMPLETED|{'f' * 32}|ech-a-1"
    (job,) = parse_own(listing(row(1, "RUNNING", forged)), SEPARATOR, now=NOW)
    assert TAG.fullmatch(job.name) is None
    assert TAG.fullmatch("ech-a-1\n") is None


def test_order_is_that_of_starts_and_of_the_queue():
    """Running jobs come by their starts, waiting ones by priority, then by number; held ones are last."""
    text = listing(
        row(10, "PENDING", "ech-held-1", PriorityLong="0"),
        row(9, "PENDING", "ech-a-1", PriorityLong="5"),
        row(11, "PENDING", "ech-b-1", PriorityLong="5"),
        row(12, "PENDING", "ech-c-1", PriorityLong="7"),
        row(2, "RUNNING", "ech-d-1", StartTime="1799999600"),
        row(3, "RUNNING", "ech-e-1", StartTime="1799999500"),
    )
    ids = [job.native_id for job in in_order(parse_own(text, SEPARATOR, now=NOW))]
    assert ids == ["3", "2", "12", "9", "11", "10"]


@pytest.mark.parametrize("field", ["NumCPUs", "PriorityLong"])
def test_a_number_that_is_none_makes_the_look_incomplete(field):
    """What is not a number where one must be is an error that names the job."""
    with pytest.raises(QueueError, match="job '4'"):
        parse_own(listing(row(4, "RUNNING", "ech-a-1", **{field: "x"})), SEPARATOR, now=NOW)
