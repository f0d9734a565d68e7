"""The sites of a grid: what each ran under each broker, how busy it was and how long its jobs waited."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.metrics import site_means
from echelon.metrics.columns.shared_machines import mean_processes, speeds
from echelon.model.schedules.features import Feature, sites_with, there
from echelon.quantities import duration, figure
from echelon.reports.panels.panel import (
    Content,
    Panel,
    body,
    column_heads,
    hint,
    round_numbers,
    table_row,
    wait_sentence,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.metrics import JobSites, SiteMeans
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.reports.tables import RunTables

MOST_SITES = 1000
"""Sites that the table of a run lists: those with the most work."""

MOST_BARS, MOST_BARRED = 60, 30
"""Bars of a chart, and sites that have some: of more, those with the most work."""


_READING = (
    (
        Feature.TIME_SHARING,
        "are time-shared: each job counts with the processor time that it received, weighted "
        "by speed in the share of the work. A job counts where it ended; processes include those of all "
        "copies.",
    ),
    (
        Feature.PLACES | Feature.NODES,
        "are task slots: as many parallel tasks as a cluster's nodes may hold at once. A job "
        "in several clusters counts where it had most tasks, its work where each of them ran.",
    ),
)
"""What to know of the processors of runs that have a feature."""


def _content(runs: Sequence[RunTables], names: Sequence[str]) -> Content:
    sites = [_sites(run) for run in runs]
    reading = (
        "Work is processor-seconds; utilization is the share of a site's processors that jobs held from the "
        "grid's first submission to its last end."
    )
    which = "Some processors" if any(map(_is_mixed, runs)) else "Processors"
    for feature, sentence in _READING:
        reading += f" {which} {sentence}" if any(feature in run.has for run in runs) else ""
    if any(there(run.sites).knows_homes for run in runs):
        reading += " Jobs from elsewhere were submitted at a site other than the one where they ran."
    if not all(there(run.sites).is_stated for run in runs):
        reading += (
            " The run does not record its sites, so each is as large as the most processors that its jobs "
            "held at once."
        )
    listed, everything = len(sites[0]["name"]), max(len(there(run.platform)) for run in runs)
    if listed < everything:
        reading += f" The table lists the {listed:,} of {everything:,} sites with the most work."
    shown = _bars(runs, names) + body("sites") + _machines_beside(runs, names)
    return Content(shown + hint(reading + wait_sentence(runs)), sites)


PANEL = Panel(
    "sites",
    "Sites",
    _content,
    needs=Feature.SITES,
    lacking="Some of the runs have a single machine, so sites cannot be compared.",
)


def _means(run: RunTables, sites: JobSites) -> SiteMeans:
    count = len(sites.platform)
    means = site_means(sites.site, run.wait, run.bounded_slowdown, area=run.area, sites=count)
    if Feature.PLACES not in run.has:
        return means
    # Where jobs span clusters, each task's work counts where it ran.
    site, pieces, tasks = run.at_sites
    work = np.bincount(site, weights=tasks * (pieces.end - pieces.start), minlength=count)
    # A time-shared machine is not held: what jobs had of it is their own to tell.
    held = sites_with(sites.platform, Feature.QUEUES)
    return means._replace(area=np.where(held, work, means.area))


def _sites(run: RunTables) -> dict[str, Any]:
    sites = there(run.sites)
    means, sizes = _means(run, sites), sites.platform.sizes
    work = _work(run, sites, means)
    most = np.argsort(-means.area, kind="stable")[:MOST_SITES]
    span = (run.span[1] - run.span[0]) or 1.0
    elsewhere = (sites.home_site >= 0) & (sites.home_site != sites.site)
    moved = np.bincount(sites.site[elsewhere], minlength=len(sizes))
    machines_alone = Feature.TIME_SHARING in run.has and Feature.QUEUES not in run.has
    return {
        "name": [sites.platform.names[place] for place in most.tolist()],
        "processors": sizes[most].tolist(),
        "jobs": means.jobs[most].tolist(),
        "share": round_numbers((work / (work.sum() or 1.0))[most].tolist()),
        "area": round_numbers(means.area[most]),
        "utilization": round_numbers((_held_area(run, sites, means) / (sizes * span))[most].tolist()),
        "wait": round_numbers(means.mean_wait[most]),
        "slowdown": round_numbers(means.mean_bounded_slowdown[most]),
        "elsewhere": moved[most].tolist() if sites.knows_homes else None,
        "total": run.jobs.height,
    } | (_machines(run, sites, most) if machines_alone else {})


def _held_area(run: RunTables, sites: JobSites, means: SiteMeans) -> FloatColumn:
    """Return how long processors of each site were held, in processor-seconds: of nodes until released.

    What failures destroyed was held, too, at the site where that was.
    """
    area = means.area
    if Feature.ATTEMPTS in run.has and Feature.PLACES not in run.has:
        area = np.where(sites_with(sites.platform, Feature.QUEUES), _attempted_area(run, sites), area)
    if Feature.CORES not in run.has:
        return area
    site, pieces, size = run.at_sites
    held = np.bincount(site, weights=size * (pieces.end - pieces.start), minlength=len(sites.platform))
    return np.where(np.diff(sites.platform.first_node) > 0, held, area)


def _attempted_area(run: RunTables, sites: JobSites) -> FloatColumn:
    """Return how long attempts held processors of each site, in processor-seconds."""
    place = {name: at for at, name in enumerate(sites.platform.names)}
    row, start, end = run.tried
    site = np.array([place.get(name, 0) for name in there(run.attempts)["site"].cast(str).to_list()])
    weights = run.int_column("processors")[row] * (end - start)
    return np.bincount(site, weights=weights, minlength=len(place)).astype(np.float64, copy=False)


def _is_mixed(run: RunTables) -> bool:
    """Return whether jobs have some processors to themselves, or whole, and share others."""
    both = Feature.TIME_SHARING | Feature.QUEUES in run.has
    return both or (Feature.PLACES | Feature.NODES in run.has and not run.is_stacked_by_node)


def _work(run: RunTables, sites: JobSites, means: SiteMeans) -> FloatColumn:
    """Return the work of each site: where speeds differ, in seconds of a processor of speed 1."""
    if Feature.TIME_SHARING not in run.has:
        return means.area
    work = np.bincount(sites.site, weights=run.work, minlength=len(sites.platform))
    return np.where(sites_with(sites.platform, Feature.TIME_SHARING), work, means.area)


def _machines(run: RunTables, sites: JobSites, most: IntColumn) -> dict[str, Any]:
    """Return the further columns of time-shared machines: speeds, execution times, processes."""
    count = len(sites.platform)
    took = np.bincount(sites.site, weights=run.run_time, minlength=count)
    with np.errstate(divide="ignore", invalid="ignore"):
        execution = took / np.bincount(sites.site, minlength=count)
    processes, peak = mean_processes(run.copies, count)
    return {
        "speed": speeds(sites.platform)[most].tolist(),
        "execution": round_numbers(execution[most]),
        "processes": round_numbers(processes[most]),
        "most": peak[most].tolist(),
    }


_HEADS = ("Machine", "Speed", "Mean execution", "Processes while busy", "Most at once")


def _machines_beside(runs: Sequence[RunTables], names: Sequence[str]) -> str:
    """Return a table of the time-shared machines of each run that has sites with queues, too."""
    both = Feature.TIME_SHARING | Feature.QUEUES
    mixed = [(run, name) for run, name in zip(runs, names, strict=True) if both in run.has]
    return "".join(_machine_table(run, name if len(runs) > 1 else "") for run, name in mixed)


def _machine_table(run: RunTables, name: str) -> str:
    sites = there(run.sites)
    here = np.flatnonzero(sites_with(sites.platform, Feature.TIME_SHARING))
    described = _machines(run, sites, here)
    rows = ""
    for place, speed, took, mean, most in zip(here.tolist(), *described.values(), strict=True):
        cells = (
            f"{speed:g}",
            "–" if took is None else duration(took),
            "–" if mean is None else figure(mean, 3),
            f"{most:,}",
        )
        rows += table_row(sites.platform.names[place], cells)
    title = f"<caption>{html.escape(name)}</caption>" if name else ""
    return (
        '<div class="scroll below-bars" tabindex="0" role="region" aria-label="Time-shared machines">'
        f"<table>{title}<thead><tr>{column_heads(_HEADS)}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _bars(runs: Sequence[RunTables], names: Sequence[str]) -> str:
    """Return bars of jobs and of work by site, one a run, where the runs have the same sites."""
    grids = [there(run.sites) for run in runs]
    platform = grids[0].platform
    if any(sites.platform.names != platform.names for sites in grids):
        return ""
    means = [_means(run, sites) for run, sites in zip(runs, grids, strict=True)]
    jobs = [100 * each.jobs / max(1, each.jobs.sum()) for each in means]
    done = [_work(run, sites, each) for run, sites, each in zip(runs, grids, means, strict=True)]
    work = [100 * each / (each.sum() or 1.0) for each in done]
    most = min(MOST_BARRED, max(1, MOST_BARS // len(runs)))
    chosen = np.sort(np.argsort(-np.max(work, axis=0), kind="stable")[:most])[::-1].tolist()
    part = f", the {len(chosen)} of {len(platform):,} sites with the most work"
    described = part if len(chosen) < len(platform) else ""
    labels = [platform.names[place] for place in chosen]
    charts = "".join(
        _chart(f"{title}{described}", labels, [share[chosen] for share in shares], names)
        for title, shares in (("Share of the jobs by site", jobs), ("Share of the work by site", work))
    )
    return f'{_legend(names)}<div class="bar-charts">{charts}</div>'


def _legend(names: Sequence[str]) -> str:
    if len(names) == 1:
        return ""
    keys = "".join(
        f'<li><i class="swatch run-{place % 8}"></i> {html.escape(name)}</li>'
        for place, name in enumerate(names)
    )
    return f'<ul class="chips" aria-label="Colors of the bars">{keys}</ul>'


def _chart(title: str, labels: Sequence[str], shares: Sequence[FloatColumn], names: Sequence[str]) -> str:
    longest = max((float(share.max(initial=0.0)) for share in shares), default=0.0) or 1.0
    rows = "".join(
        _bar(label, (names[run], f"{share[place]:.1f} %"), share[place] / longest, run)
        for place, label in enumerate(labels)
        for run, share in enumerate(shares)
    )
    grouped = " grouped" if len(names) > 1 else ""
    return f'<figure><figcaption>{title}</figcaption><ul class="bars{grouped}">{rows}</ul></figure>'


def _bar(label: str, described: tuple[str, str], share: float, run: int) -> str:
    first, name = (' class="first"', html.escape(label)) if run == 0 else ("", "")
    return (
        f'<li{first} title="{html.escape(": ".join(described))}" data-site="{html.escape(label)}"'
        f' data-run="{run}">'
        f'<span class="bar-name">{name}</span>'
        f'<span class="bar-room"><i class="run-{run % 8}" style="width:{100 * share:.2f}%"></i></span>'
        f'<span class="bar-value">{described[1]}</span></li>'
    )
