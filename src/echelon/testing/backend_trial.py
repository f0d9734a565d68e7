"""BackendTrial: one check of a back end under way: what was submitted, and what the cluster says of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.backends.contract import Accepted, EndRecord

if TYPE_CHECKING:
    from collections.abc import Callable

    from echelon.backends.contract import Answer, Backend, Outcome, OwnJob, Snapshot, Submission
    from echelon.testing.backend_case import BackendCase


class ViolationError(Exception):
    """What a back end did against its contract, in one sentence."""


def expect(is_so: object, violation: str) -> None:
    """Raise `ViolationError` with this sentence unless something is so."""
    if not is_so:
        raise ViolationError(violation)


class BackendTrial:
    """A back end of a case; what it was given is canceled at the end.

    Parameters
    ----------
    case : BackendCase
        The cluster.
    """

    def __init__(self, case: BackendCase) -> None:
        self.case = case
        self.backend: Backend = case.open()
        self._tags: list[str] = []

    def open_again(self) -> None:
        """Close the back end, and open the cluster again."""
        self.backend.close()
        self.backend = self.case.open()

    def close(self) -> None:
        """Cancel what is left, and close the back end."""
        try:
            self.until(self._is_over, "canceled jobs end")
        finally:
            self.backend.close()

    def _is_over(self) -> bool:
        """Cancel what is left, as a service does at each look; return whether nothing is."""
        left = {job.tag for job in self.look().own if job.state != "ended"}.intersection(self._tags)
        self.backend.cancel([(tag, "") for tag in sorted(left)])
        return not left

    def abandon(self) -> None:
        """Cancel what is left, without a word about whether that works: something else has failed."""
        try:
            self.backend.cancel([(tag, "") for tag in self._tags])
        finally:
            self.backend.close()

    def submit(self, *jobs: Submission) -> list[Answer]:
        """Submit jobs together."""
        self._tags += [job.tag for job in jobs]
        answers = self.backend.submit(jobs)
        if len(answers) != len(jobs):
            raise ViolationError(
                f"submit() of {len(jobs)} jobs gave {len(answers)} answers; expected one for each"
            )
        return answers

    def submit_accepted(self, *jobs: Submission) -> list[str]:
        """Submit jobs together, which the cluster accepts; return their native ids."""
        answers = self.submit(*jobs)
        for answer in answers:
            if not isinstance(answer, Accepted) or not answer.native_id:
                raise ViolationError(
                    f"submit() of a plain job gave {answer!r:.200}; expected Accepted with an id"
                )
        return [answer.native_id for answer in answers if isinstance(answer, Accepted)]

    def look(self) -> Snapshot:
        """Return a look that must be complete: the cluster runs."""
        before = self.case.now()
        seen = self.backend.look()
        after = self.case.now()
        # A clock of a cluster may be read in whole seconds.
        if not before - 1 <= seen.began_at <= after + 1:
            raise ViolationError(f"look() began at {seen.began_at:.3f}; it was called at {before:.3f}")
        if not seen.is_complete:
            raise ViolationError(f"look() at a cluster that runs is not complete: {seen.problem}")
        return seen

    def list_jobs(self, tag: str) -> list[OwnJob]:
        """Return the jobs of a tag as a look lists them."""
        return [job for job in self.look().own if job.tag == tag]

    def until(self, is_so: Callable[[], object], what: str) -> None:
        """Wait until something is so."""
        end = self.case.now() + self.case.seconds
        while not is_so():
            if self.case.now() > end:
                raise ViolationError(f"after {self.case.seconds:g} s still not: {what}")
            self.case.wait(self.case.step)

    def wait_for_start(self, tag: str) -> None:
        """Wait until a job runs."""
        self.until(lambda: any(job.state == "running" for job in self.list_jobs(tag)), "a job starts")

    def wait_to_leave_queue(self, tag: str) -> None:
        """Wait until a job does not wait any more."""
        self.until(lambda: all(job.state != "waiting" for job in self.list_jobs(tag)), "a job starts")

    def wait_for_end(self, tag: str) -> None:
        """Wait until a look has no job of this tag that waits or runs."""
        self.until(lambda: all(job.state == "ended" for job in self.list_jobs(tag)), "a job ends")

    def record(self, tag: str) -> EndRecord:
        """Wait for the end of a job; return what is known of it: a record, else what looks say."""
        self.wait_for_end(tag)
        records: list[EndRecord] = []

        def has_record() -> bool:
            evidence = self.backend.evidence([tag])
            if evidence.is_complete and tag in evidence.records:
                records.append(evidence.records[tag])
            elif not (evidence.is_complete and tag in evidence.claimed):
                ended = ((job, job.outcome) for job in self.list_jobs(tag))
                records.extend(_end(job, outcome) for job, outcome in ended if outcome is not None)
            return bool(records)

        self.until(has_record, "there is a record of the end of a job")
        return records[0]


def _end(job: OwnJob, outcome: Outcome) -> EndRecord:
    return EndRecord(outcome, started_at=job.started_at, ended_at=job.ended_at, source="queue")
