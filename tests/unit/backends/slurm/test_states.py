"""Slurm's states, exit codes and times are read as they are meant."""

from __future__ import annotations

import pytest

from echelon.backends.contract import Outcome
from echelon.backends.slurm.states import Ending, ending_of, outcome_of, phase_of, seconds_of, time_of


@pytest.mark.parametrize(
    ("state", "phase"),
    [
        ("PENDING", "waiting"),
        ("REQUEUE_HOLD", "waiting"),
        ("RUNNING", "running"),
        ("SUSPENDED", "running"),
        ("CONFIGURING", "running"),
        ("COMPLETED", "ended"),
        ("CANCELLED", "ended"),
        ("CANCELLED by 1000", "ended"),
        ("NODE_FAIL", "ended"),
        ("OUT_OF_MEMORY", "ended"),
    ],
)
def test_states_have_phases(state, phase):
    """Each state of squeue's manual is waiting, running or ended."""
    assert phase_of(state, started_at=None, ended_at=None, now=0.0) == phase


def test_a_job_being_cleaned_up_has_ended_after_a_while():
    """COMPLETING is running for a minute after the end of the job, then ended."""
    assert phase_of("COMPLETING", started_at=10.0, ended_at=100.0, now=159.0) == "running"
    assert phase_of("COMPLETING", started_at=10.0, ended_at=100.0, now=161.0) == "ended"
    assert phase_of("COMPLETING", started_at=10.0, ended_at=None, now=161.0) == "running"


def test_a_state_of_tomorrow_never_ends_a_job():
    """A word that no manual has yet is running once the job has started, else waiting."""
    assert phase_of("HIBERNATING", started_at=10.0, ended_at=20.0, now=30.0) == "running"
    assert phase_of("HIBERNATING", started_at=40.0, ended_at=None, now=30.0) == "waiting"
    assert phase_of("", started_at=None, ended_at=None, now=30.0) == "waiting"


@pytest.mark.parametrize(
    ("state", "outcome"),
    [
        ("COMPLETED", Outcome.COMPLETED),
        ("FAILED", Outcome.FAILED),
        ("CANCELLED by 0", Outcome.CANCELED),
        ("TIMEOUT", Outcome.TIMED_OUT),
        ("PREEMPTED", Outcome.INTERRUPTED),
        ("RUNNING", None),
        ("", None),
    ],
)
def test_states_have_outcomes(state, outcome):
    """Ends are told apart by the state."""
    assert outcome_of(state, Ending(0, None), has_claims=True) is outcome


def test_exit_code_75_is_a_claim_only_where_there_are_claims():
    """A job that has found its claim taken is no failure; without claims it is."""
    assert outcome_of("FAILED", Ending(75, None), has_claims=True) is Outcome.UNCLAIMED
    assert outcome_of("FAILED", Ending(75, None), has_claims=False) is Outcome.FAILED


def test_a_batch_script_that_was_killed_itself_is_interrupted():
    """It would outlive its payload; a job that had too little memory, or ended otherwise, has failed."""
    assert outcome_of("FAILED", Ending(None, 9), has_claims=True) is Outcome.INTERRUPTED
    assert outcome_of("FAILED", Ending(None, 11), has_claims=True) is Outcome.FAILED
    assert outcome_of("FAILED", Ending(137, None), has_claims=True) is Outcome.FAILED
    assert outcome_of("OUT_OF_MEMORY", Ending(None, 9), has_claims=True) is Outcome.FAILED


@pytest.mark.parametrize(
    ("text", "ending"),
    [
        ("0", (0, None)),
        ("768", (3, None)),
        ("9", (None, 9)),
        ("19200", (75, None)),
        ("0:0", (0, None)),
        ("3:0", (3, None)),
        ("0:15", (None, 15)),
        ("N/A", (None, None)),
        ("1:x", (None, None)),
        ("", (None, None)),
    ],
)
def test_exit_codes_of_both_versions(text, ending):
    """A wait status (22.05) and code:signal (24.11) say the same."""
    assert ending_of(text) == ending


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("5:00", 300),
        ("30", 1800),
        ("1:02:03", 3723),
        ("1-00:00:00", 86400),
        ("2-12:30:00", 2 * 86400 + 45000),
        ("365-00:00:00", 365 * 86400),
        ("UNLIMITED", None),
        ("NOT_SET", None),
        ("", None),
        ("1-", None),
    ],
)
def test_time_limits(text, seconds):
    """Limits are read in all forms that Slurm prints."""
    assert seconds_of(text) == seconds


def test_times():
    """Unix times are numbers; everything else is no time."""
    assert time_of("1795478110") == 1795478110.0
    assert [time_of(text) for text in ("N/A", "Unknown", "NONE", "", "2026-11-22T08:04:40")] == [None] * 5
