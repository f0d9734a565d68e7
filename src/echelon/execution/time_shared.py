"""Time-shared nodes: how fast jobs run beside each other and beside the owners of the nodes."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from echelon.errors import InputError, UnknownNameError
from echelon.execution.cpu_sharing import CPU_SHARINGS, CpuSharing
from echelon.rules.own_rule import Guard
from echelon.rules.parameter import canonical_spec

if TYPE_CHECKING:
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.rules.spec import Spec

SATURATED = 1.0 - 1e-9
"""Links fuller than this by rounding alone count as not saturated."""


@dataclass(frozen=True, slots=True)
class TimeShared:
    """T = noise x (T^p x SP + T^c x SC): compute and communication time, each with its slowdown.

    A user's own execution derives from this one: it has all its parameters, may have more, and says other
    slowdowns.

    A job's rate changes whenever a job starts or ends, or an owner comes or goes, on one of its nodes or
    links; its remaining work is kept.

    Parameters
    ----------
    interference : float, default 0
        Share of its communication time that a job loses to each further parallel task in its fullest node:
        its tasks are not scheduled together, so messages wait for their reader. SC is multiplied by 1 +
        interference x (MPL - 1). >= 0.
    noise : float, default 0
        Standard deviation of the logarithm of a factor drawn for each job, of mean 1: run times of the same
        program vary. >= 0.
    paging : float, default 5
        Growth of SP in a node for each share of its memory that tasks and owner demand beyond it, >= 0.

    cpu : {"count", "use"}, default "count"
        How tasks share the processors of a node, which estimators know; see
        `echelon.execution.cpu_sharing.CpuSharing`.
    profile : float, default 0
        Standard deviation of the logarithm of a factor, of mean 1, by which the dedicated time of a program
        deviates from its profile: the same for all jobs of a program on as many nodes, in every run. >= 0.
    owners : float, default 1
        Processor share that a working owner takes, over the use that monitors report: with 2, tasks lose
        twice the owner's share; a twentieth of the node is left to them unless the owner really uses more. >=
        0.

    Raises
    ------
    InputError
        If a number is not finite and >= 0.
    UnknownNameError
        If no sharing has that name.

    Notes
    -----
    Without interference, noise, an error of profiles and with owners at 1, a job runs exactly as the analytic
    estimator SDPN believes. On real nodes it does not: the M-CISNE thesis names tasks that are not scheduled
    together and small errors that add up as reasons of its underestimates.

    **Source**: M-CISNE thesis, equations 3.1 to 3.9; all parameters are ours.
    """

    interference: float = 0.0
    noise: float = 0.0
    paging: float = 5.0
    cpu: CpuSharing = "count"
    profile: float = 0.0
    owners: float = 1.0

    name: ClassVar[str] = "time-shared"

    def __post_init__(self) -> None:
        for name in ("interference", "noise", "paging", "profile", "owners"):
            value = getattr(self, name)
            if not isinstance(value, int | float) or not 0 <= value < np.inf:
                raise InputError(f"must be a finite number >= 0, got {value!r}", field=f"time-shared, {name}")
        if self.cpu not in CPU_SHARINGS:
            raise UnknownNameError("sharing of processors", str(self.cpu), CPU_SHARINGS)

    def memory_slowdown(self, beyond: float) -> float:
        """Return by what SP grows in a node, >= 1.

        Parameters
        ----------
        beyond : float
            What tasks and owner ask for beyond the memory of the node, as a share of it, >= 0.
        """
        return 1.0 + self.paging * beyond

    def message_slowdown(self, tasks: int) -> float:
        """Return by what SC of a job grows, >= 1.

        Parameters
        ----------
        tasks : int
            Parallel tasks in the fullest of its nodes, its own included, >= 1.
        """
        return 1.0 + self.interference * (tasks - 1)


@dataclass(frozen=True, slots=True)
class OwnTimeShared(TimeShared):
    """A user's own execution on shared nodes, whose slowdowns are checked.

    Parameters
    ----------
    spec : str
        Its spec.
    rule : TimeShared
        The rule, whose parameters these are.

    Raises
    ------
    InputError
        Later, if it fails or a slowdown is no finite number >= 1.
    """

    spec: str = field(kw_only=True)
    rule: TimeShared = field(kw_only=True)

    @classmethod
    def of(cls, rule: TimeShared, spec: Spec | None) -> OwnTimeShared:
        """Return a rule of that spec, or one that was made, checked."""
        if isinstance(rule, cls):
            return rule
        text = canonical_spec(rule) if spec is None else spec.text.strip()
        return cls(**{one.name: getattr(rule, one.name) for one in fields(TimeShared)}, spec=text, rule=rule)

    def memory_slowdown(self, beyond: float) -> float:
        """Return what the rule says, if it is a slowdown."""
        return self._check_argument("memory_slowdown", beyond)

    def message_slowdown(self, tasks: int) -> float:
        """Return what the rule says, if it is a slowdown."""
        return self._check_argument("message_slowdown", tasks)

    def _check_argument(self, method: str, argument: float) -> float:
        where = f"execution {self.spec}"
        with Guard(lambda failure: InputError(f"{method} fails with {failure}", field=where)):
            slowdown = getattr(self.rule, method)(argument)
        if not isinstance(slowdown, int | float | np.number) or not 1 <= slowdown < math.inf:
            raise InputError(f"{method} must return a finite number >= 1, got {slowdown!r:.60}", field=where)
        return float(slowdown)


def availability(processors: float, tasks: int) -> float:
    """Return A, the share of one processor that each of `tasks` parallel tasks gets, 0 to 1.

    Parameters
    ----------
    processors : float
        Processors of the node that its owner and the social contract leave, >= 0.
    tasks : int
        Parallel tasks in the node, including the task in question, >= 1.

    Notes
    -----
    **Source**: M-CISNE thesis, equation 3.2, has A measured; that tasks share fairly is ours.
    """
    return min(1.0, processors / tasks)


def assigned_shares(
    first: IntColumn, links: IntColumn, demand: FloatColumn, capacity: FloatColumn
) -> FloatColumn:
    """Return the share of the bandwidth it needs that each job is assigned, 0 to 1: 1 / SC.

    Overloaded links are relieved, the most saturated first: every job that uses such a link is scaled down by
    the link's saturation degree (capacity over demand), everywhere.

    Parameters
    ----------
    first : IntColumn, shape (n_jobs + 1,)
        Where the links of each job begin in `links`; the last is their number.
    links : IntColumn
        Links that jobs use, by number.
    demand : FloatColumn
        What the job needs on each of them, in bytes a second, >= 0.
    capacity : FloatColumn, shape (n_links,)
        What each link can carry for jobs, in bytes a second, >= 0.

    Notes
    -----
    A link that carries nothing leaves its jobs no share at all; so each turn relieves one link for good, and
    the turns end.

    **Ties**: of equally saturated links the lowest number first. **Cost**: O(links x demands) at worst,
    O(demands) if no link is saturated. **Source**: M-CISNE thesis, algorithm 3.1 and equations 3.5 and 3.6.
    """
    n_jobs = len(first) - 1
    job = np.repeat(np.arange(n_jobs), np.diff(first))
    share = np.ones(n_jobs)
    while len(capacity):
        load = np.bincount(links, demand * share[job], minlength=len(capacity))
        with np.errstate(divide="ignore", invalid="ignore"):
            degree = np.where(load > 0, capacity / load, np.inf)
        fullest = int(np.argmin(degree))
        if not degree[fullest] < SATURATED:
            break
        share[np.unique(job[(links == fullest) & (demand > 0)])] *= degree[fullest]
    return share
