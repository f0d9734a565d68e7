"""Every answer of sbatch is accepted, refused or unclear, as live clusters were seen to behave."""

from __future__ import annotations

import pytest

from echelon.backends.contract import Accepted, Refused, Unclear
from echelon.backends.slurm.answers import answer_of
from echelon.backends.slurm.commands import Reply

FAILED = "sbatch: error: Batch job submission failed: "
QOS = FAILED + "Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)"


@pytest.mark.parametrize(("output", "number"), [("123\n", "123"), ("7;alpha\n", "7")])
def test_a_number_is_accepted(output, number):
    """What --parsable prints is the number, with or without the cluster."""
    assert answer_of(Reply(0, output, "sbatch: warning: can't honor\n")) == Accepted(number)


@pytest.mark.parametrize("output", ["", "Submitted batch job 5\n", "12 13\n", "12\n13\n", "x\n"])
def test_success_without_a_number_is_unclear(output):
    """A success that gives no number may have left a job."""
    assert isinstance(answer_of(Reply(0, output, "")), Unclear)


@pytest.mark.parametrize(
    "message",
    [
        FAILED + "Requested node configuration is not available",
        FAILED + "More processors requested than permitted",
        FAILED + "Invalid account or account/partition combination specified",
        FAILED + "Invalid partition name specified",
        FAILED + "Requested time limit is invalid (missing or exceeds some limit)",
        "sbatch: error: Memory specification can not be satisfied\n"
        + FAILED
        + "Requested node configuration is not available",
        "sbatch: error: Invalid --gres specification",
        "sbatch: error: QOSMaxWallDurationPerJobLimit\n" + QOS,
    ],
)
def test_what_could_never_run_is_refused_for_good(message):
    """A job that this cluster cannot have is refused permanently, with Slurm's message."""
    answer = answer_of(Reply(1, "", message + "\n"))
    assert isinstance(answer, Refused)
    assert answer.is_permanent
    assert answer.reason
    assert not answer.reason.startswith("sbatch:")


@pytest.mark.parametrize(
    "message",
    [
        FAILED + "Unable to contact slurm controller (connect failure)",
        FAILED + "Slurm backup controller in standby mode",
        QOS,
        "sbatch: error: AssocMaxSubmitJobLimit\n" + QOS,
        FAILED + "Invalid authentication credential",
        FAILED + "Protocol authentication error",
        FAILED + "Required partition not available (inactive or drain)",
    ],
)
def test_what_may_pass_is_refused_for_now(message):
    """A controller that is away or full may take the job later."""
    answer = answer_of(Reply(1, "", message + "\n"))
    assert isinstance(answer, Refused)
    assert not answer.is_permanent


@pytest.mark.parametrize(
    "reply",
    [
        Reply(None, "", "sbatch has not answered within 3 s"),
        Reply(None, "17\n", ""),
        Reply(1, "", FAILED + "Socket timed out on send/recv operation\n"),
        Reply(1, "", FAILED + "Zero Bytes were transmitted or received\n"),
        Reply(1, "", FAILED + "Unable to contact slurm controller (receive failure)\n"),
        Reply(1, "", FAILED + "A message of a later version\n"),
        Reply(137, "", ""),
        Reply(1, "", ""),
    ],
)
def test_whatever_else_is_unclear(reply):
    """Nothing that may hide a job is taken for a refusal."""
    answer = answer_of(reply)
    assert isinstance(answer, Unclear)
    assert answer.reason


def test_no_sbatch_is_no_job():
    """Where there is no program nothing can have been submitted."""
    answer = answer_of(Reply(127, "", "sbatch: not found\n"))
    assert isinstance(answer, Refused)
    assert not answer.is_permanent
