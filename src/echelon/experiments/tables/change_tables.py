"""Tables of machines that change: attempts to run jobs, outages, reservations, and what jobs lost."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.metrics.columns.held_units import FIRST_NUMBER, attempt_nodes, held_units, list_kills
from echelon.model import JobStatus, NodeUnits, OutageKind
from echelon.model.schedules.features import Feature
from echelon.model.schedules.number_sets import set_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from echelon.metrics import Measured
    from echelon.model import Platform, Reservation, Schedule
    from echelon.model.jobs.columns import IntColumn

STATUSES = tuple(status.name.lower() for status in JobStatus)
"""What a job's status is called, by its code."""


def change_columns(measured: Measured) -> dict[str, Any]:
    """Return the columns of ``jobs.csv`` that only jobs on machines that change have."""
    if Feature.ATTEMPTS not in measured.has:
        return {}
    jobs, attempts = len(measured.start), measured.attempts
    again = measured.schedule.attempts.restarts()
    return {
        "restarts": np.bincount(attempts.job[again], minlength=jobs),
        "lost_node_seconds": attempts.of_jobs(attempts.lost * measured.attempt_size, jobs),
        "checkpoint_seconds": attempts.of_jobs(attempts.overhead, jobs),
        "first_start_time": measured.start,
    }


def attempt_table(measured: Measured, ids: pl.Series) -> pl.DataFrame | None:
    """Return one row a time a job held processors: the columns of ``attempts.csv``; None without changes.

    Parameters
    ----------
    measured : Measured
        Of the run.
    ids : polars.Series
        What each job is called.
    """
    # A heavy library that only tables need.
    import polars as pl

    if Feature.ATTEMPTS not in measured.has:
        return None
    schedule, times = measured.schedule, measured.attempts
    attempts, platform = schedule.attempts, schedule.instance.platform
    texts = attempt_nodes(schedule)
    nodes = [] if texts is None else [pl.Series("nodes", texts, dtype=pl.String)]
    return pl.DataFrame(
        [
            ids.gather(attempts.job).alias("job_id"),
            pl.Series("row", attempts.job),
            pl.Series("start_time", attempts.start),
            pl.Series("end_time", attempts.end),
            *([] if platform is None else [_sites(platform, attempts.site)]),
            *nodes,
            pl.Series("reason", attempts.reason_names),
            pl.Series("work", times.useful),
            pl.Series("overhead", times.overhead),
        ]
    )


def outage_table(schedule: Schedule) -> pl.DataFrame | None:
    """Return one row an outage of a node: the columns of ``outages.csv``; None if there was none."""
    import polars as pl

    if not len(outages := schedule.outages):
        return None
    units, platform = NodeUnits.of(schedule.instance), schedule.instance.platform
    row = np.repeat(np.arange(len(outages)), np.diff(outages.first))
    kinds = [kind.name.lower() for kind in OutageKind]
    columns = [
        pl.Series("node", outages.node + FIRST_NUMBER),
        *([] if platform is None else [_sites(platform, outages.site[row])]),
        pl.Series("down", outages.start[row]),
        pl.Series("up", np.where(np.isinf(outages.end), np.nan, outages.end)[row]).fill_nan(None),
        pl.Series("kind", kinds, dtype=pl.String).gather(outages.kind[row]),
    ]
    if (held := held_units(schedule, units)) is not None:
        killed = Counter(list_kills(schedule, units, held))
        node = units.nodes(outages.site[row], outages.node)
        pairs = zip(node.tolist(), outages.start[row].tolist(), strict=True)
        hidden = _without_nodes(platform)
        counts = [
            None if at in hidden else killed[pair]
            for at, pair in zip(outages.site[row].tolist(), pairs, strict=True)
        ]
        columns.append(pl.Series("jobs_killed", counts, dtype=pl.Int64))
    return pl.DataFrame(columns)


def never_began(planned: Sequence[Reservation], kept: Sequence[Reservation]) -> list[Reservation]:
    """Return the sliding reservations that slid to the end of a run, as they were planned.

    Parameters
    ----------
    planned, kept : sequence of Reservation
        Those of the scenario, and those that its schedule has.
    """
    began = Counter((one.name, one.site, one.nodes) for one in kept if one.slide)
    reservations = []
    for one in (one for one in planned if one.slide):
        key = (one.name, one.site, one.nodes)
        if began[key]:
            began[key] -= 1
        else:
            reservations.append(one)
    return reservations


def reservation_table(measured: Measured, never: Sequence[Reservation] = ()) -> pl.DataFrame | None:
    """Return one row a reservation: the columns of ``reservations.csv``; None if there was none.

    Parameters
    ----------
    measured : Measured
        Of the run.
    never : sequence of Reservation, default empty
        Those that never began; they come last.
    """
    import polars as pl

    schedule = measured.schedule
    if not (all_ := (*schedule.reservations, *never)):
        return None
    platform, uses, count = schedule.instance.platform, measured.closures, len(schedule.reservations)
    site = np.array([one.site for one in all_], dtype=np.int64)
    gap = np.full(len(never), np.nan)
    began = [one.start for one in schedule.reservations], [one.end for one in schedule.reservations]
    start, end, used, unused, idle = (
        pl.Series(np.append(column[:count], gap)).fill_nan(None)
        for column in (*began, uses.used, uses.total[: len(uses.used)] - uses.used, uses.idle_before)
    )
    return pl.DataFrame(
        [
            pl.Series("name", [one.name for one in all_], dtype=pl.String),
            *([] if platform is None else [_sites(platform, site)]),
            pl.Series("nodes", [_numbers(one.nodes) for one in all_], dtype=pl.String),
            start.alias("start"),
            end.alias("end"),
            used.alias("used_node_seconds"),
            unused.alias("unused_node_seconds"),
            idle.alias("idle_before"),
        ]
    )


def _numbers(nodes: tuple[int, ...]) -> str:
    return set_text(node + FIRST_NUMBER for node in nodes)


def _without_nodes(platform: Platform | None) -> frozenset[int]:
    """Return the time-shared machines: it is not known on which of their nodes a job computed."""
    from echelon.model.machines.time_shared import TimeSharedMachine

    sites = () if platform is None else platform.sites
    return frozenset(at for at, one in enumerate(sites) if isinstance(one.resource, TimeSharedMachine))


def _sites(platform: Platform, place: IntColumn) -> pl.Series:
    import polars as pl

    return pl.Series("site", list(platform.names), dtype=pl.String).gather(place)
