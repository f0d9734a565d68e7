"""Power and energy: what each run drew, for what, and what it was allowed to draw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.model.schedules.features import Feature, there
from echelon.quantities import quantity, tally
from echelon.reports.facts import format_cap
from echelon.reports.panels.cells import UNKNOWN, Cell, duration_cell, in_unit, metric_rows
from echelon.reports.panels.panel import Content, Panel, hint, labeled_table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from echelon.reports.tables import RunTables

METRICS = ("energy", "idle_energy", "mean_job_energy", "energy_delay_product", "mean_power", "peak_power")


def _content(runs: Sequence[RunTables], names: Sequence[str]) -> Content | None:
    if not any("energy" in run.metrics for run in runs):
        return None
    rows: list[tuple[str | Cell, Sequence[str | Cell]]] = [*metric_rows(runs, METRICS)]
    for label, cell_of in _ROWS:
        cells = [cell_of(run) for run in runs]
        rows += [(label, [cell or UNKNOWN for cell in cells])] if any(cells) else []
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


def _peak(run: RunTables) -> Cell | None:
    """Return for how long the most was drawn."""
    if Feature.POWER not in run.has or len(table := there(run.power)) < 2:
        return None
    power, time = table["power"].to_numpy(), table["time"].to_numpy()
    spans = time[1:] - time[:-1]
    most = power[:-1][spans > 0].max(initial=0.0)
    return duration_cell(float(spans[power[:-1] == most].sum()))


def _dearest(run: RunTables) -> int | None:
    """Return the place of the job charged for most energy."""
    if "energy" not in run.jobs.columns or not run.jobs.height:
        return None
    return run.jobs["energy"].cast(float).arg_max()


def _most_energy(run: RunTables) -> Cell | None:
    if (row := _dearest(run)) is None:
        return None
    energy = float(run.jobs["energy"][row])
    return Cell(quantity(energy, "J"), energy)


def _job_with_most(run: RunTables) -> Cell | None:
    if (row := _dearest(run)) is None:
        return None
    job = str(run.jobs["job_id"][row])
    return Cell(f"job {job}", job)


def _whose(run: RunTables) -> str:
    """Return whose power is drawn: that of the machine, or of the sites where it is known."""
    if Feature.SITES not in run.has or not there(run.sites).is_stated:
        return "the whole machine"
    from echelon.platforms.powered_sites import format_powered_sites

    sites = format_powered_sites(there(run.platform))
    return sites if sites == "all sites" else f"{sites},"


def _cap(run: RunTables) -> Cell | None:
    """Return what may be drawn: where it is saved only the number."""
    return None if run.power_cap is None else Cell(format_cap(run), run.power_cap)


def _governor(run: RunTables) -> Cell | None:
    stated = run.run.get("governor")
    return None if stated in (None, "highest") else Cell(str(stated), str(stated))


def _off(run: RunTables, column: str) -> float:
    """Return the sum of a column of the nodes' times off; 0 where none is switched off."""
    if Feature.NODES not in run.has or column not in (nodes := there(run.nodes)).columns:
        return 0.0
    return float(nodes[column].sum())


def _times_off(run: RunTables) -> Cell | None:
    times = int(_off(run, "times_off"))
    return Cell(tally(times, "time"), times) if times else None


def _time_off(run: RunTables) -> Cell | None:
    return duration_cell(_off(run, "off_time")) if _off(run, "times_off") else None


_ROWS: tuple[tuple[str | Cell, Callable[[RunTables], Cell | None]], ...] = (
    (in_unit("Time at the peak", "s"), _peak),
    (in_unit("Power cap", "W"), _cap),
    ("Frequency", _governor),
    (in_unit("Most energy of a job", "J"), _most_energy),
    ("Job with the most energy", _job_with_most),
    ("Nodes switched off", _times_off),
    (in_unit("Time off, all nodes together", "s"), _time_off),
)
