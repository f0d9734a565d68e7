"""ProcessBackend: processors of this machine as a cluster."""

from __future__ import annotations

import os
import platform
import threading
import time
from typing import TYPE_CHECKING

from echelon.backends.claims import Claims
from echelon.backends.contract import Description, Refused, Snapshot
from echelon.backends.process.local_queue import LocalQueue
from echelon.backends.process.planner import Planner
from echelon.backends.process.refilling import Refilling
from echelon.backends.settings import Settings
from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from echelon.backends.contract import Answer, Evidence, Submission

_PATIENCE = 1.0
"""Seconds; a submission is a call, and nothing is under way after a crash."""


class ProcessBackend:
    """A cluster of processors of this machine, whose jobs outlive the service.

    Implements `echelon.backends.Backend`. Jobs wait in a queue of its own, on disk. A wrapper around each
    enforces its time limit, also while no service runs; waiting jobs start while one does. Processors are
    counted, not assigned, and memory is not enforced. A job finds its number of processors in
    ``ECHELON_PROCESSORS``.

    Parameters
    ----------
    directory : Path
        Its own, absolute; it is made where it is missing.
    slots : int
        Processors, at least 1.
    policy : str, default ``"easy"``
        Decides which waiting jobs start, as ``--policy`` does; a predictable one.
    grace : float, default 10
        Seconds from TERM to KILL for a job that is canceled or reaches its time limit.
    remembers : float, default 300
        Seconds for which ended jobs are listed.
    depth : int, default 500
        Waiting jobs that the policy is shown, the first submitted ones.
    folder : Path, optional
        The service's own, where it remembers the directory, see `Claims`.

    Raises
    ------
    InputError, UnknownNameError
        If a setting is not what it must be, or another process uses the directory.
    """

    def __init__(
        self,
        directory: Path,
        slots: int,
        *,
        policy: str = "easy",
        grace: float = 10.0,
        remembers: float = 300.0,
        depth: int = 500,
        folder: Path | None = None,
    ) -> None:
        if platform.system() != "Linux":
            raise InputError("clusters of processes need Linux", field="backend")
        self._policy, self._slots = policy, slots
        planner = Planner(policy, slots)
        try:
            self._queue = LocalQueue(
                Claims(directory, folder), planner, grace=grace, remembers=remembers, depth=depth
            )
        except OSError as error:
            raise InputError(f"cannot be used: {error}", file=str(directory), field="directory") from error
        self._lock = threading.Lock()
        self._refilling = Refilling(self._queue, self._lock)
        self._is_closed = False

    def describe(self) -> Description:
        """See `Backend.describe`."""
        version = f"{platform.system()} {platform.release()}"
        return Description(
            self._slots, has_claims=True, patience=_PATIENCE, policy=self._policy, version=version
        )

    def submit(self, submissions: Sequence[Submission]) -> list[Answer]:
        """See `Backend.submit`: jobs are on disk when this returns, with one ``fsync`` for all."""
        with self._lock:
            if self._is_closed:
                return [Refused("the back end is closed", is_permanent=False) for _ in submissions]
            answers = self._queue.submit(submissions)
        self._refilling.wake()
        return answers

    def look(self) -> Snapshot:
        """See `Backend.look`."""
        began_at = time.time()
        with self._lock:
            if self._is_closed:
                return Snapshot(began_at, is_complete=False, problem="the back end is closed")
            self._queue.refresh()
            jobs, problem = self._queue.jobs(), self._queue.problem
        self._refilling.wake()
        return Snapshot(began_at, is_complete=True, processors=self._slots, own=jobs, problem=problem)

    def evidence(self, tags: Sequence[str]) -> Evidence:
        """See `Backend.evidence`."""
        return self._queue.claims.evidence(tags)

    def cancel(self, jobs: Sequence[tuple[str, str]]) -> None:
        """See `Backend.cancel`."""
        with self._lock:
            if not self._is_closed:
                self._queue.cancel(jobs)
        self._refilling.wake()

    def revoke(self, tags: Sequence[str]) -> dict[str, bool]:
        """See `Backend.revoke`."""
        with self._lock:
            return {} if self._is_closed else self._queue.revoke(tags)

    def close(self) -> None:
        """See `Backend.close`: jobs run on, and waiting ones wait until the cluster is opened again."""
        self._refilling.stop()
        with self._lock:
            if not self._is_closed:
                self._queue.close()
                self._is_closed = True


def make(name: str, settings: Mapping[str, object], state: Path) -> ProcessBackend:
    """Return a cluster of processes.

    Parameters
    ----------
    name : str
        Name of the cluster.
    settings : mapping of str to object
        ``slots`` (default: the processors that this process may use), ``directory`` (default:
        ``clusters/NAME`` in `state`), ``policy``, ``grace``, ``remembers``, ``depth``: see `ProcessBackend`.
    state : Path
        The service's own directory.

    Raises
    ------
    InputError, UnknownNameError
        If a setting is unknown, or not what it must be.
    """
    read = Settings(name, settings)
    slots = read.whole("slots", len(os.sched_getaffinity(0)))
    directory = read.directory("directory", state.absolute() / "clusters" / name)
    policy = read.text("policy", "easy")
    grace = read.seconds("grace", 10.0, least=1.0)
    remembers = read.seconds("remembers", 300.0)
    depth = read.whole("depth", 500)
    read.refuse_others()
    return ProcessBackend(
        directory, slots, policy=policy, grace=grace, remembers=remembers, depth=depth, folder=state
    )
