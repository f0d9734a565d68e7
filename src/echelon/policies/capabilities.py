"""Capabilities: what a rule says of itself, so that no engine has to know its class."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from echelon.errors import InputError

if TYPE_CHECKING:
    from echelon.policies.contract import Scheduler


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a scheduler does and what it looks at: its attributes of these names, each True or False.

    A scheduler, built in or a user's own, declares those in which it differs from the defaults.
    ``echelon check`` compares what a policy declares with what it does.

    Parameters
    ----------
    preempts : bool, default False
        It suspends running jobs. Jobs on nodes keep their cores until they end, so it is refused there.
    overtakes : bool, default True
        A job may start while one ahead of it waits. If not, whoever simulates the queue of a cluster lets
        the first job that does not fit block the others.
    starts_all_that_fit : bool, default False
        No job that fits is left waiting, whatever waits ahead of it. Then a global queue takes a job that
        fits into a cluster as one that would start there at once.
    looks_ahead : bool, default True
        It reads when running jobs are planned to end, or promises starts. If not, a job that runs on at its
        planned end causes no pass.
    plans : bool, default True
        It lays jobs out over time by a `Profile`. If so, jobs may not start on fewer cores than tasks.
    foreseeable : bool, default False
        Its decisions follow from the queue, the planned times, the running jobs and the promises of the
        view alone. Then a broker may ask for the schedule of a site by plan.
    """

    preempts: bool = False
    overtakes: bool = True
    starts_all_that_fit: bool = False
    looks_ahead: bool = True
    plans: bool = True
    foreseeable: bool = False


@dataclass(frozen=True, slots=True)
class EstimatorCapabilities:
    """What an estimator says of itself: its attributes of these names, each True or False.

    Parameters
    ----------
    predicts : bool, default True
        It says other times than those that ``--estimates`` plans with. If not, it is asked for nothing new
        when a job is looked at again, and no planned times are shown beside the requests.
    learns_in_run : bool, default True
        Where no nodes are shared, what it says follows from jobs that have ended. If not, the run plans with
        what is known before it, and `memory` is not asked.
    knows_run_times : bool, default False
        Jobs are planned with the times that they will run.
    """

    predicts: bool = True
    learns_in_run: bool = True
    knows_run_times: bool = False


def estimator_capabilities(estimator: object) -> EstimatorCapabilities:
    """Return what an estimator declares, and the defaults for the rest.

    Raises
    ------
    InputError
        If a declaration is neither True nor False.
    """
    return EstimatorCapabilities(**_declared(estimator, EstimatorCapabilities))


def capabilities(scheduler: Scheduler) -> Capabilities:
    """Return what `scheduler` declares, and the defaults for the rest.

    Raises
    ------
    InputError
        If a declaration is neither True nor False.
    """
    return Capabilities(**declared_capabilities(scheduler))


def declared_capabilities(scheduler: Scheduler) -> dict[str, bool]:
    """Return what `scheduler` declares itself, by name.

    Raises
    ------
    InputError
        If a declaration is neither True nor False.
    """
    return _declared(scheduler, Capabilities)


def _declared(rule: Any, kind: type[Capabilities | EstimatorCapabilities]) -> dict[str, bool]:  # noqa: ANN401
    names = [field.name for field in fields(kind)]
    declared = {name: getattr(rule, name) for name in names if hasattr(rule, name)}
    for name, value in declared.items():
        if not isinstance(value, bool):
            raise InputError(
                f"is a capability, so it must be True or False, got {value!r:.40}",
                field=f"{rule.name}, {name}",
            )
    return declared
