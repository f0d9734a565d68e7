"""Run: one submission of a job at a simulated cluster."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from echelon.backends.contract import EndRecord, OtherJob, Outcome, OwnJob

if TYPE_CHECKING:
    from echelon.backends.simulated.trial import Trial


@dataclass(slots=True)
class Run:
    """One submission of a job at a simulated cluster.

    Attributes
    ----------
    tag : str
        Its name; empty: a job of others.
    native_id : str
        Its number at the cluster.
    site, position : int
        Its cluster, and its place in the engine's instance.
    processors : int
        That it asks for.
    time_limit : float, optional
        In seconds.
    submitted_at : float
        When it came, Unix time in seconds, as all times here.
    trial : Trial
        What becomes of it once it has started.
    state : {"waiting", "running", "ended"}
        What it does.
    started_at, ended_at : float, optional
        When it started and ended.
    outcome : Outcome, optional
        How it ended.
    exit_code, signal : int, optional
        Of its payload.
    """

    tag: str
    native_id: str
    site: int
    position: int
    processors: int
    time_limit: float | None
    submitted_at: float
    trial: Trial
    state: Literal["waiting", "running", "ended"] = "waiting"
    started_at: float | None = None
    ended_at: float | None = None
    outcome: Outcome | None = None
    exit_code: int | None = None
    signal: int | None = None
    _listed: OwnJob | None = field(default=None, repr=False)

    def start(self, now: float) -> None:
        """Note that it starts, or resumes."""
        self.state, self.started_at, self._listed = "running", now, None

    def wait(self) -> None:
        """Note that it waits again."""
        self.state, self._listed = "waiting", None

    def end(
        self, now: float, outcome: Outcome, exit_code: int | None = None, signal: int | None = None
    ) -> None:
        """Note that it ends, or leaves the queue."""
        self.state, self.ended_at, self._listed = "ended", now, None
        self.outcome, self.exit_code, self.signal = outcome, exit_code, signal

    def as_own(self) -> OwnJob:
        """Return it as its cluster lists it, if it is the service's."""
        if self._listed is None:
            self._listed = OwnJob(
                self.tag,
                self.native_id,
                self.state,
                self.processors,
                None if self.state == "waiting" else self.started_at,
                self.ended_at,
                self.outcome,
            )
        return self._listed

    def as_other(self) -> OtherJob:
        """Return it as its cluster lists a job of others that waits or runs."""
        started = self.started_at if self.state == "running" else None
        state: Literal["waiting", "running"] = "running" if self.state == "running" else "waiting"
        return OtherJob(self.native_id, state, self.processors, self.time_limit, self.submitted_at, started)

    def record(self) -> EndRecord | None:
        """Return the record of its end, None if there is none: that of a ghost says nothing about its job."""
        if self.outcome is None or self.outcome is Outcome.UNCLAIMED:
            return None
        source = "queue" if self.started_at is None else "exit record"
        return EndRecord(self.outcome, self.exit_code, self.signal, self.started_at, self.ended_at, source)
