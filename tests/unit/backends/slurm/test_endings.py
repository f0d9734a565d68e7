"""How jobs ended is read from what Slurm has written down, and forged lines are left out."""

from __future__ import annotations

import pytest

from echelon.backends.contract import EndRecord, Outcome
from echelon.backends.slurm.endings import (
    SACCT_FIELDS,
    Ended,
    EndingsError,
    endings,
    explain_stop,
    parse_log,
    parse_sacct,
    sacct_command,
    sacct_names,
)

SEPARATOR = "0123456789abcdef0123456789abcdef"


def line(number, name, state="COMPLETED", ending="0:0", user=1000):
    """Return a line of the log of ended jobs."""
    return (
        f"JobId={number} UserId=me({user}) GroupId=us(1000) Name={name} JobState={state} Partition=main "
        "TimeLimit=5 StartTime=2026-11-22T08:04:09 EndTime=2026-11-22T08:04:19 NodeList=n1 "
        "NodeCnt=1 ProcCnt=1 WorkDir=/home/a b/x ReservationName= Tres=cpu=1 Account=root QOS=normal "
        "WcKey= Cluster=alpha "
        "SubmitTime=2026-11-22T08:04:00 EligibleTime=2026-11-22T08:04:00 DerivedExitCode=0:0 "
        f"ExitCode={ending} "
    )


def printed(*lines, zone="+0000"):
    """Return what the program that reads the log prints."""
    return "\n".join([zone, "1000", *lines, ""])


def tags(text):
    """Return the tags of the ends in a log, of user 1000."""
    return [ended.tag for ended in parse_log(text)]


def test_the_log_says_how_jobs_ended():
    """State, exit code, signal and times come through; times are local to the zone that is printed first."""
    text = printed(line(1, "ech-a-1", "FAILED", "3:0"), line(2, "ech-b-1", "TIMEOUT", "0:15"), zone="+0130")
    start = 1795334649.0 - 5400
    log = "job completion log"
    assert parse_log(text) == [
        Ended("ech-a-1", EndRecord(Outcome.FAILED, 3, None, start, start + 10, log)),
        Ended("ech-b-1", EndRecord(Outcome.TIMED_OUT, None, 15, start, start + 10, log)),
    ]


def test_lines_of_others_say_nothing():
    """A line of another account, another job or no job is passed over."""
    text = printed(line(1, "ech-a-1", user=1001), line(2, "other"), line(3, "ech-b-1"))
    assert tags(text) == ["ech-b-1"]


@pytest.mark.parametrize(
    "name",
    [
        f"x\n{line(9, 'ech-b-1')}",
        f"x\n{line(9, 'ech-b-1')}\ny",
        f"x\n{line(9, 'ech-b-1').strip()}",
        f"x\n{line(9, 'ech-b-1')}\n--\ny",
    ],
)
def test_a_name_that_forges_a_line_is_found_out(name):
    """A line beside a torn one is not believed."""
    assert "ech-b-1" not in tags(printed(line(1, "ech-a-1"), line(2, name), "--", line(3, "ech-c-1")))


def test_groups_of_lines_are_not_neighbors():
    """What grep prints apart is judged apart."""
    assert tags(printed(line(1, "ech-a-1"), "--", line(3, "ech-c-1"))) == ["ech-a-1", "ech-c-1"]


def test_a_log_that_cannot_be_read_is_an_error():
    """Without the zone and the user there is no answer."""
    for text in ("", "+0000\n", "Welcome\n+0000\n1000\n"):
        with pytest.raises(EndingsError):
            parse_log(text)


def answer(*rows):
    """Return what sacct prints for rows of fields."""
    return "".join("".join(f"{field}|{SEPARATOR}|" for field in row) + "\n" for row in (SACCT_FIELDS, *rows))


def test_the_accounting_says_how_jobs_ended():
    """Ended jobs come through, with canceled ones as such; what still waits or runs does not."""
    text = answer(
        ("1", "ech-a-1", "FAILED", "3:0", "1795334649", "1795334659"),
        ("2", "ech-b-1", "CANCELLED by 0", "0:0", "Unknown", "1795334659"),
        ("3", "ech-c-1", "RUNNING", "0:0", "1795334649", "Unknown"),
    )
    assert parse_sacct(text, SEPARATOR) == [
        Ended("ech-a-1", EndRecord(Outcome.FAILED, 3, None, 1795334649.0, 1795334659.0, "accounting")),
        Ended("ech-b-1", EndRecord(Outcome.CANCELED, None, None, None, 1795334659.0, "accounting")),
    ]


