"""Driver: one thread that gives the core what is observed, commits what changes, and has the rest done."""

from __future__ import annotations

import logging
import math
import threading
import time
from concurrent.futures import Future
from dataclasses import replace
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from echelon.errors import EchelonError, StoreError
from echelon.service.records import DecisionRecord, Event

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from echelon.service.clusters.worker import Worker
    from echelon.service.core import ServiceCore
    from echelon.service.messages import Observation, Step
    from echelon.service.store import Store

T = TypeVar("T")

_GATHER = 0.01
"""Seconds in which observations that follow one another are gathered into one step."""
_IDLE = 60.0
"""Seconds after which the driver looks at the clock again although nothing is due."""
_PRUNE_EVERY = 3600.0
"""Seconds between times at which the store forgets what is too old."""
_PATIENCE = 30.0
"""Seconds for which callers wait for what they ask."""

_RETRY = 1.0
"""Seconds between attempts to commit where the store does not answer."""

_log = logging.getLogger("echelon.service")


class _Asked(NamedTuple):
    """A question to the core, which changes nothing."""

    question: Callable[[ServiceCore, float], Any]
    answer: Future[Any]


class _Posted(NamedTuple):
    """An observation, and the callers that wait until what follows from it is committed."""

    observation: Observation
    done: Future[None] | None


class Driver:
    """The core under the real clock.

    Parameters
    ----------
    core : ServiceCore
        What decides.
    store : Store
        What keeps.
    workers : mapping of str to Worker
        Who carries out, by cluster.
    clock : callable, default `time.time`
        Unix time in seconds.

    Attributes
    ----------
    failure : Exception or None
        Why it has stopped by itself: an error in a rule or in the core.
    problem : str
        Why the store does not take changes at present; empty: it does.
    steps, decisions : int
        Steps and decisions so far.
    seconds : float
        CPU time of all steps.

    Notes
    -----
    Changes are committed before any action that follows from them. While the store does not answer, nothing
    is decided and nothing is submitted: the same changes are offered to it again.
    """

    def __init__(
        self,
        core: ServiceCore,
        store: Store,
        workers: Mapping[str, Worker],
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._core, self._store, self._workers, self._clock = core, store, workers, clock
        self._inbox: SimpleQueue[_Asked | _Posted | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="driver", daemon=True)
        self._committed = threading.Condition()
        self._last_event = store.last_event()
        self._stopping = False
        self._now = self._prune_at = -math.inf
        self.failure: Exception | None = None
        self.problem = ""
        self.steps = self.decisions = 0
        self.seconds = 0.0

    def start(self) -> None:
        """Start to decide."""
        self._thread.start()

    def stop(self) -> None:
        """Stop after the present step; what is posted later is lost, and found out after the next start."""
        self._stopping = True
        self._inbox.put(None)
        if self._thread.is_alive():
            self._thread.join()
        with self._committed:
            self._committed.notify_all()

    def join(self) -> None:
        """Wait until it has stopped."""
        self._thread.join()

    @property
    def is_running(self) -> bool:
        """Whether it decides."""
        return self._thread.is_alive() and not self._stopping

    @property
    def waiting(self) -> int:
        """Observations and questions that wait for it."""
        return self._inbox.qsize()

    def post(self, observation: Observation) -> None:
        """Have the core take in an observation."""
        self._inbox.put(_Posted(observation, None))

    def post_and_wait(self, observation: Observation) -> None:
        """Have the core take in an observation; return when what follows from it is committed."""
        done: Future[None] = Future()
        self._inbox.put(_Posted(observation, done))
        done.result(_PATIENCE)

    def ask(self, question: Callable[[ServiceCore, float], T]) -> T:
        """Return the core's answer to a question, which changes nothing."""
        answer: Future[T] = Future()
        self._inbox.put(_Asked(question, answer))
        return answer.result(_PATIENCE)

    def wait_for_event(self, after: int, patience: float) -> bool:
        """Return whether there is an event with a greater number, within `patience` seconds."""
        with self._committed:
            return self._committed.wait_for(lambda: self._last_event > after or self._stopping, patience)

    def _run(self) -> None:
        try:
            # What a start finds out is kept before anything is waited for: the next one builds on it.
            self._step(self._time(), [])
            while not self._stopping:
                self._turn()
        except Exception as error:
            self.failure = error
            _log.exception("the service has stopped deciding")
        finally:
            self._stopping = True
            self._refuse_waiting()

    def _turn(self) -> None:
        """Take what has come, or what is due, and do what follows."""
        inputs = self._take()
        now = self._time()
        posted = [one for one in inputs if isinstance(one, _Posted)]
        if posted or self._core.next_time() <= now:
            self._step(now, [one.observation for one in posted])
        for one in inputs:
            if isinstance(one, _Asked):
                _answer(one, self._core, self._time())
            elif one.done is not None:
                one.done.set_result(None)
        if now >= self._prune_at:
            self._prune_at = now + _PRUNE_EVERY
            self._prune(now)

    def _prune(self, now: float) -> None:
        """Let the store forget what is too old; it tries again later if it cannot."""
        try:
            self._store.prune(now)
        except StoreError as error:
            _log.warning("the store forgets nothing: %s", error)

    def _take(self) -> list[_Asked | _Posted]:
        """Return what has come, or nothing when something is due."""
        inputs: list[_Asked | _Posted] = []
        patience = min(max(self._core.next_time() - self._clock(), 0.0), _IDLE)
        while not self._stopping:
            try:
                one = self._inbox.get(timeout=patience) if patience else self._inbox.get_nowait()
            except Empty:
                break
            if one is not None:
                inputs.append(one)
            # Further ones that are on their way share the step, and one commit.
            patience = _GATHER if self._inbox.empty() and len(inputs) == 1 else 0.0
        return inputs

    def _time(self) -> float:
        """Return the time of a step, which never goes back, whatever the clock does."""
        self._now = max(self._now, self._clock())
        return self._now

    def _step(self, now: float, observations: Sequence[Observation]) -> None:
        began = time.thread_time()
        step = self._core.step(now, observations)
        spent = time.thread_time() - began
        self.steps += 1
        self.seconds += spent
        self._commit(step, spent)
        for action in step.actions:
            self._workers[action.cluster].take(action)

    def _commit(self, step: Step, spent: float) -> None:
        if not step.changes:
            return
        self.decisions += sum(isinstance(one, DecisionRecord) for one in step.changes)
        changes = [
            replace(one, seconds=spent) if isinstance(one, DecisionRecord) else one for one in step.changes
        ]
        while True:
            try:
                events = self._store.commit(changes)
                break
            except StoreError as error:
                if self.problem != str(error):
                    _log.error("the store takes no changes: %s", error)
                self.problem = str(error)
                if self._stopping or error.is_final:
                    raise
                time.sleep(_RETRY)
        self.problem = ""
        self._tell(events)

    def _tell(self, events: Sequence[Event]) -> None:
        if not events:
            return
        with self._committed:
            self._last_event = max(self._last_event, events[-1].number)
            self._committed.notify_all()

    def _refuse_waiting(self) -> None:
        """Answer those who still wait: the service has stopped."""
        while True:
            try:
                one = self._inbox.get_nowait()
            except Empty:
                return
            waiting = None if one is None else one.answer if isinstance(one, _Asked) else one.done
            if waiting is not None:
                waiting.set_exception(EchelonError("the service has stopped deciding; see its log"))


def _answer(one: _Asked, core: ServiceCore, now: float) -> None:
    try:
        one.answer.set_result(one.question(core, now))
    except Exception as error:
        one.answer.set_exception(error)
