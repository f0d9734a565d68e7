"""Sites: what each site of a grid ran under each broker, as bars."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from echelon.errors import InputError, UnknownNameError
from echelon.metrics import site_means
from echelon.model.schedules.features import Feature, sites_with
from echelon.plotting.job_table import JobTable
from echelon.plotting.policies.bars import plot_bars

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    from echelon.metrics import JobSites
    from echelon.model.jobs.columns import FloatColumn
    from echelon.plotting.job_table import Run

_LABELS = {
    "jobs": "share of the jobs (%)",
    "work": "share of the processor-seconds (%)",
    "utilization": "utilization (%)",
}
_MOST_BARS = 60
"""With more, the sites with the most work have bars."""


def plot_sites(
    runs: Mapping[str, Run],
    *,
    quantity: Literal["jobs", "work", "utilization"] = "jobs",
    ax: Axes | None = None,
) -> Axes:
    """Draw for each site of a grid what it ran, a bar a run, the largest site on top.

    Parameters
    ----------
    runs : mapping of str to run
        Results or tables of jobs, by their names; at least one, all on the same sites.
    quantity : {"jobs", "work", "utilization"}, default "jobs"
        The site's share of all jobs or of all processor-seconds, or of its own processors' time from the
        grid's first submission to its last end.
    ax : matplotlib.axes.Axes, optional
        Drawn into. Default: those of a new figure, high enough for the rows.

    Returns
    -------
    matplotlib.axes.Axes
        As `plot_bars` gives them. Of many sites those with the most work are drawn, and the title says so.

    Raises
    ------
    UnknownNameError
        If there is no such quantity.
    InputError
        If there is no run or job, one ran on one machine, or the sites differ.
    """
    if quantity not in _LABELS:
        raise UnknownNameError("quantity", quantity, _LABELS)
    tables = {name: JobTable.of(run) for name, run in runs.items()}
    if not tables or not all(map(len, tables.values())):
        raise InputError("a figure of sites needs runs with at least one job each")
    sites = {name: table.needed_sites() for name, table in tables.items()}
    first, *others = (jobs.platform.names for jobs in sites.values())
    if any(names != first for names in others):
        raise InputError("the runs have different sites")
    work = np.max([_shares(tables[name], sites[name], "work") for name in tables], axis=0)
    kept = max(1, _MOST_BARS // len(tables))
    chosen = np.sort(np.argsort(-work, kind="stable")[:kept])[::-1].tolist()
    bars = {}
    for name, table in tables.items():
        shares = _shares(table, sites[name], quantity)
        bars[name] = {first[place]: float(shares[place]) for place in chosen}
    ax = plot_bars(bars, label=_LABELS[quantity], ax=ax)
    if len(chosen) < len(first):
        ax.set_title(f"the {len(chosen)} of {len(first):,} sites with the most work", fontsize="medium")
    return ax


def _shares(table: JobTable, sites: JobSites, quantity: str) -> FloatColumn:
    """Return a quantity of each site, in percent."""
    area, number = table.area, len(sites.platform)
    means = site_means(sites.site, table.wait, table.bounded_slowdown, area=area, sites=number)
    if quantity == "jobs":
        return 100 * means.jobs / len(table)
    work = means.area
    if Feature.PLACES in table.has:
        _, site, start, end, tasks = table.copies
        held = np.bincount(site, weights=tasks * (end - start), minlength=number)
        # A time-shared machine is not held: what jobs had of it is their own to tell.
        work = np.where(sites_with(sites.platform, Feature.QUEUES), held, work)
    if quantity == "work":
        return 100 * work / (work.sum() or 1.0)
    low, high = table.span
    return 100 * work / (sites.platform.sizes * ((high - low) or 1.0))
