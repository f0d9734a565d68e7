"""Platform: the sites of a grid, each with the machine that it has."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from echelon.errors import InputError, UnknownNameError
from echelon.model.jobs.columns import int_column, read_only, starts_of
from echelon.model.machines.capacity import MOST_PROCESSORS
from echelon.model.machines.inner_site import check_setting
from echelon.model.machines.site_path import above, check_path, last_component
from echelon.quantities import is_number, is_whole

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from echelon.model.jobs.columns import IntColumn
    from echelon.model.machines.hardware import Hardware
    from echelon.model.machines.inner_site import InnerSite, SiteSettings
    from echelon.model.machines.shared_cluster import SharedCluster
    from echelon.model.machines.site_tree import SiteTree
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
            number = is_number(draw)
            if not number or not 0 <= draw < np.inf or (name == "efficiency" and not draw):
                least = "above 0" if name == "efficiency" else ">= 0"
                raise InputError(f"must be a finite number {least}, got {draw!r}", field=f"power, {name}")


@dataclass(frozen=True, slots=True)
class Site:
    """One site: its name, what its jobs run on, and what its parts draw.

    Parameters
    ----------
    name : str
        Unique in its platform, not empty; or its path in the tree of sites, ``"spain/uab/cluster-1"``: at
        most eight names separated by "/".
    resource : int, Hardware, SharedCluster or TimeSharedMachine
        Identical processors, as a number of at least 1; nodes modeled individually; nodes with a local load,
        of which the processors are the tasks that may run at once; or a time-shared machine.
    power : Power, optional
        What its parts draw; default unknown.
    ptt_weight : float, optional
        How much the broker ``ptt`` weighs turnaround here, 0 (for the owners of nodes) to 1 (for jobs);
        default: as much as the broker says.
    policy : str, optional
        The spec of its policy; default: that of the run.
    places : mapping of str to str, default empty
        Where a file says it, by key, for messages; sites that differ in it alone are equal.

    Raises
    ------
    InputError
        If the weight is not from 0 to 1, the name or a component of it is empty, the processors are not a
        whole number from 1 to `MOST_PROCESSORS`, or a time-shared machine, which has no queue, has a policy.
    """

    name: str
    resource: Resource
    power: Power | None = None
    ptt_weight: float | None = None
    policy: str | None = None
    places: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        check_path(self.name, "site name")
        self._check_settings()
        processors = self.processors
        whole = is_whole(processors)
        if not whole or not 1 <= processors <= MOST_PROCESSORS:
            raise InputError(
                f"must be a whole number from 1 to {MOST_PROCESSORS}, got {processors!r}",
                field=f"processors of site {self.name!r}",
            )

    def _check_settings(self) -> None:
        for name, value in self.settings.items():
            check_setting(name, value, self.place_of(name))
        if self.policy is None:
            return
        from echelon.model.machines.time_shared import TimeSharedMachine

        if isinstance(self.resource, TimeSharedMachine):
            raise InputError(
                "must be left out: on a time-shared machine every job starts at once",
                field=self.place_of("policy"),
            )

    def place_of(self, key: str) -> str:
        """Return where a setting is given, for messages: a place in a file, else the key and the site."""
        return self.places.get(key, f"{key} of site {self.name!r}")

    @property
    def settings(self) -> SiteSettings:
        """The settings that this site has, as `InnerSite.settings` are those of an inner site."""
        settings: SiteSettings = {}
        if self.ptt_weight is not None:
            settings["ptt_weight"] = self.ptt_weight
        if self.policy is not None:
            settings["policy"] = self.policy
        return settings

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

    @property
    def speed(self) -> float:
        """Speed of its processors if it is a time-shared machine; 1 of a site of any other kind."""
        speed: float = getattr(self.resource, "speed", 1.0)
        return speed


@dataclass(frozen=True)
class Platform:
    """A grid: its sites, in the order of its file, and the tree that their names span.

    Parameters
    ----------
    sites : tuple of Site
        At least one; they keep this order everywhere: in tables, pictures and what brokers see. Those whose
        names are paths are the leaves of a tree: every beginning of a path is an inner site, and ``""`` is
        the root. Without a "/" in their names all are right below the root.
    name : str, default ``"platform"``
        Name for titles and messages.
    source : str, default ``""``
        Where its figures come from.
    inner : tuple of InnerSite, default empty
        The inner sites that have settings, each at most once.

    Raises
    ------
    InputError
        If there is no site, two have one name, one is within another, one that has settings is not an
        inner site or is there twice, or the grid is too large.

    Notes
    -----
    Ties: a tie between sites goes to the smaller one, of equal ones to that which comes first here; see
    `by_size`.
    """

    sites: tuple[Site, ...]
    name: str = "platform"
    source: str = ""
    inner: tuple[InnerSite, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "sites", tuple(self.sites))
        object.__setattr__(self, "inner", tuple(self.inner))
        where = f"platform {self.name!r}"
        if not self.sites:
            raise InputError("needs at least one site, got none", field=where)
        twice = [name for name, count in Counter(site.name for site in self.sites).items() if count > 1]
        if twice:
            raise InputError(f"names site {twice[0]!r} twice", field=where)
        if problem := self._tree_problem():
            raise InputError(problem, field=where)
        if self.processors > MOST_PROCESSORS:
            raise InputError(
                f"has {self.processors} processors, expected at most {MOST_PROCESSORS}", field=where
            )

    def _tree_problem(self) -> str | None:
        """Return what is wrong with its tree; None if nothing is."""
        leaves, inner = set(self.names), self.inner_paths
        for site in self.sites:
            if both := next((path for path in above(site.name) if path in leaves), None):
                return f"has site {site.name!r} within site {both!r}, which is a machine itself; rename one"
        if twice := [path for path, count in Counter(one.path for one in self.inner).items() if count > 1]:
            return f"describes inner site {twice[0]!r} twice"
        if wrong := [one.path for one in self.inner if one.path not in inner]:
            return f"describes {wrong[0]!r}, which is no inner site; it has {', '.join(map(repr, inner))}"
        return None

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

    @cached_property
    def tree(self) -> SiteTree:
        """Its sites as a tree: the root, whose leaves are indices into `sites`."""
        from echelon.model.machines.site_tree import tree_of

        return tree_of(self)

    @cached_property
    def inner_paths(self) -> tuple[str, ...]:
        """Paths of all inner sites, the root's ``""`` first, each in order of first appearance."""
        return tuple(dict.fromkeys(path for site in self.sites for path in above(site.name)))

    def with_sites(self, sites: Iterable[Site]) -> Platform:
        """Return the grid of these sites, with the settings of the inner sites that they are in.

        Raises
        ------
        InputError
            As for any platform: if there is no site, or two have one name.
        """
        kept = tuple(sites)
        around = {path for site in kept for path in above(site.name)}
        return replace(self, sites=kept, inner=tuple(one for one in self.inner if one.path in around))

    @property
    def is_nested(self) -> bool:
        """Whether it has inner sites below the root."""
        return len(self.inner_paths) > 1

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
    def all_nodes(self) -> Hardware:
        """The nodes of all sites that have a node-level model, in order, as one machine without a network.

        Names of clusters and nodes begin with the site's: ``"uab/cluster"``. Equal nodes of one site stay one
        object. See `first_node` for where each site's begin.

        Raises
        ------
        InputError
            If no site has a node-level model, or there are more than `MOST_CORES` cores.

        Notes
        -----
        Cost: O(nodes), once; columns are computed when they are first asked for.
        """
        from echelon.model.machines.hardware import join_machines

        return join_machines(self.node_level, self.name, self.source)

    @cached_property
    def first_node(self) -> IntColumn:
        """Where each site's nodes begin in `all_nodes`, and their number at last, shape (n_sites + 1,)."""
        return read_only(starts_of([len(nodes.nodes) if nodes else 0 for nodes in self._nodes]))

    @cached_property
    def first_processor(self) -> IntColumn:
        """Where each site's processors begin in `all_nodes`, and their number at last, shape (n_sites + 1,).

        They are the processors that nodes are made of, by which holdings are numbered.
        """
        return read_only(starts_of([len(nodes.processors) if nodes else 0 for nodes in self._nodes]))

    @cached_property
    def first_core(self) -> IntColumn:
        """Where each site's cores begin in `all_nodes`, and their number at last, shape (n_sites + 1,)."""
        return read_only(starts_of([nodes.cores if nodes else 0 for nodes in self._nodes]))

    @property
    def _nodes(self) -> list[Hardware | None]:
        """The nodes of each site; None for those without a node-level model."""
        hardware_by_site = self.node_level
        return [hardware_by_site.get(name) for name in self.names]

    @cached_property
    def clusters(self) -> tuple[SharedCluster, ...]:
        """The shared nodes of each site that has some, in order."""
        from echelon.model.machines.shared_cluster import SharedCluster

        return tuple(site.resource for site in self.sites if isinstance(site.resource, SharedCluster))

    @cached_property
    def time_shared(self) -> tuple[TimeSharedMachine, ...]:
        """The time-shared machine of each site that is one, in order."""
        from echelon.model.machines.time_shared import TimeSharedMachine

        return tuple(site.resource for site in self.sites if isinstance(site.resource, TimeSharedMachine))

    @property
    def is_shared(self) -> bool:
        """Whether it is a multicluster: the nodes of all its sites may have owners."""
        return len(self.clusters) == len(self)

    @property
    def is_immediate(self) -> bool:
        """Whether all its sites are time-shared machines: every job starts at once."""
        return len(self.time_shared) == len(self)

    @property
    def is_mixed(self) -> bool:
        """Whether its sites are of several kinds: counted processors, nodes, shared nodes, time-shared."""
        return len({_kind(site) for site in self.sites}) > 1

    def largest_job(self, *, spanning: bool | Collection[str] = False) -> int:
        """Return the largest job, in processors, of a site, or of several; see `largest_joint_job`."""
        return max(self.largest_joint_job(spanning), *(site.largest_job for site in self.sites))

    def largest_joint_job(self, spanning: bool | Collection[str]) -> int:
        """Return the largest job, in processors, that the clusters right below an inner site hold together.

        Only sites of shared nodes run a job together.

        Parameters
        ----------
        spanning : bool or collection of str
            The paths of the inner sites, ``""`` of the root; True is all, False is none.
        """
        if not spanning:
            return 0
        groups = (one for one in self.tree.inner() if spanning is True or one.path in spanning)
        return max(
            (sum(self.sites[leaf].largest_job for leaf in one.clusters()) for one in groups), default=0
        )

    @property
    def largest(self) -> int:
        """Processors of the largest site."""
        return max(site.processors for site in self.sites)

    @property
    def sizes(self) -> IntColumn:
        """Processors of each site, in their order here, shape (n_sites,)."""
        return np.array([site.processors for site in self.sites], dtype=np.int64)

    @property
    def largest_jobs(self) -> IntColumn:
        """Largest job that each site can hold, in processors, in their order here, shape (n_sites,)."""
        return np.array([site.largest_job for site in self.sites], dtype=np.int64)

    @property
    def by_size(self) -> IntColumn:
        """Indices of the sites by (size, index), ascending, shape (n_sites,), for rules that use sizes.

        The size of a site is the largest job that it can hold: its processors, but of shared nodes their
        number. Where all sites have shared nodes it is the tasks that these may hold at once.
        """
        return np.argsort(self.sizes if self.is_shared else self.largest_jobs, kind="stable")

    def smallest_sites(self, size: IntColumn) -> IntColumn:
        """Return the index of the first site by (largest job, index) that can hold each job, shape (n_jobs,).

        Parameters
        ----------
        size : IntColumn, shape (n_jobs,)
            Processors of the jobs, each at most those of the largest job of a site.
        """
        largest = self.largest_jobs
        order = np.argsort(largest, kind="stable")
        return order[np.searchsorted(largest[order], size)]

    @cached_property
    def homes(self) -> dict[str, int]:
        """Index of each site by its name, and by the last component of it if no other site has that name."""
        last = [last_component(name) for name in self.names]
        count = Counter(last)
        alone = {name: site for site, name in enumerate(last) if count[name] == 1}
        return alone | {name: site for site, name in enumerate(self.names)}

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


def _kind(site: Site) -> type:
    """Return the type of what a site runs jobs on; all whole numbers are of one."""
    return int if isinstance(site.resource, int | np.integer) else type(site.resource)
