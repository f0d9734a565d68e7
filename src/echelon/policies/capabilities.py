"""Capabilities: what a rule declares about itself, so that engines do not depend on its class."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from echelon.errors import InputError
from echelon.quantities import is_number

if TYPE_CHECKING:
    from echelon.policies.contract import Scheduler

_EARLIER = {"predictable": "foreseeable"}
"""Earlier names of capabilities, which rules may still declare."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """The behavior that a scheduler declares by attributes of these names, each True or False.

    A scheduler, built in or a user's own, declares only deviations from the defaults. ``echelon check``
    compares what a policy declares with what it does.

    Parameters
    ----------
    preempts : bool, default False
        It suspends running jobs, which is an error where tasks share cores.
    overtakes : bool, default True
        A job may start while an earlier job waits. If not, a look-ahead simulation of the queue lets the
        first job that does not fit block the others.
    starts_all_that_fit : bool, default False
        No job that fits is left waiting, whichever jobs wait ahead of it. Then a global queue assumes that a
        job that fits into a cluster starts there at once.
    looks_ahead : bool, default True
        It reads planned ends of running jobs, or makes reservations. If not, a job that runs beyond its
        planned end causes no scheduling cycle.
    plans : bool, default True
        It plans jobs over time in a `Profile`. If so, jobs cannot start on fewer cores than tasks.
    predictable : bool, default False
        Its decisions follow from the queue, the planned times, the running jobs and the reservations of the
        view alone. Then a broker may ask for the planned schedule of a site.
    """

    preempts: bool = False
    overtakes: bool = True
    starts_all_that_fit: bool = False
    looks_ahead: bool = True
    plans: bool = True
    predictable: bool = False


@dataclass(frozen=True, slots=True)
class EstimatorCapabilities:
    """The behavior that an estimator declares by attributes of these names, each True or False.

    Parameters
    ----------
    predicts : bool, default True
        It predicts times other than those of ``--estimates``. If not, it is not asked again about a job, and
        no planned times are shown beside the requests.
    learns_in_run : bool, default True
        Without shared nodes, its predictions follow from jobs that have ended. If not, the run plans with
        times known before the run, and `memory` is not called.
    knows_run_times : bool, default False
        Jobs are planned with their actual run times.
    """

    predicts: bool = True
    learns_in_run: bool = True
    knows_run_times: bool = False


def estimator_capabilities(estimator: object) -> EstimatorCapabilities:
    """Return the capabilities of an estimator: its declarations, with defaults for the rest.

    Raises
    ------
    InputError
        If a declaration is neither True nor False.
    """
    return EstimatorCapabilities(**_read_declarations(estimator, EstimatorCapabilities))


def capabilities(scheduler: Scheduler) -> Capabilities:
    """Return the capabilities of `scheduler`: its declarations, with defaults for the rest.

    Raises
    ------
    InputError
        If a declaration is neither True nor False.
    """
    return Capabilities(**declared_capabilities(scheduler))


def switch_of(scheduler: Scheduler) -> float:
    """Return what a job pays that others start beside those of `scheduler`, in seconds.

    That is the attribute ``switch`` of a scheduler that suspends jobs, and of any other nothing.

    Raises
    ------
    InputError
        If that is no time >= 0.
    """
    switch: Any = getattr(scheduler, "switch", 0.0) if capabilities(scheduler).preempts else 0.0
    if not is_number(switch) or not 0 <= switch < math.inf:
        raise InputError(
            f"must be a time >= 0 in seconds, got {switch!r:.40}", field=f"{scheduler.name}, switch"
        )
    return float(switch)


def declared_capabilities(scheduler: Scheduler) -> dict[str, bool]:
    """Return the declarations of `scheduler`, by name.

    Raises
    ------
    InputError
        If a declaration is neither True nor False.
    """
    return _read_declarations(scheduler, Capabilities)


def _read_declarations(rule: Any, kind: type[Capabilities | EstimatorCapabilities]) -> dict[str, bool]:  # noqa: ANN401
    names = [field.name for field in fields(kind)]
    spellings = {name: name if hasattr(rule, name) else _EARLIER.get(name, name) for name in names}
    declared = {name: getattr(rule, word) for name, word in spellings.items() if hasattr(rule, word)}
    for name, value in declared.items():
        if not isinstance(value, bool):
            raise InputError(
                f"is a capability, so it must be True or False, got {value!r:.40}",
                field=f"{rule.name}, {name}",
            )
    return declared
