"""Pool: what every executor keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, Self, TypeAlias

from echelon.experiments.study.run.case_run import run_case
from echelon.experiments.study.run.resolved_case import forget_machines

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from echelon.experiments.study.run.case import Case
    from echelon.experiments.study.run.outcome import Outcome
    from echelon.experiments.study.store.store import Store

Chunk: TypeAlias = "tuple[Case, ...]"
"""Cases that go to a worker together, so that sending costs little beside running."""


class Finished(NamedTuple):
    """A chunk that is out of a worker's hands.

    Attributes
    ----------
    chunk : tuple of Case
        As it was started.
    outcomes : list of Outcome or None
        Of its first cases, all unless the pool was stopped; None if the worker was lost with it, killed by
        the operating system or a user.
    """

    chunk: Chunk
    outcomes: list[Outcome] | None


class Pool(Protocol):
    """Workers that run chunks of cases and keep the runs in a store; a context manager."""

    def __enter__(self) -> Self:
        """Start the workers."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        """End them; chunks not yet begun are not done."""

    @property
    def workers(self) -> int:
        """How many chunks run at once, >= 1."""

    def start(self, chunk: Chunk) -> None:
        """Have a chunk run as soon as a worker is free."""

    def wait(self) -> list[Finished]:
        """Return chunks that have finished, at least one; at least one must have been started.

        Raises
        ------
        StoreError
            If a worker cannot write the store.
        """

    def stop(self) -> None:
        """Let workers end their chunks after the case they are at."""


def run_chunk(chunk: Chunk, store: Store, stopped: Callable[[], bool]) -> list[Outcome]:
    """Run the cases of a chunk in turn, until `stopped` says yes, and return their outcomes."""
    forget_machines()
    outcomes: list[Outcome] = []
    for case in chunk:
        if stopped():
            break
        outcomes.append(run_case(case, store))
    return outcomes