def test_several_answers_are_one():
    """Names are asked for in lists of a hundred, each with its line of titles."""
    row = ("1", "ech-a-1", "COMPLETED", "0:0", "1", "2")
    assert len(parse_sacct(answer(row) + answer(row), SEPARATOR)) == 2
    names = [f"ech-{number}-1" for number in range(250)]
    lines = sacct_names(names).splitlines()
    assert [name for text in lines for name in text.split(",")] == names
    assert max(len(text.split(",")) for text in lines) == 100
    assert sacct_command(SEPARATOR)[-1] == "--name"


@pytest.mark.parametrize("text", ["", "sacct: error\n", "JobIDRaw|x|JobName|x|"])
def test_an_accounting_that_does_not_answer_is_an_error(text):
    """No line of titles is no answer."""
    with pytest.raises(EndingsError):
        parse_sacct(text, SEPARATOR)


def end(outcome, code=0, source="job completion log", **times):
    """Return an end of one job."""
    return Ended("ech-a-1", EndRecord(outcome, code, source=source, **times))


def test_the_last_run_counts():
    """Of two lines the later one holds."""
    found = endings([end(Outcome.FAILED, 3), end(Outcome.COMPLETED)], claimed=None)
    assert found["ech-a-1"].outcome is Outcome.COMPLETED


def test_a_ghost_says_nothing_of_the_job():
    """Exit code 75 is left out where there are claims, whatever else is there."""
    ghost = end(Outcome.FAILED, 75)
    assert endings([ghost], claimed=frozenset({"ech-a-1"})) == {}
    assert endings([end(Outcome.COMPLETED), ghost], claimed=frozenset({"ech-a-1"}))["ech-a-1"].exit_code == 0
    assert endings([ghost], claimed=None)["ech-a-1"].exit_code == 75


def test_a_log_is_not_believed_that_an_unclaimed_job_completed():
    """A log is believed that it was canceled, and the accounting is believed at all."""
    assert endings([end(Outcome.COMPLETED)], claimed=frozenset()) == {}
    assert endings([end(Outcome.CANCELED)], claimed=frozenset())
    assert endings([end(Outcome.COMPLETED, source="accounting")], claimed=frozenset())


def test_a_log_is_not_believed_that_a_job_completed_at_once_without_its_record():
    """A number that was given twice ends a job that has hardly begun; to give up its record takes 26 s."""
    claimed = frozenset({"ech-a-1"})
    for ended_at, is_believed in ((100.0, False), (124.0, False), (126.0, True), (None, True)):
        one = end(Outcome.COMPLETED, started_at=100.0, ended_at=ended_at)
        assert bool(endings([one], claimed=claimed)) is is_believed
    at_once = {"started_at": 100.0, "ended_at": 100.0}
    assert endings([end(Outcome.COMPLETED, **at_once)], claimed=None)
    assert endings([end(Outcome.FAILED, 3, **at_once)], claimed=claimed)


def test_only_a_stopped_job_needs_an_explanation():
    """What Slurm has written explains a stop, and changes no other end."""
    stopped, failed = EndRecord(Outcome.CANCELED, None, 15, 1.0, 2.0), EndRecord(Outcome.FAILED, 3)
    written = EndRecord(Outcome.TIMED_OUT)
    assert explain_stop(stopped, None, None) == stopped
    assert explain_stop(stopped, None, written) == EndRecord(Outcome.TIMED_OUT, None, 15, 1.0, 2.0)
    assert explain_stop(stopped, Outcome.INTERRUPTED, written).outcome is Outcome.INTERRUPTED
    assert explain_stop(failed, Outcome.INTERRUPTED, written) == failed
    killed = EndRecord(Outcome.FAILED, None, 9)
    assert explain_stop(killed, None, None) == killed
    assert explain_stop(killed, None, EndRecord(Outcome.FAILED, 137)) == killed
    assert explain_stop(killed, None, written).outcome is Outcome.TIMED_OUT
    assert explain_stop(stopped, Outcome.CANCELED, None).source == "queue"
