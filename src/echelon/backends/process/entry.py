"""Entry: a job in the queue of a cluster of processes, and its lines in the journal."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from echelon.backends.contract import Outcome, OwnJob, Submission

if TYPE_CHECKING:
    from echelon.backends.process.journal import Line

_PLANNED = 86400.0
"""Seconds for which a job without a time limit is planned."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A job that the cluster has accepted.

    Attributes
    ----------
    number : int
        Its number here, from 1, in the order of submission.
    submission : Submission
        What is to run.
    submitted_at : float
        Unix time in seconds.
    boot : str
        During which run of the machine it was to be started; empty: never yet.
    listed : OwnJob
        As looks list it.
    """

    number: int
    submission: Submission
    submitted_at: float
    boot: str
    listed: OwnJob

    @classmethod
    def make_waiting(cls, number: int, submission: Submission, submitted_at: float) -> Entry:
        """Return a job that waits."""
        listed = OwnJob(submission.tag, str(number), "waiting", submission.processors)
        return cls(number, submission, submitted_at, "", listed)

    @classmethod
    def of(cls, line: Line) -> Entry:
        """Return the job of a line that `submitted_line` made."""
        return cls.make_waiting(line["submit"], Submission.of_json(line["job"]), line["at"])

    def submitted_line(self) -> Line:
        """Return its first line."""
        return {"submit": self.number, "at": self.submitted_at, "job": asdict(self.submission)}

    def started_line(self) -> Line:
        """Return the line that says that it is started."""
        return {"start": self.number, "at": self.listed.started_at, "boot": self.boot}

    def ended_line(self) -> Line:
        """Return its last line."""
        listed = self.listed
        end = {name: getattr(listed, name) for name in ("started_at", "ended_at", "outcome", "reason")}
        return {"end": self.number, **end}

    def lines(self) -> list[Line]:
        """Return all its lines."""
        lines = [self.submitted_line()]
        if self.boot:
            lines.append(self.started_line())
        if self.listed.state == "ended":
            lines.append(self.ended_line())
        return lines

    def start(self, at: float, boot: str) -> Entry:
        """Return it as it starts, at Unix time `at`."""
        return replace(self, boot=boot, listed=replace(self.listed, state="running", started_at=at))

    def requeue(self) -> Entry:
        """Return it as it waits again: it was to be started, and has not claimed itself."""
        return replace(self, listed=replace(self.listed, state="waiting", started_at=None))

    def with_end(
        self, outcome: Outcome, ended_at: float, reason: str, started_at: float | None = None
    ) -> Entry:
        """Return it as it has ended."""
        began = self.listed.started_at if started_at is None else started_at
        listed = replace(
            self.listed, state="ended", outcome=outcome, ended_at=ended_at, reason=reason, started_at=began
        )
        return replace(self, listed=listed)

    @property
    def planned_time(self) -> float:
        """How long it is planned to run, in seconds."""
        return _PLANNED if self.submission.time_limit is None else self.submission.time_limit


def entries_of(lines: list[Line]) -> tuple[dict[int, Entry], int]:
    """Return the jobs of a journal by number, and the next number."""
    entries: dict[int, Entry] = {}
    following = 1
    for line in lines:
        if "next" in line:
            following = max(following, line["next"])
        elif "submit" in line:
            entries[line["submit"]] = Entry.of(line)
            following = max(following, line["submit"] + 1)
        elif "start" in line:
            entries[line["start"]] = entries[line["start"]].start(line["at"], line["boot"])
        else:
            outcome, number = Outcome(line["outcome"]), line["end"]
            entries[number] = entries[number].with_end(
                outcome, line["ended_at"], line["reason"], line["started_at"]
            )
    return entries, following
