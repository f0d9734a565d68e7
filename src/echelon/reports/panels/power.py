"""Power and energy: what each run drew, for what, and what it was allowed to draw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.model.schedules.features import Feature, there
from echelon.quantities import counted, duration, quantity
from echelon.reports.facts import format_cap
from echelon.reports.panels.panel import Content, Panel, hint, labeled_table
from echelon.reports.summary import row_texts, shown_metrics

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from echelon.reports.tables import RunTables

METRICS = ("energy", "idle_energy", "mean_job_energy", "energy_delay_product", "mean_power", "peak_power")


def _content(runs: Sequence[RunTables], names: Sequence[str]) -> Content | None:
    if not any("energy" in run.metrics for run in runs):
        return None
    shown = {key: known for key, known in shown_metrics(runs).items() if key in METRICS}
    rows = [
        (known.label, row_texts(known, [float(run.metrics.get(key, float("nan"))) for run in runs]))
        for key, known in sorted(shown.items(), key=lambda pair: METRICS.index(pair[0]))
    ]
    for label, cell_of in _TOLD.items():
        texts = [cell_of(run) for run in runs]
        rows += [(label, [text or "–" for text in texts])] if any(texts) else []
    whose = {_whose(run) for run in runs if "energy" in run.metrics}
    reading = (
        f"Energy is the power of {' or '.join(sorted(whose))} over time, from the first submission to the "
        "last end. A job is charged for what its cores draw and, by cores held, for its share of the other "
        "power of their processors and nodes; idle energy is the rest. Power over time is a strip below the "
        "Gantt chart."
    )
    return Content(
        labeled_table("Power and energy", "Table of power and energy", names, rows) + hint(reading)
    )


PANEL = Panel("energy", "Power and energy", _content)


def _peak(run: RunTables) -> str:
    """Return for how long and when first the most was drawn."""
    if Feature.POWER not in run.has or len(table := there(run.power)) < 2:
        return ""
    power, time = table["power"].to_numpy(), table["time"].to_numpy()
    spans = time[1:] - time[:-1]
    most = power[:-1][spans > 0].max(initial=0.0)
    return duration(float(spans[power[:-1] == most].sum()))


def _dearest(run: RunTables) -> str:
    """Return the job charged for most energy."""
    if "energy" not in run.jobs.columns or not run.jobs.height:
        return ""
    row = run.jobs["energy"].cast(float).arg_max()
    if row is None:
        return ""
    return f"{quantity(float(run.jobs['energy'][row]), 'J')}, job {run.jobs['job_id'][row]}"


def _whose(run: RunTables) -> str:
    """Return whose power is drawn: that of the machine, or of the sites where it is known."""
    if Feature.SITES not in run.has or not there(run.sites).is_stated:
        return "the whole machine"
    from echelon.platforms.powered_sites import format_powered_sites

    words = format_powered_sites(there(run.platform))
    return words if words == "all sites" else f"{words},"


def _governor(run: RunTables) -> str:
    stated = run.run.get("governor")
    return "" if stated in (None, "highest") else str(stated)


def _sleeping(run: RunTables) -> str:
    """Return how often nodes were off, and for how long in all."""
    if Feature.NODES not in run.has:
        return ""
    nodes = there(run.nodes)
    if not {"times_off", "off_time"} <= set(nodes.columns):
        return ""
    times = int(nodes["times_off"].sum())
    return f"{counted(times, 'time')}, {duration(float(nodes['off_time'].sum()))} in all" if times else ""


_TOLD: dict[str, Callable[[RunTables], str]] = {
    "Time at the peak": _peak,
    "Power cap": format_cap,
    "Frequency": _governor,
    "Job with the most energy": _dearest,
    "Nodes switched off": _sleeping,
}
