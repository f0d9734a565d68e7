"""Workers of a Dask cluster: on this machine, or on as many as see the same files."""

from __future__ import annotations

import os
import socket
from concurrent.futures import CancelledError
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from echelon.errors import InputError
from echelon.experiments.study.executors.contract import Finished, run_chunk
from echelon.experiments.study.run.resolved_case import RESULTS
from echelon.experiments.study.store.store import Store
from echelon.extras import DASK

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

    from echelon.experiments.study.executors.contract import Chunk
    from echelon.experiments.study.run.outcome import Outcome

PATIENCE = 10.0
"""Seconds within which a scheduler must answer."""

_COUNT_AGE = 2.0
"""Seconds for which the number of workers is believed: they come and go."""


class Place(NamedTuple):
    """Where a study is, as its client sees it: what a worker must find.

    Attributes
    ----------
    folder : str
        Of the study; absolute.
    sync : bool
        As of `Store`.
    mark : bytes
        What its ``study.json`` holds.
    start : str
        The folder from which the paths of cases are seen.
    results : int
        What this release makes of runs, see `RESULTS`.
    """

    folder: str
    sync: bool
    mark: bytes
    start: str
    results: int


class DaskWorkers:
    """A pool of Dask workers.

    Parameters
    ----------
    store : Store
        Where runs are kept, on a file system that all workers see under this path.
    workers : int, optional
        How many to start on this machine, each with one thread; of a cluster that runs already, how many
        chunks it is given at once at most. Default: one a processor; all it has.
    address : str, default ``""``
        Of a scheduler, ``"tcp://host:8786"``. Default: a cluster of this machine, as long as the pool.

    Raises
    ------
    MissingExtraError
        If Dask is not installed.
    """

    def __init__(self, store: Store, workers: int | None = None, *, address: str = "") -> None:
        self._place = Place(
            str(store.folder.resolve()),
            store.sync,
            (store.folder / "study.json").read_bytes(),
            str(Path.cwd()),
            RESULTS,
        )
        self._most, self._address = workers, address
        self._dask = DASK.load()
        self._running: dict[Any, Chunk] = {}
        self._counted: tuple[float, int] = (float("-inf"), 1)

    def __enter__(self) -> Self:
        """Connect to the scheduler, or start one and its workers, and wait for the first worker."""
        self._cluster = None if self._address else self._local_cluster()
        try:
            self._client = self._dask.Client(self._cluster or self._address, timeout=PATIENCE)
        except (OSError, ValueError) as error:
            raise InputError(
                f"no Dask scheduler answers there: {error}; start one with: dask scheduler",
                field=f"dask {self._address!r}",
            ) from error
        self._client.wait_for_workers(1)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        """Leave the cluster, and end it if it is ours."""
        self._client.close()
        if self._cluster is not None:
            self._cluster.close()

    @property
    def workers(self) -> int:
        """How many chunks run at once now: threads of workers, which may come and go."""
        then, count = self._counted
        if monotonic() - then > _COUNT_AGE:
            with _while_there():
                count = max(1, sum(self._client.nthreads().values()))
            self._counted = (monotonic(), count)
        return count if self._most is None else min(count, self._most)

    def start(self, chunk: Chunk) -> None:
        """Have a chunk run as soon as a worker is free."""
        with _while_there():
            self._running[self._client.submit(run_there, chunk, self._place, pure=False)] = chunk

    def wait(self) -> list[Finished]:
        """Return chunks that have finished or were lost."""
        with _while_there():
            ended = self._dask.wait(list(self._running), return_when="FIRST_COMPLETED").done
        return [self._finish(future) for future in ended]

    def stop(self) -> None:
        """Take back what has not begun; what has ends by itself."""
        self._client.cancel(list(self._running))

    def _finish(self, future: Any) -> Finished:  # noqa: ANN401  (a future of the library)
        chunk = self._running.pop(future)
        try:
            with _while_there():
                return Finished(chunk, future.result())
        except self._dask.KilledWorker:
            return Finished(chunk, None)
        except ImportError as error:
            raise InputError(
                f"workers cannot run Echelon: {error}; install the same release there", field="dask"
            ) from error

    def _local_cluster(self) -> Any:  # noqa: ANN401  (of the library)
        import dask

        # Who kills workers is found here, see `dispatch`; four more deaths each time would find nothing else.
        with dask.config.set({"distributed.scheduler.allowed-failures": 0}):
            return self._dask.LocalCluster(
                n_workers=self._most or os.cpu_count() or 1,
                threads_per_worker=1,
                dashboard_address=None,
                # Each worker has one processor for itself.
                env={"POLARS_MAX_THREADS": "1"},
            )


@contextmanager
def _while_there() -> Iterator[None]:
    """Say in a sentence that the scheduler is gone, if it is."""
    try:
        yield
    except (CancelledError, OSError) as error:
        raise InputError(
            "the scheduler is gone; finished runs are kept; run the same command again to resume",
            field="dask",
        ) from error


def run_there(chunk: Chunk, place: Place) -> list[Outcome]:
    """Run a chunk on a worker, which may be on another machine.

    Raises
    ------
    InputError
        If the worker has another release of Echelon, or does not see the study's folder.
    """
    here = f"the Dask worker on {socket.gethostname()}"
    if place.results != RESULTS:
        raise InputError(f"{here} has another release of Echelon; install the same release everywhere")
    try:
        if str(Path.cwd()) != place.start:
            os.chdir(place.start)
        mark = (Path(place.folder) / "study.json").read_bytes()
    except OSError as error:
        problem = f"{here} does not see it ({error.strerror}: {error.filename})"
        raise InputError(
            f"{problem}; workers need the same files under the same paths", file=place.folder
        ) from error
    if mark != place.mark:
        raise InputError(f"is a different folder on {here}; workers need the same files", file=place.folder)
    return run_chunk(chunk, Store(Path(place.folder), place.sync), lambda: False)
