"""Access: from what changes of a machine to closures, each with the jobs that may use it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.resources.closures import Closure, Closures
from echelon.errors import InputError
from echelon.model import TimeSharedMachine
from echelon.model.machines.outages import OutageKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from echelon.availability import Changes
    from echelon.engine.contract import Scenario
    from echelon.model import Instance
    from echelon.model.machines.reservations import Reservation

_NO_JOBS: frozenset[int] = frozenset()


def closures_of(instance: Instance, changes: Changes) -> tuple[Closure, ...]:
    """Return every drain, maintenance and reservation of a run, numbered from 0 in this order.

    Failures are not among them: they take nodes away from running jobs, and no scheduler knows of them
    before.
    """
    kills = changes.conflict == "kill"
    every = [*_outages(changes, kills=kills), *_reservations(instance, changes, kills=kills)]
    return tuple(replace(one, number=number) for number, one in enumerate(every))


def at_leaf(closures: Sequence[Closure], site: int | None, nodes: int) -> Closures | None:
    """Return the closures of the leaf with this index, of so many nodes; None if nothing is ever closed.

    A machine alone has the index None.

    Raises
    ------
    InputError
        If one names a node, or a site of a machine alone, that is not there.
    """
    if site is None:
        site = 0
        for one in closures:
            _check_site(one.site, 1, f"reservation {one.name}" if one.name else "outages")
    here = [one for one in closures if one.site == site]
    named_here = _NO_JOBS.union(*(one.named_by for one in here))
    elsewhere = _NO_JOBS.union(*(one.named_by for one in closures if one.site != site)) - named_here
    for one in here:
        if one.nodes[-1] >= nodes:
            what = f"reservation {one.name}" if one.name else "outages"
            raise InputError(
                f"names node {one.nodes[-1] + 1}, but there are {nodes} nodes; nodes are numbered from 1",
                field=what,
            )
    return Closures(here, nodes, elsewhere=elsewhere) if here or elsewhere else None


def check_closures(scenario: Scenario) -> None:
    """Refuse what changes of sites that there are not, and reservations of machines that know no queue.

    Raises
    ------
    InputError
        If there are such.
    """
    platform, changes = scenario.instance.platform, scenario.changes
    if platform is None:
        return
    for one in changes.reservations:
        _check_site(one.site, len(platform), f"reservation {one.name}")
        if isinstance(platform.sites[one.site].resource, TimeSharedMachine):
            raise InputError(
                f"is of {platform.names[one.site]!r}, a time-shared machine, where jobs start as they come "
                "and none can be kept out; reserve nodes of a site with a queue",
                field=f"reservation {one.name}",
            )
    for site in set(changes.outages.site.tolist()):
        _check_site(site, len(platform), "outages")


def _check_site(site: int, sites: int, what: str) -> None:
    if not 0 <= site < sites:
        count = "is 1 site" if sites == 1 else f"are {sites} sites"
        raise InputError(f"names site {site + 1}, but there {count}", field=what)


def jobs_named_elsewhere(scenario: Scenario) -> dict[int, NDArray[np.bool_]]:
    """Return which jobs name reservations of other leaves alone, by leaf, shape (n_jobs,) each."""
    limits = scenario.instance.limits
    if limits is None or not scenario.changes.reservations:
        return {}
    leaves = len(scenario.instance.sites)
    at = np.zeros((leaves, len(scenario.instance)), dtype=np.bool_)
    for one in scenario.changes.reservations:
        at[one.site, list(_jobs_naming(scenario.instance, one))] = True
    return {leaf: at.any(axis=0) & ~at[leaf] for leaf in range(leaves)}


def _outages(changes: Changes, *, kills: bool) -> Iterator[Closure]:
    outages = changes.outages
    kinds = outages.kind.tolist()
    for row, kind in enumerate(kinds):
        start, end = float(outages.start[row]), float(outages.end[row])
        if kind == OutageKind.FAIL or not start < end:
            continue
        drains = kind == OutageKind.DRAIN
        yield Closure(
            start,
            end,
            tuple(outages.nodes_of(row).tolist()),
            min(float(outages.announced[row]), start),
            0,
            int(outages.site[row]),
            drains=drains,
            evicts=kills and not drains,
        )


def _reservations(instance: Instance, changes: Changes, *, kills: bool) -> Iterator[Closure]:
    for one in changes.reservations:
        named = _jobs_naming(instance, one)
        yield Closure(
            one.start,
            one.end,
            one.nodes,
            min(one.announced, one.start),
            0,
            one.site,
            evicts=kills and not one.ignore_jobs,
            may_use=named | _of(instance, "user", one.users) | _of(instance, "account", one.accounts),
            named_by=named,
            name=one.name,
            flex=one.flex,
            overrun=one.overrun,
            slide=one.slide,
        )


def _jobs_naming(instance: Instance, reservation: Reservation) -> frozenset[int]:
    """Return the positions of the jobs that name a reservation."""
    limits = instance.limits
    if limits is None or reservation.name not in limits.names:
        return _NO_JOBS
    code = limits.names.index(reservation.name) + 1
    return frozenset(np.flatnonzero(limits.reservation == code).tolist())


def _of(instance: Instance, column: str, wanted: tuple[str, ...]) -> frozenset[int]:
    """Return the positions of the jobs whose user or account has one of these names, or codes."""
    if not wanted:
        return _NO_JOBS
    names = instance.workload.names.get(column, ())
    codes = [code for code, name in enumerate(names, start=1) if name in wanted]
    codes += [int(name) for name in wanted if name.isdecimal() and name not in names]
    has_code = np.isin(instance.workload.int_column(column)[instance.kept], codes)
    return frozenset(np.flatnonzero(has_code).tolist())
