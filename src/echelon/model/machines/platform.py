"""Platform: the sites of a grid, each with the machine that it has."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from echelon.errors import InputError, UnknownNameError
from echelon.model.jobs.columns import int_column
from echelon.model.machines.capacity import MOST_PROCESSORS

if TYPE_CHECKING:
    from echelon.model.jobs.columns import IntColumn
    from echelon.model.machines.hardware import Hardware
    from echelon.model.machines.shared_cluster import SharedCluster
    from echelon.model.machines.time_shared import TimeSharedMachine

Resource: TypeAlias = "int | Hardware | SharedCluster | TimeSharedMachine"
"""What a site runs jobs on.

A number: that many identical processors under a local scheduler. `Hardware`: nodes modeled individually.
`SharedCluster`: nodes with a local load. `TimeSharedMachine`: a machine without a queue.
"""


@dataclass(frozen=True, slots=True)
class Power:
    """The power of a site's parts, in the unit of their source, and of the site relative to others.

    Parameters
    ----------
    site_idle : float
        The site itself, while nothing runs.
    board_idle : float
        A board, while nothing runs on it.
    core_idle, core_working : float
        A core, without and with a job.
    efficiency : float
        Relative to the least efficient site of its source, which has 1.

    Raises
    ------
    InputError
        If a value is not a finite number >= 0, or the efficiency is 0.
    """

    site_idle: float
    board_idle: float
    core_idle: float
    core_working: float
    efficiency: float

    def __post_init__(self) -> None:
        for name, draw in asdict(self).items():
            number = isinstance(draw, int | float | np.number) and not isinstance(draw, bool)
            if not number or not 0 <= draw < np.inf or (name == "efficiency" and not draw):
                least = "above 0" if name == "efficiency" else ">= 0"
                raise InputError(f"must be a finite number {least}, got {draw!r}", field=f"power, {name}")


@dataclass(frozen=True, slots=True)
class Site:
    """One site: its name, what its jobs run on, and what its parts draw.

    Parameters
    ----------
    name : str
        Unique in its platform, not empty.
    resource : int, Hardware, SharedCluster or TimeSharedMachine
        Identical processors, as a number of at least 1; nodes modeled individually; nodes with a local load,
        of which the processors are the tasks that may run at once; or a time-shared machine.
    power : Power, optional
        What its parts draw; default unknown.

    Raises
    ------
    InputError
        If the name is empty, or the processors are not a whole number from 1 to `MOST_PROCESSORS`.
    """

    name: str
    resource: Resource
    power: Power | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.strip():
            raise InputError(f"must be a name, got {self.name!r}", field="site name")
        processors = self.processors
        whole = isinstance(processors, int | np.integer) and not isinstance(processors, bool)
        if not whole or not 1 <= processors <= MOST_PROCESSORS:
            raise InputError(
                f"must be a whole number from 1 to {MOST_PROCESSORS}, got {processors!r}",
                field=f"processors of site {self.name!r}",
            )

    @property
    def processors(self) -> int:
        """Processors: those counted, the cores of its nodes, or the tasks that its shared nodes may hold."""
        number: Any = self.resource
        slots: int = getattr(self.resource, "slots", number)
        return slots

    @property
    def largest_job(self) -> int:
        """Largest job it can hold, in processors: one task in each of shared nodes."""
        number: Any = self.resource
        largest: int = getattr(self.resource, "largest_job", number)
        return largest


@dataclass(frozen=True)
class Platform:
    """A grid: sites of identical processors, in the order of its file.

    Parameters
    ----------
    sites : tuple of Site
        At least one; they keep this order everywhere: in tables, pictures and what brokers see.
    name : str, default ``"platform"``
        Name for titles and messages.
    source : str, default ``""``
        Where its figures come from.

    Raises
    ------
    InputError
        If there is no site, two have one name, or the grid is too large.

    Notes
    -----
    Ties: a tie between sites goes to the smaller one, of equal ones to that which comes first here; see
    `by_size`.
    """

    sites: tuple[Site, ...]
    name: str = "platform"
    source: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "sites", tuple(self.sites))
        if not self.sites:
            raise InputError("needs at least one site, got none", field=f"platform {self.name!r}")
        twice = [name for name, count in Counter(site.name for site in self.sites).items() if count > 1]
        if twice:
            raise InputError(f"names site {twice[0]!r} twice", field=f"platform {self.name!r}")
        if 0 < len(self.clusters) < len(self):
            raise InputError(
                "has sites with and without shared nodes; give all sites nodes, or none",
                field=f"platform {self.name!r}",
            )
        if 0 < len(self.time_shared) < len(self):
            raise InputError(
                "mixes sites with queues and time-shared machines; use sites of one kind",
                field=f"platform {self.name!r}",
            )
        if self.processors > MOST_PROCESSORS:
            raise InputError(
                f"has {self.processors} processors, expected at most {MOST_PROCESSORS}",
                field=f"platform {self.name!r}",
            )

    @classmethod
    def of_sizes(cls, sizes: object, *, name: str = "platform") -> Platform:
        """Return a grid of sites of these sizes, named ``site-1``, ``site-2`` ... in order.

        Examples
        --------
        >>> Platform.of_sizes([8, 4]).names
        ('site-1', 'site-2')
        """
        column = int_column(np.atleast_1d(np.asarray(sizes)), "sizes")
        return cls(tuple(Site(f"site-{k}", int(size)) for k, size in enumerate(column, 1)), name)

    def __len__(self) -> int:
        """Return the number of sites."""
        return len(self.sites)

    @property
    def processors(self) -> int:
        """Processors of all sites together."""
        return sum(site.processors for site in self.sites)

    @property
    def hardware(self) -> Hardware | None:
        """The nodes of its one site; None if it has several sites or no node-level model."""
        return next(iter(self.node_level.values()), None) if len(self) == 1 else None

    @property
    def node_level(self) -> dict[str, Hardware]:
        """The nodes of each site that has a node-level model, by its name, in order."""
        from echelon.model.machines.hardware import Hardware

        return {site.name: site.resource for site in self.sites if isinstance(site.resource, Hardware)}

    @cached_property
    def clusters(self) -> tuple[SharedCluster, ...]:
        """The shared nodes of each site, in order; empty if it has none."""
        from echelon.model.machines.shared_cluster import SharedCluster

        return tuple(site.resource for site in self.sites if isinstance(site.resource, SharedCluster))

    @cached_property
    def time_shared(self) -> tuple[TimeSharedMachine, ...]:
        """The time-shared machine of each site, in order; empty if its sites have queues."""
        from echelon.model.machines.time_shared import TimeSharedMachine

        return tuple(site.resource for site in self.sites if isinstance(site.resource, TimeSharedMachine))

    @property
    def is_shared(self) -> bool:
        """Whether it is a multicluster: its sites' nodes may have owners."""
        return bool(self.clusters)

    @property
    def is_immediate(self) -> bool:
        """Whether its sites are time-shared machines: every job starts at once."""
        return bool(self.time_shared)

    def largest_job(self, *, spanning: bool = False) -> int:
        """Return the largest job, in processors, of a site, or if `spanning` of all sites together."""
        return (sum if spanning else max)(site.largest_job for site in self.sites)

    @property
    def largest(self) -> int:
        """Processors of the largest site."""
        return max(site.processors for site in self.sites)

    @property
    def sizes(self) -> IntColumn:
        """Processors of each site, in their order here, shape (n_sites,)."""
        return np.array([site.processors for site in self.sites], dtype=np.int64)

    @property
    def by_size(self) -> IntColumn:
        """Indices of the sites by (size, index), ascending, shape (n_sites,), for rules that use sizes."""
        return np.argsort(self.sizes, kind="stable")

    def smallest_sites(self, size: IntColumn) -> IntColumn:
        """Return the index of the first site by size that can hold each job, shape (n_jobs,).

        Parameters
        ----------
        size : IntColumn, shape (n_jobs,)
            Processors of the jobs, each at most those of the largest site.
        """
        order = self.by_size
        return order[np.searchsorted(self.sizes[order], size)]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the sites, in their order here."""
        return tuple(site.name for site in self.sites)

    def index(self, name: str) -> int:
        """Return the index of the site called `name`.

        Raises
        ------
        UnknownNameError
            If there is none.
        """
        try:
            return self.names.index(name)
        except ValueError:
            raise UnknownNameError("site", name, self.names) from None
