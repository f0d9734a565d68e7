"""Backend claim checks: what back ends with claims must do, and those that run commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.backends.contract import Outcome
from echelon.testing.backend_checks import HOSTILE_ARGUMENTS
from echelon.testing.backend_trial import expect

if TYPE_CHECKING:
    from echelon.backends.contract import Submission
    from echelon.testing.backend_trial import BackendTrial


def twice(trial: BackendTrial) -> None:
    """Check that a tag that is submitted twice is listed twice, and its payload runs once."""
    case, tag = trial.case, trial.case.tag()
    job = case.script(f"echo ran >> {case.path(tag)}; sleep 1", tag=tag)
    ids = trial.submit_accepted(job) + trial.submit_accepted(job)
    listed = {one.native_id for one in trial.list_jobs(tag)}
    expect(listed == set(ids), f"look() lists {listed} of a tag that has the ids {set(ids)}")
    expect(trial.record(tag).outcome == Outcome.COMPLETED, "the job that has the claim is not COMPLETED")
    trial.wait_for_end(tag)
    ran = case.written(tag).count("ran")
    expect(ran == 1, f"its payload ran {ran} times")
    outcomes = {one.outcome for one in trial.list_jobs(tag)}
    claim_outcomes = {Outcome.COMPLETED, Outcome.UNCLAIMED, None}
    expect(outcomes <= claim_outcomes, f"looks say {outcomes}; expected completed and unclaimed")


def revoke_waiting(trial: BackendTrial) -> None:
    """Check that a job whose claim is revoked never starts, and the claim stays the service's."""
    large, revoked = _large(trial), _mark_job(trial)
    trial.submit_accepted(large)
    trial.wait_for_start(large.tag)
    trial.submit_accepted(revoked)
    _check_revocation(trial, revoked.tag, expected=True)
    _check_revocation(trial, revoked.tag, expected=True)
    trial.open_again()
    _check_revocation(trial, revoked.tag, expected=True)
    trial.backend.cancel([(large.tag, "")])
    trial.wait_for_end(revoked.tag)
    expect(not trial.case.written(revoked.tag), "a job ran although its claim was revoked before")
    evidence = trial.backend.evidence([revoked.tag])
    expect(revoked.tag not in evidence.claimed, "evidence() says that a revoked job has its claim")
    expect(revoked.tag not in evidence.records, "evidence() has a record of a job that never ran")


def revoke_before_submission(trial: BackendTrial) -> None:
    """Check that a claim can be revoked before its job arrives, which then never starts."""
    job = _mark_job(trial)
    _check_revocation(trial, job.tag, expected=True)
    trial.submit(job)
    trial.wait_for_end(job.tag)
    expect(not trial.case.written(job.tag), "a job ran although its claim was revoked before")


def revoke_running(trial: BackendTrial) -> None:
    """Check that the claim of a job that runs or has run is not the service's, and evidence has it."""
    job = trial.case.script(f"echo ran >> {trial.case.path('started')}; sleep 2")
    trial.submit_accepted(job)
    trial.until(lambda: trial.case.written("started"), "a job starts")
    _check_revocation(trial, job.tag, expected=False)
    expect(job.tag in trial.backend.evidence([job.tag]).claimed, "evidence() has no claim of a job that runs")
    expect(trial.record(job.tag).outcome == Outcome.COMPLETED, "revoke() has disturbed a running job")
    _check_revocation(trial, job.tag, expected=False)


def arguments(trial: BackendTrial) -> None:
    """Check that arguments, variables and names of files with blanks and quotes arrive unchanged."""
    case, tag = trial.case, trial.case.tag()
    program = 'for word in "$@" "$ECHELON_WORD"; do printf "<%s>" "$word"; done'
    job = case.job(
        tag=tag,
        command=("sh", "-c", program, "sh", *HOSTILE_ARGUMENTS),
        environment=(("ECHELON_WORD", "".join(HOSTILE_ARGUMENTS)),),
        output="it's $out put",
    )
    trial.submit_accepted(job)
    trial.record(tag)
    expected = "".join(f"<{word}>" for word in (*HOSTILE_ARGUMENTS, "".join(HOSTILE_ARGUMENTS)))
    _wait_for_file(trial, "it's $out put", expected)


def scripts(trial: BackendTrial) -> None:
    """Check that a script runs as its first line says, in its directory, and prints to TAG.out."""
    job = trial.case.job(
        command=(), script="#!/bin/sh -e\npwd\nprintf '%s\\n' \"it's $((1 + 1))\"\nfalse\necho no\n"
    )
    trial.submit_accepted(job)
    record = trial.record(job.tag)
    expect(record.exit_code in (1, None), f"a script whose -e ends it with 1 has {record.exit_code}")
    _wait_for_file(trial, f"{job.tag}.out", f"{trial.case.directory}\nit's 2\n")


def signals(trial: BackendTrial) -> None:
    """Check that a job that a signal ends is FAILED; where claims are, the signal is known."""
    job = trial.case.script("kill -9 $$")
    trial.submit_accepted(job)
    record = trial.record(job.tag)
    expect(record.outcome == Outcome.FAILED, f"a job that signal 9 ends ended as {record.outcome}")
    if trial.backend.describe().has_claims:
        expect(record.signal == 9, f"a job that signal 9 ends has signal {record.signal}")


def _large(trial: BackendTrial) -> Submission:
    return trial.case.job(seconds=50.0, processors=trial.backend.describe().processors)


def _mark_job(trial: BackendTrial) -> Submission:
    """Return a job that leaves a mark if it runs."""
    tag = trial.case.tag()
    return trial.case.script(f"echo ran > {trial.case.path(tag)}", tag=tag)


def _check_revocation(trial: BackendTrial, tag: str, *, expected: bool) -> None:
    answers = trial.backend.revoke([tag])
    expect(answers == {tag: expected}, f"revoke() says {answers.get(tag)}; expected {expected}")


def _wait_for_file(trial: BackendTrial, name: str, expected: str) -> None:
    trial.until(lambda: trial.case.written(name) == expected, f"{name!r} is written, as {expected!r}")
