"""Changing jobs as settings say: the one place that ``convert``, ``generate``, studies and Python share."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from echelon.experiments.settings.changes import OF_FILES, OF_RUNS
from echelon.experiments.settings.setting import SettingsByName
from echelon.experiments.settings.signature import check_keywords, with_settings
from echelon.workloads import transform

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Unpack

    from echelon.experiments.settings.changes import Change
    from echelon.experiments.settings.keywords import ChangeSettings
    from echelon.model import Workload

_KNOWN = SettingsByName(OF_FILES)


@with_settings(OF_FILES)
def change_jobs(workload: Workload, *, seed: int = 0, **settings: Unpack[ChangeSettings]) -> Workload:
    """Return the jobs changed as ``echelon convert`` changes them; nothing named, nothing changed.

    Parameters
    ----------
    workload : Workload
        In any order.
    **settings : optional
        Changes, made in this order.
    seed : int, default 0
        Of all draws, >= 0.

    Returns
    -------
    Workload
        Every change is recorded in its header.

    Raises
    ------
    InputError
        If a change cannot be made.
    UnknownNameError
        If a spec names no model or kind.

    Notes
    -----
    Each change is a function of `echelon.workloads.transform`, which can be called in any order, too. Cost:
    O(n) for each change, O(n log n) for those that sort.

    Examples
    --------
    >>> import echelon as ec
    >>> jobs = ec.generate("lublin", 100)
    >>> len(ec.change_jobs(jobs, skip=10, first=50, load=1.5, estimates_model="factor:f=3"))
    50
    """
    return apply_changes(workload, OF_FILES, check_keywords("change_jobs", settings, _KNOWN), seed=seed)


def changed_for_run(workload: Workload, settings: Mapping[str, Any], *, seed: int = 0) -> Workload:
    """Return the jobs after the changes of `OF_RUNS` that a run asks for, in their order.

    Parameters
    ----------
    workload : Workload
        In any order.
    settings : mapping of str to object
        Those of a run, others than changes, too. A change that changes nothing is not recorded.
    seed : int, default 0
        Of those that draw, unless there is a ``workload_seed``.

    Raises
    ------
    InputError, UnknownNameError
        As of `change_jobs`.
    """
    asked = {
        one.name: settings[one.name]
        for one in OF_RUNS
        if one.name in settings and settings[one.name] != one.default
    }
    return apply_changes(workload, OF_RUNS, asked, seed=settings.get("workload_seed", seed))


def apply_changes(
    workload: Workload, changes: Iterable[Change], values: Mapping[str, Any], *, seed: int
) -> Workload:
    """Return the jobs after those of `changes` that have a value, in their order.

    Parameters
    ----------
    workload : Workload
        In any order.
    changes : iterable of Change
        Those that there are, in order.
    values : mapping of str to object
        By the name of the change; of a flag whether it is made.
    seed : int
        Of those that draw.

    Raises
    ------
    InputError, UnknownNameError
        As of `change_jobs`.
    """
    wanted = [one for one in changes if values.get(one.name) is not None and values[one.name] is not False]
    for name, group in groupby(wanted, key=attrgetter("by")):
        arguments: dict[str, Any] = {}
        for one in group:
            arguments |= zip(one.arguments, _items(one, one.read_one(values[one.name])), strict=True)
            arguments |= {"seed": seed} if one.draws else {}
        workload = getattr(transform, name)(workload, **arguments)
    return workload


def _items(change: Change, value: Any) -> Iterable[Any]:  # noqa: ANN401  (whatever the change takes)
    return value if list in change.types else (value,)[: len(change.arguments)]
