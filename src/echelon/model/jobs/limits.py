"""JobLimits: when jobs are canceled, when they must or should end, and which reservations they name."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.model.instance import Instance
    from echelon.model.jobs.columns import FloatColumn, IntColumn

_MOST_NAMED = 1_000_000
"""Largest code of a reservation that has a name, if the log has no names."""


@dataclass(frozen=True, slots=True, eq=False)
class JobLimits:
    """What a log says of the ends of its jobs, of the jobs of an instance, in their order.

    Parameters
    ----------
    cancel : FloatColumn, shape (n_jobs,)
        When each job is canceled, in seconds; infinity if never. One canceled by its submission never joins.
    deadline : FloatColumn, shape (n_jobs,)
        When each job must have ended, in seconds; infinity if it need not.
    minimum : FloatColumn, shape (n_jobs,)
        The shortest limit that each job accepts to meet its deadline, in seconds; nan: its planned time.
    due : FloatColumn, shape (n_jobs,)
        When each job should have ended, in seconds; infinity if it is all the same. Nothing enforces it.
    reservation : IntColumn, shape (n_jobs,)
        Code of the reservation that each job names, from 1; 0 without.
    names : tuple of str
        Names of reservations: code c is the name at index c - 1.
    """

    cancel: FloatColumn
    deadline: FloatColumn
    minimum: FloatColumn
    due: FloatColumn
    reservation: IntColumn
    names: tuple[str, ...] = ()

    @classmethod
    def of(cls, instance: Instance) -> JobLimits | None:
        """Return what the workload of an instance says of the ends of its jobs; None if it says nothing."""
        accounting = instance.workload.accounting
        if not any(name in accounting for name in ("cancel_time", "deadline", "due_time", "reservation")):
            return None
        n_jobs = len(instance)

        def column(name: str, unknown: float) -> NDArray[Any]:
            if name not in accounting:
                return np.full(n_jobs, unknown)
            recorded_times = accounting[name][instance.kept]
            return np.where(recorded_times < 0, unknown, recorded_times)

        limits = cls(
            column("cancel_time", np.inf),
            column("deadline", np.inf),
            column("minimum_time", np.nan),
            column("due_time", np.inf),
            column("reservation", 0).astype(np.int64),
            _names_of_reservations(instance),
        )
        for one in fields(limits)[:5]:
            getattr(limits, one.name).flags.writeable = False
        return limits

    @property
    def change_runs(self) -> bool:
        """Whether any of it changes what happens where there are no reservations: due times never do."""
        return bool(np.isfinite(self.cancel).any() or np.isfinite(self.deadline).any())


def _names_of_reservations(instance: Instance) -> tuple[str, ...]:
    """Return the names behind the codes of reservations; a log without names has numbers for them."""
    names = instance.workload.names.get("reservation", ())
    if names or "reservation" not in instance.workload.accounting:
        return names
    most = int(instance.workload.accounting["reservation"].max(initial=0))
    return tuple(map(str, range(1, most + 1))) if most <= _MOST_NAMED else ()
