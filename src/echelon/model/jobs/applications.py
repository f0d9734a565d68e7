"""Applications: the computation, communication and memory of parallel programs on each of their nodes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from echelon.model.jobs.columns import IntColumn


class Application(NamedTuple):
    """A parallel program of equal tasks, one in each of its nodes, as measured on dedicated nodes.

    Attributes
    ----------
    name : str
        The executable, for categories of jobs; may be empty.
    compute_share : float
        Share of its dedicated time in which it computes, 0 to 1; the rest it communicates.
    memory : float
        That each task holds, in bytes, >= 0.
    bandwidth : float
        That each task needs on its node's link (PNBW), in bytes a second, >= 0.
    library : str
        Message-passing library, ``"mpi"`` or ``"pvm"``, which a cluster must have; empty: any.
    requires : tuple of str
        Further software that a cluster must have.
    """

    name: str = ""
    compute_share: float = 1.0
    memory: float = 0.0
    bandwidth: float = 0.0
    library: str = ""
    requires: tuple[str, ...] = ()

    @property
    def software(self) -> frozenset[str]:
        """The software that a cluster must have for it."""
        return frozenset((*self.requires, self.library) if self.library else self.requires)


@dataclass(frozen=True, eq=False)
class Applications:
    """The application of each job of a workload.

    Parameters
    ----------
    catalog : tuple of Application
        The different ones.
    index : IntColumn, shape (n_jobs,)
        Place of each job's application in `catalog`.

    Raises
    ------
    InputError
        If an index is out of range, or a figure of an application out of its.
    """

    catalog: tuple[Application, ...]
    index: IntColumn

    def __post_init__(self) -> None:
        if len(self.index) and not (self.index.min() >= 0 and self.index.max() < len(self.catalog)):
            raise InputError("each job needs an application of the catalog", field="applications")
        for application in self.catalog:
            _check(application)
        self.index.flags.writeable = False

    @classmethod
    def of(cls, applications: Sequence[Application]) -> Applications:
        """Return the applications of jobs, one a job; equal ones become one of the catalog."""
        places: dict[Application, int] = {}
        index = [places.setdefault(application, len(places)) for application in applications]
        return cls(tuple(places), np.array(index, dtype=np.int64))

    @classmethod
    def join(cls, parts: Sequence[Applications]) -> Applications:
        """Return the applications of all parts' jobs, part by part."""
        return cls.of([application for part in parts for application in part])

    def __len__(self) -> int:
        """Return the number of jobs."""
        return len(self.index)

    def __getitem__(self, position: int) -> Application:
        """Return the application of the job at `position`."""
        return self.catalog[int(self.index[position])]

    def __iter__(self) -> Iterator[Application]:
        """Yield the application of every job, in order."""
        return map(self.catalog.__getitem__, self.index.tolist())

    def __eq__(self, other: object) -> bool:
        """Two catalogs are equal when the application of every job is."""
        if not isinstance(other, Applications):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def take(self, positions: IntColumn) -> Applications:
        """Return the applications of the jobs at `positions`, in that order."""
        return Applications(self.catalog, self.index[positions])


def _check(application: Application) -> None:
    where = f"application {application.name!r}"
    if not 0 <= application.compute_share <= 1:
        raise InputError(
            f"must be from 0 to 1, got {application.compute_share!r}", field=f"{where}, compute_share"
        )
    for name in ("memory", "bandwidth"):
        value = getattr(application, name)
        if not 0 <= value < math.inf:
            raise InputError(f"must be a finite number >= 0, got {value!r}", field=f"{where}, {name}")
