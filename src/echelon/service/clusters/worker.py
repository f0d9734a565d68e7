"""Worker: one thread a cluster that looks at it, and carries out what is to be done there."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, TypeVar

from echelon.backends import Evidence, Snapshot, Unclear
from echelon.backends.soundness import why_no_answers, why_no_evidence, why_no_look
from echelon.service.core.clusters import FAILED_SHARE, SHARE
from echelon.service.messages import (
    Answered,
    CancelJob,
    FindEvidence,
    Found,
    LookAgain,
    Looked,
    RevokeClaims,
    Revoked,
    SubmitJob,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from echelon.backends import Answer, Backend
    from echelon.service.clock import Clock
    from echelon.service.messages import Action, Observation

T = TypeVar("T", Evidence, Snapshot)

_SOON = 0.25
"""Seconds between looks that are asked for, at least."""
_KEEP_EVERY = 60.0
"""Seconds between looks that are kept for later."""
_CHUNK = 32
"""Jobs submitted between two looks at what else is to be done."""

_log = logging.getLogger("echelon.service")


class Worker:
    """One cluster, driven by one thread.

    Parameters
    ----------
    cluster : str
        Its name.
    backend : Backend
        The cluster.
    interval : float
        Seconds between looks, where they take little time.
    post : callable
        Takes what is observed.
    keep : callable
        Keeps a complete look for later, at most once a minute.
    clock : Clock
        The service's; back ends have the machine's.

    Attributes
    ----------
    latest : Snapshot, optional
        The last complete one.
    look_seconds, all_look_seconds : float
        How long the last look took, and all of them.
    looks, failures, unclear : int
        Looks so far, how many were not complete, and submissions whose answers were not clear.
    """

    latest: Snapshot | None = None

    def __init__(
        self,
        cluster: str,
        backend: Backend,
        *,
        interval: float,
        post: Callable[[Observation], None],
        keep: Callable[[str, Snapshot], None],
        clock: Clock,
    ) -> None:
        self.cluster, self.backend = cluster, backend
        self._interval, self._post, self._keep, self._clock = interval, post, keep, clock
        self._keep_at, self._problem = 0.0, ""
        self._actions: deque[Action] = deque()
        self._change = threading.Condition()
        self._next_look = self._last_look = 0.0
        self._is_stopping = False
        self._thread = threading.Thread(target=self._run, name=f"cluster {cluster}", daemon=True)
        self.look_seconds = self.all_look_seconds = 0.0
        self.looks = self.failures = self.unclear = 0

    @property
    def waiting(self) -> int:
        """Actions that wait to be carried out."""
        return len(self._actions)

    def start(self) -> None:
        """Start with a look."""
        self._thread.start()

    def stop(self, patience: float = 15.0) -> None:
        """Stop after what is being done; what is left to do is found out after the next start."""
        with self._change:
            self._is_stopping = True
            self._change.notify()
        if self._thread.is_alive():
            self._thread.join(patience)
        self.backend.close()

    def take(self, action: Action) -> None:
        """Carry out an action, after those taken before."""
        with self._change:
            if isinstance(action, LookAgain):
                pause = max(_SOON, SHARE * self.look_seconds)
                self._next_look = min(self._next_look, self._last_look + pause)
            else:
                self._actions.append(action)
            self._change.notify()

    def _run(self) -> None:
        while not self._is_stopping:
            try:
                self._turn()
            except Exception:
                self._note_failure()

    def _note_failure(self) -> None:
        """Note that the back end has raised what it must not: that is as if it did not answer."""
        _log.exception("the back end of cluster %s has failed", self.cluster)
        self._post(
            Looked(self.cluster, _no_look(self._clock(), "the back end failed; see the service's log"))
        )
        self._next_look = time.monotonic() + self._interval

    def _turn(self) -> None:
        actions = self._due()
        for kind, group in groupby(actions, type):
            try:
                self._carry_out(kind, list(group))
            except Exception:
                # What was asked for is asked for again after the next look; others must not be lost with it.
                self._note_failure()
        if not self._is_stopping and time.monotonic() >= self._next_look:
            self._look()

    def _due(self) -> list[Action]:
        """Return the actions to carry out now; none when a look is due."""
        with self._change:
            self._change.wait_for(
                lambda: self._actions or self._is_stopping,
                timeout=max(self._next_look - time.monotonic(), 0.0),
            )
            if self._is_stopping:
                return []
            return [self._actions.popleft() for _ in range(min(len(self._actions), _CHUNK))]

    def _carry_out(self, kind: type[Action], actions: Sequence[Action]) -> None:
        if kind is SubmitJob:
            self._submit([one for one in actions if isinstance(one, SubmitJob)])
        elif kind is CancelJob:
            self.backend.cancel([(one.tag, one.native_id) for one in actions if isinstance(one, CancelJob)])
        elif kind is FindEvidence:
            tags = _tags(actions)
            evidence = self._ask_with_time(lambda: self._evidence(tags))
            self._tell(evidence.problem)
            self._post(Found(self.cluster, tags, evidence))
        elif kind is RevokeClaims:
            tags = _tags(actions)
            self._post(Revoked(self.cluster, tags, tuple(self.backend.revoke(tags).items())))

    def _submit(self, actions: Sequence[SubmitJob]) -> None:
        try:
            answers: Sequence[Answer] = self.backend.submit([one.submission for one in actions])
            why = why_no_answers(answers, len(actions))
        except Exception as error:
            _log.exception("the back end of cluster %s has failed", self.cluster)
            why = str(error) or type(error).__name__
        if why:
            _log.error("a submission to cluster %s is unclear: %s", self.cluster, why)
            answers = [Unclear(f"the back end failed: {why}")] * len(actions)
        self.unclear += sum(isinstance(answer, Unclear) for answer in answers)
        for one, answer in zip(actions, answers, strict=True):
            self._post(Answered(one.job, one.attempt, answer))

    def _evidence(self, tags: tuple[str, ...]) -> Evidence:
        evidence = self.backend.evidence(tags)
        if why := why_no_evidence(evidence):
            return Evidence(time.time(), is_complete=False, problem=f"the back end is wrong: {why}")
        return evidence

    def _snapshot(self) -> Snapshot:
        seen = self.backend.look()
        if why := why_no_look(seen):
            return _no_look(time.time(), f"the back end is wrong: {why}")
        return seen

    def _tell(self, problem: str) -> None:
        """Log once why ends of jobs cannot be found out: nothing follows, so nothing else says it."""
        if problem and problem != self._problem:
            _log.warning("cluster %s: it is not known how jobs have ended: %s", self.cluster, problem)
        self._problem = problem

    def _ask_with_time(self, ask: Callable[[], T]) -> T:
        """Return what a back end has seen, with its time by the service's clock; in doubt the earlier one."""
        before = self._clock.ahead()
        seen = ask()
        ahead = min(before, self._clock.ahead())
        return replace(seen, began_at=seen.began_at + ahead) if ahead else seen

    def _look(self) -> None:
        began = time.monotonic()
        snapshot = self._ask_with_time(self._snapshot)
        self.look_seconds = time.monotonic() - began
        self._last_look = began
        self.looks += 1
        self.failures += not snapshot.is_complete
        self.all_look_seconds += self.look_seconds
        # A cluster that is back must be seen soon, however long it took to find out that it was not there.
        share = SHARE if snapshot.is_complete else FAILED_SHARE
        with self._change:
            self._next_look = began + max(self._interval, share * self.look_seconds)
        if snapshot.is_complete:
            self.latest = snapshot
            if began >= self._keep_at:
                self._keep_at = began + _KEEP_EVERY
                self._keep(self.cluster, snapshot)
        self._post(Looked(self.cluster, snapshot))


def _tags(actions: Sequence[Action]) -> tuple[str, ...]:
    """Return the tags of all actions together, each once, for one request."""
    return tuple(
        dict.fromkeys(
            tag for one in actions if isinstance(one, FindEvidence | RevokeClaims) for tag in one.tags
        )
    )


def _no_look(now: float, problem: str) -> Snapshot:
    return Snapshot(began_at=now, is_complete=False, problem=problem)
