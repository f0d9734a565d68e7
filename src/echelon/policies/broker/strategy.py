"""Strategy: a broker that gives every allowed site a value; the least wins. A decorator makes your own."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from echelon.errors import EchelonError, InputError, PolicyError
from echelon.policies.broker.contract import GridState, Information, check_decision, grid_state_named
from echelon.policies.immediate.contract import ImmediateView
from echelon.rules.own_rule import check_rule

if TYPE_CHECKING:
    from collections.abc import Callable

    from echelon.model import Job
    from echelon.policies.broker.contract import GridView


def per_processor(amount: float, site: int, view: GridView) -> float:
    """Return `amount` over the processors of `site` in service; infinity if there are none."""
    processors = view.in_service[site]
    return amount / processors if processors else math.inf


@dataclass(frozen=True, slots=True)
class Strategy:
    """The base of all built-in strategies: a name, an information level, and a value for each site.

    Parameters
    ----------
    grid_state : {"planned", "actual"}, default "actual"
        The state of the grid that the strategy sees; see `echelon.policies.broker.contract.GridState`.
    decision : float, default 0
        On time-shared machines and on multiclusters, how long a decision takes under
        ``--decision-time own``, in seconds.

    Raises
    ------
    UnknownNameError
        If there is no such grid state.
    InputError
        If `decision` is not a finite number >= 0.

    Notes
    -----
    Ties: the lowest site, by (size, place in the platform's file). Cost: one value an allowed site. Where the
    values of all sites are infinite, `if_endless` decides.
    """

    grid_state: GridState = "actual"
    decision: float = field(default=0.0, kw_only=True, metadata={"unit": "s"})

    name: ClassVar[str]
    information: ClassVar[Information]
    source: ClassVar[str]
    only_immediate: ClassVar[tuple[str, ...]] = ("decision",)

    def __post_init__(self) -> None:
        object.__setattr__(self, "grid_state", grid_state_named(self.grid_state, self.name))
        check_decision(self.decision, self.name)

    def value(self, job: Job, site: int, view: GridView) -> float:
        """Return what `site` would cost `job`; the least wins."""
        raise NotImplementedError

    def choose(self, job: Job, view: GridView) -> int:
        """Return the allowed site of least value, on ties the lowest."""
        if not view.machines_change:
            return min(view.allowed, key=lambda site: self.value(job, site, view))
        values = {site: self.value(job, site, view) for site in view.allowed}
        if min(values.values()) < math.inf:
            return min(view.allowed, key=values.__getitem__)
        return min(view.allowed, key=lambda site: self.if_endless(job, site, view))

    def if_endless(self, job: Job, site: int, view: GridView) -> Any:  # noqa: ANN401  (what can be compared)
        """Return what decides where the values of all sites are infinite, as something of each is down."""
        return 0


@dataclass(frozen=True, slots=True)
class OwnStrategy:
    """A user's own strategy, made from a function; build it with `broker`.

    Parameters
    ----------
    name : str
        Kebab-case.
    information : Information
        The information level: what the rule may read from the view.
    rule : callable (job, site, view) -> float
        The value of a site, a finite number, where machines change perhaps infinity; the least wins, on ties
        the lowest site.
    source : str
        The paper that defines it, or ``"none"``.
    grid_state : {"planned", "actual"}, default "actual"
        The state of the grid that it sees.
    immediate : bool, default False
        Whether it is only for time-shared machines.
    decision : float, default 0
        As in `Strategy`.
    """

    name: str
    information: Information
    rule: Callable[[Any, int, Any], Any]
    source: str
    grid_state: GridState = "actual"
    immediate: bool = False
    decision: float = 0.0

    made_of: ClassVar[str] = "rule"
    only_immediate: ClassVar[tuple[str, ...]] = ("decision",)

    def choose(self, job: Job, view: GridView) -> int:
        """Return the allowed site of least value, on ties the lowest.

        Raises
        ------
        PolicyError
            If the rule fails or returns something other than a finite number.
        """
        return min(view.allowed, key=lambda site: self.value(job, site, view))

    def value(self, job: Job, site: int, view: GridView) -> float:
        """Return what `site` would cost `job`; the least wins.

        Raises
        ------
        PolicyError
            If the rule fails or returns something other than a finite number.
        """
        try:
            value = self.rule(job, site, view)
            # As planned a job may never start at a site of which something is down.
            fine = math.isfinite(value) or (value == math.inf and view.machines_change)
        except EchelonError:
            raise
        except AttributeError as error:
            self._refuse(job, view, _describe_lack(error, view), error)
        except (Exception, SystemExit) as error:
            self._refuse(job, view, f"makes the broker fail with {type(error).__name__}: {error}", error)
        if not fine:
            self._refuse(job, view, f"has the value {value!r:.60} at site {site}; expected a finite number")
        return float(value)

    def _refuse(self, job: Job, view: GridView, rule: str, cause: BaseException | None = None) -> None:
        raise PolicyError(self.name, time=view.now, job_id=job.job_id, broken_rule=rule) from cause


def broker(
    name: str,
    *,
    information: int,
    source: str,
    grid_state: GridState = "actual",
    immediate: bool = False,
    decision: float = 0.0,
    belief: str | None = None,
) -> Callable[[Callable[[Any, int, Any], Any]], OwnStrategy]:
    """Make a broker from a function of (job, site, view): the value of a site; the least wins.

    Parameters
    ----------
    name : str
        Kebab-case name.
    information : int
        Information level, 0 to 4: 0 sites' sizes, 1 job counts, 2 job sizes, 3 estimates, 4 schedules.
        Reading more from the view is an error.
    source : str
        The paper that defines it, or ``"none"``.
    grid_state : {"planned", "actual"}, default "actual"
        The state of the grid that it sees.
    immediate : bool, default False
        Whether it is only for time-shared machines, because it reads what only their view has: see
        `echelon.policies.immediate.contract.ImmediateView`.
    decision : float, default 0
        How long a decision takes on time-shared machines and multiclusters under ``--decision-time own``, in
        seconds, finite, >= 0.
    belief : {"allocation", "execution"}, optional
        An earlier name of `grid_state`, with the earlier names of its values.

    Raises
    ------
    InputError
        If the function does not take exactly (job, site, view) or has no docstring, or if the level or the
        time is invalid.
    UnknownNameError
        If there is no such grid state.

    Examples
    --------
    >>> from echelon import broker
    >>> @broker("least-jobs", information=1, source="none")
    ... def least_jobs(job, site, view):
    ...     '''Jobs waiting or running at the site.'''
    ...     return view.jobs(site)
    >>> least_jobs.name
    'least-jobs'
    """
    if information not in tuple(Information):
        raise InputError(f"must be a level from 0 to 4, got {information!r}", field=f"{name}, information")
    state = grid_state_named(belief or grid_state, name)
    check_decision(decision, name)

    def make(rule: Callable[[Any, int, Any], Any]) -> OwnStrategy:
        says = "what is least"
        check_rule(rule, kind="a broker", takes=("job", "site", "view"), says=says, name=name)
        return OwnStrategy(name, Information(information), rule, source, state, immediate, decision)

    return make


def _describe_lack(error: AttributeError, view: GridView) -> str:
    """Return the error of a rule that reads something that does not exist."""
    if error.obj is view and error.name in vars(ImmediateView):
        return (
            f"asks the view for {error.name}, which only time-shared machines have; declare "
            "immediate=True and choose such a platform"
        )
    return f"makes the broker fail with AttributeError: {error}"
