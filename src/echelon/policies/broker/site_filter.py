"""Site filters: which sites may be chosen now, by what runs there, their memory, and tasks in their nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol, runtime_checkable

from echelon.errors import InputError
from echelon.lazy import Rules
from echelon.policies.broker.contract import Information
from echelon.policies.job_types import is_of_type, type_of
from echelon.quantities import is_whole
from echelon.rules.family import Family, name_as_declared
from echelon.rules.spec import split_outside

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.model import Job
    from echelon.policies.broker.contract import GridView


@runtime_checkable
class SiteFilter(Protocol):
    """A rule that leaves sites out before a broker or a global queue chooses. Frozen, with its parameters."""

    @property
    def name(self) -> str:
        """Name in messages and specs, kebab-case."""

    @property
    def information(self) -> Information:
        """The level of information that it needs; the view rejects queries above it."""

    def passes(self, job: Job, site: int, view: GridView) -> bool:
        """Return whether `job` may be sent to `site` now."""


@dataclass(frozen=True, slots=True)
class MplBelow:
    """Leave out a site if a node of it holds as many parallel tasks as given, or more.

    That is its multiprogramming level (MPL). Only the fullest node is known, not which others are free. Where
    nodes are not shared every site passes; a run without any shared nodes refuses the filter.

    Parameters
    ----------
    tasks : int, default 4
        In a node, >= 1. As many leave the site out, since a task more would be one too many. The
        default is the level of all shared clusters of the source.

    Raises
    ------
    InputError
        If it is not a whole number >= 1.

    Notes
    -----
    An empty site always passes. **Cost**: O(nodes). **Source**: ``MTNodeLimitMPL``, M-CISNE thesis, appendix
    A.1.1, never used in it.
    """

    tasks: int = 4

    name: ClassVar[str] = "mpl-below"
    bare_word: ClassVar[str] = "tasks"
    of_shared_nodes: ClassVar[bool] = True
    information: ClassVar[Information] = Information.JOB_SIZES
    source: ClassVar[str] = "Lérida Monsó, UAB 2009, appendix A.1.1"

    def __post_init__(self) -> None:
        if not is_whole(self.tasks) or self.tasks < 1:
            raise InputError(
                f"must be a whole number >= 1, got {self.tasks!r}", field="site filter mpl-below"
            )

    def passes(self, job: Job, site: int, view: GridView) -> bool:
        """See `SiteFilter.passes`."""
        return view.fullest_node(site) < self.tasks


@dataclass(frozen=True, slots=True)
class MemoryBelow:
    """Leave out a site if as much of its memory as given is in use, or more: the mean of its nodes.

    Tasks and owners use it. Where nodes are not shared the use is unknown, and every site passes; a run
    without any shared nodes refuses the filter.

    Parameters
    ----------
    share : float, default 1
        Share of the memory, above 0 to 1.

    Raises
    ------
    InputError
        If it is not within that.

    Notes
    -----
    A site without jobs and owners always passes. **Cost**: O(nodes). **Source**: ``MTNodeLimitMem``, M-CISNE
    thesis, appendix A.1.1, never used in it.
    """

    share: float = 1.0

    name: ClassVar[str] = "memory-below"
    bare_word: ClassVar[str] = "share"
    of_shared_nodes: ClassVar[bool] = True
    information: ClassVar[Information] = Information.JOB_SIZES
    source: ClassVar[str] = "Lérida Monsó, UAB 2009, appendix A.1.1"

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1:
            raise InputError(
                f"must be above 0 and at most 1, got {self.share!r}", field="site filter memory-below"
            )

    def passes(self, job: Job, site: int, view: GridView) -> bool:
        """See `SiteFilter.passes`."""
        return view.memory_use(site) < self.share


@dataclass(frozen=True, slots=True)
class NotRunning:
    """Leave out a site where a job of some type runs now.

    The source says "by the type of job that it is running", and not which types; so they are named, or follow
    from the job that is to be sent.

    Parameters
    ----------
    kind : str, default "same"
        The type: the name of an application, the log's number of an executable, or required software such as
        ``mpi``; ``same``: jobs of the type of the one to be sent; ``other``: jobs of any other type.

    Raises
    ------
    InputError
        If it is empty.

    Notes
    -----
    A site where nothing runs always passes; jobs of unknown type are of one type. **Cost**: O(running jobs).
    **Source**: ``MTNodeLimitJobType``, M-CISNE thesis, appendix A.1.1, never used in it.
    """

    kind: str = "same"

    name: ClassVar[str] = "not-running"
    bare_word: ClassVar[str] = "kind"
    information: ClassVar[Information] = Information.ESTIMATES
    source: ClassVar[str] = "Lérida Monsó, UAB 2009, appendix A.1.1"

    def __post_init__(self) -> None:
        if not self.kind.strip():
            raise InputError("must name a type of jobs, got none", field="site filter not-running")

    def passes(self, job: Job, site: int, view: GridView) -> bool:
        """See `SiteFilter.passes`."""
        return not any(self._is_avoided(other, job) for other in view.running_at(site))

    def _is_avoided(self, other: Job, job: Job) -> bool:
        if self.kind in ("same", "other"):
            return (type_of(other) == type_of(job)) == (self.kind == "same")
        return is_of_type(other, self.kind)


@dataclass(frozen=True, slots=True)
class EveryFilter:
    """Leave out a site that one of several filters leaves out; without any, none.

    Parameters
    ----------
    filters : tuple of SiteFilter
        In the order in which they are asked.
    """

    filters: tuple[SiteFilter, ...] = ()

    @property
    def name(self) -> str:
        """See `SiteFilter.name`."""
        return self.spec

    @property
    def spec(self) -> str:
        """Canonical spec after ``--site-filter``."""
        return "+".join(map(SITE_FILTER.format, self.filters)) or "none"

    @property
    def information(self) -> Information:
        """See `SiteFilter.information`: the most that one of them needs."""
        return max((one.information for one in self.filters), default=Information.SITES)

    def passes(self, job: Job, site: int, view: GridView) -> bool:
        """See `SiteFilter.passes`."""
        return all(one.passes(job, site, view) for one in self.filters)


SITE_FILTERS: Rules[type[SiteFilter]] = Rules(
    __package__,
    {
        "mpl-below": "site_filter.MplBelow",
        "memory-below": "site_filter.MemoryBelow",
        "not-running": "site_filter.NotRunning",
    },
)
"""In the sequence of the tables."""

SITE_FILTER: Family[SiteFilter] = Family(
    "site filter",
    [SITE_FILTERS],
    example="mpl-below:3+memory-below:0.8",
    is_rule=lambda thing: hasattr(thing, "passes"),
    is_ready=lambda rule: isinstance(rule, SiteFilter),
    must="have a name, information and passes(job, site, view)",
    groups=["echelon.site_filters"],
    own=name_as_declared,
)


def format_site_filter(rule: EveryFilter | None) -> str | None:
    """Return the canonical spec of filters; None without any."""
    return None if rule is None else rule.spec


def site_filter(rule: object) -> EveryFilter:
    """Return the filters that are given: specs joined by ``+``, one rule, several, or None for none.

    Raises
    ------
    InputError, UnknownNameError
        If they are none.
    """
    if isinstance(rule, EveryFilter):
        return rule
    parts: Sequence[object] = [] if rule is None else [rule]
    if isinstance(rule, str):
        parts = [] if rule.strip().lower() == "none" else split_outside(rule, "+")
    elif isinstance(rule, list | tuple):
        parts = rule
    return EveryFilter(tuple(SITE_FILTER.of(part) for part in parts))
