"""Backend checks: what every back end must do, each as one function of a trial."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.backends.contract import Accepted, Outcome, Refused
from echelon.testing.backend_trial import expect

if TYPE_CHECKING:
    from echelon.testing.backend_trial import BackendTrial

HOSTILE_ARGUMENTS = (
    "two  blanks",
    "it's",
    'a "quote"',
    "$HOME ${HOME} $(id) `id`",
    "; exit 9 #",
    "one\ntwo\n",
    "\\n \\\\",
    "*",
    "",
    "-n",
    "%s %%",
    "ä € 漢 \U0001f600",
)
"""Arguments that a shell, or a line of a listing, would take for something else."""


def description(trial: BackendTrial) -> None:
    """Check that it has processors, a patience and a policy."""
    cluster = trial.backend.describe()
    expect(cluster.processors >= 1, f"describe() has {cluster.processors} processors; expected at least 1")
    expect(cluster.patience >= 0, f"describe() has a patience of {cluster.patience} s; expected >= 0")
    expect(bool(cluster.policy), "describe() names no policy")


def unknown_jobs(trial: BackendTrial) -> None:
    """Check that jobs that it never had are in no look and no evidence, and to cancel them is harmless."""
    tag = trial.case.tag()
    trial.backend.cancel([(tag, ""), (tag, "1"), (trial.case.tag(), "999999999")])
    expect(not trial.list_jobs(tag), "look() lists a job that was never submitted")
    evidence = trial.backend.evidence([tag])
    expect(evidence.is_complete, f"evidence() of a cluster that runs is not complete: {evidence.problem}")
    expect(tag not in evidence.records, "evidence() has a record of a job that was never submitted")
    expect(tag not in evidence.claimed, "evidence() has a claim of a job that was never submitted")
    expect(trial.backend.submit([]) == [], "submit() of nothing is not an empty list")


def acceptance(trial: BackendTrial) -> None:
    """Check that accepted jobs have ids of their own, and the next look has them with tag and id."""
    jobs = [trial.case.job(seconds=2.0) for _ in range(3)]
    ids = trial.submit_accepted(*jobs)
    expect(len(set(ids)) == len(ids), f"native ids are {ids}; expected different ones")
    for job, native_id in zip(jobs, ids, strict=True):
        listed = trial.list_jobs(job.tag)
        expect(
            [one.native_id for one in listed] == [native_id],
            f"look() lists the ids {[one.native_id for one in listed]} of a job that was given {native_id}",
        )
        expect(listed[0].processors == 1, f"look() lists {listed[0].processors} processors of 1")


def refusal(trial: BackendTrial) -> None:
    """Check that a job larger than the cluster is refused for good, beside one that is not."""
    large = trial.case.job(processors=trial.backend.describe().processors + 1)
    answers = trial.submit(large, trial.case.job())
    expect(
        isinstance(answers[0], Refused) and answers[0].is_permanent,
        f"submit() of a job larger than the cluster gave {answers[0]!r:.200}; expected Refused for good",
    )
    expect(isinstance(answers[1], Accepted), f"and that of a small one beside it {answers[1]!r:.200}")
    expect(not trial.list_jobs(large.tag), "look() lists a job that was refused")


def completion(trial: BackendTrial) -> None:
    """Check that a job starts, runs, and ends as COMPLETED, with exit code 0 and times in this order."""
    job = trial.case.job(seconds=1.0)
    before = trial.case.now()
    trial.submit_accepted(job)
    trial.wait_for_start(job.tag)
    record = trial.record(job.tag)
    expect(record.outcome == Outcome.COMPLETED, f"a job that exits with 0 ended as {record.outcome}")
    expect(record.exit_code in (0, None), f"its exit code is {record.exit_code}")
    if record.started_at is not None and record.ended_at is not None:
        times = (before - 2, record.started_at, record.ended_at, trial.case.now() + 2)
        expect(list(times) == sorted(times), f"its times are not in order: {times}")


def failure(trial: BackendTrial) -> None:
    """Check that a job that exits with 3 is FAILED, with this exit code where claims are."""
    job = trial.case.job(exit_code=3)
    trial.submit_accepted(job)
    record = trial.record(job.tag)
    expect(record.outcome == Outcome.FAILED, f"a job that exits with 3 ended as {record.outcome}")
    expected = (3,) if trial.backend.describe().has_claims else (3, None)
    expect(record.exit_code in expected, f"a job that exits with 3 has exit code {record.exit_code}")


def cancel_running(trial: BackendTrial) -> None:
    """Check that a running job that is canceled ends as CANCELED; to cancel it again is harmless."""
    job = trial.case.job(seconds=50.0)
    (native_id,) = trial.submit_accepted(job)
    trial.wait_for_start(job.tag)
    trial.backend.cancel([(job.tag, native_id)])
    record = trial.record(job.tag)
    expect(record.outcome == Outcome.CANCELED, f"a canceled job ended as {record.outcome}")
    trial.backend.cancel([(job.tag, native_id), (job.tag, "")])


def cancel_waiting(trial: BackendTrial) -> None:
    """Check that a waiting job that is canceled never starts."""
    large = trial.case.job(seconds=50.0, processors=trial.backend.describe().processors)
    waiting = trial.case.job()
    trial.submit_accepted(large)
    trial.wait_for_start(large.tag)
    trial.submit_accepted(waiting)
    trial.backend.cancel([(waiting.tag, "")])
    trial.wait_for_end(waiting.tag)
    trial.backend.cancel([(large.tag, "")])
    trial.wait_for_end(large.tag)
    evidence = trial.backend.evidence([waiting.tag])
    expect(waiting.tag not in evidence.claimed, "a job that was canceled while it waited has started")


def handles(trial: BackendTrial) -> None:
    """Check that a tag with another job's id, and an id with another tag, cancel nothing."""
    first, second = trial.case.job(seconds=50.0), trial.case.job(seconds=50.0)
    ids = trial.submit_accepted(first, second)
    trial.backend.cancel([(first.tag, ids[1]), (second.tag, ids[0]), (trial.case.tag(), ids[0])])
    trial.case.wait(1.0)
    for tag in (first.tag, second.tag):
        listed = trial.list_jobs(tag)
        expect(bool(listed) and listed[0].state != "ended", "a job was canceled by the id of another one")


def time_limit(trial: BackendTrial) -> None:
    """Check that a job that reaches its time limit is TIMED_OUT."""
    job = trial.case.job(seconds=50.0, time_limit=trial.case.shortest_limit)
    trial.submit_accepted(job)
    record = trial.record(job.tag)
    expect(record.outcome == Outcome.TIMED_OUT, f"a job beyond its time limit ended as {record.outcome}")


def restart(trial: BackendTrial) -> None:
    """Check that jobs outlive the back end: what ran, waited or ended is found by the next one."""
    processors = trial.backend.describe().processors
    short, large = trial.case.job(exit_code=4), trial.case.job(seconds=3.0, processors=processors)
    trial.submit_accepted(short)
    trial.wait_to_leave_queue(short.tag)
    ids = trial.submit_accepted(large, trial.case.job())
    trial.open_again()
    listed = trial.list_jobs(large.tag)
    expect(
        [one.native_id for one in listed] == [ids[0]],
        "a job is not there after the back end was opened again",
    )
    expect(trial.record(short.tag).outcome == Outcome.FAILED, "a job that ended meanwhile is not FAILED")
    trial.wait_to_leave_queue(large.tag)
    trial.open_again()
    record = trial.record(large.tag)
    expect(record.outcome == Outcome.COMPLETED, f"a job that ran meanwhile ended as {record.outcome}")
