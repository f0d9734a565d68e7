"""What ``echelon info`` shows of a failure trace: its figures, and the laws fitted to its times."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from echelon.cli.terminal import facts, grid, show, show_json
from echelon.quantities import duration, tally

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from rich.table import Table

    from echelon.availability.fits.law_fit import LawFit, TimeSample
    from echelon.availability.fits.summary import FailureSummary, SystemSummary
    from echelon.model import Anomaly

_HOUR = 3600.0


def show_failures(source: str, *, format: str | None, timezone: str | None, json: bool) -> None:  # noqa: A002
    """Show the figures of a failure trace, for people or as JSON.

    Parameters
    ----------
    source : str
        Its file.
    format : str, optional
        Name of its format; default: recognized by its content.
    timezone : str, optional
        Zone in which dates are read and shown; default: UTC.
    json : bool
        Whether to print exact figures as JSON and nothing else.

    Raises
    ------
    UnknownNameError, InputError
        As `read_failure_trace` and `failure_summary`.
    """
    from echelon.availability.fits.summary import failure_summary
    from echelon.availability.traces.trace_reader import read_failure_trace

    zone = "UTC" if timezone is None else timezone
    summary = failure_summary(read_failure_trace(source, format=format, timezone=zone))
    if json:
        show_json(summary.to_dict())
    else:
        _show(summary, timezone)


def _show(summary: FailureSummary, timezone: str | None) -> None:
    trace = summary.trace
    nodes = tally(summary.nodes, "node")
    show(
        f"{trace.file}: {tally(summary.failures, 'failure')} of {nodes}",
        "",
        facts(_facts(summary, timezone)),
    )
    titles = {
        "Times up of a node (from its repair to its next failure)": summary.up,
        "Times down (repair times)": summary.down,
        "Times between failures of a node (from failure to failure)": summary.between,
    }
    for title, sample in titles.items():
        show("", f"{title}:", "", f"  {_counts(sample)}", _fits(sample))
    show("", *_systems(summary.systems))
    show(_LEGEND, "")
    if trace.anomalies:
        show("Anomalies:", "", facts(map(_anomaly, trace.anomalies)))
    else:
        show("No anomalies were found.")


_LEGEND = (
    "Laws by maximum likelihood; log-likelihoods are of times in seconds; KS is the distance of Kolmogorov\n"
    "and Smirnov; * marks the best. A law can be typed as it is shown: --failures, --repair-times."
)


def _facts(summary: FailureSummary, timezone: str | None) -> list[tuple[str, str | None]]:
    from echelon.cli.formatting import share

    several = len(summary.systems) > 1
    return [
        ("format", summary.trace.format),
        ("systems", f"{len(summary.systems):,}" if several else None),
        ("first failure", _moment(summary, summary.first, timezone)),
        ("last failure", _moment(summary, summary.last, timezone)),
        ("span", duration(summary.last - summary.first)),
        ("drains", tally(summary.drains, "outage") if summary.drains else None),
        ("maintenance", tally(summary.maintenances, "outage") if summary.maintenances else None),
        ("MTBF of a node", _hours(summary.between.mean)),
        ("mean time up", _hours(summary.up.mean)),
        ("MTTR", _hours(summary.down.mean)),
        ("availability", None if summary.availability is None else share(summary.availability)),
    ]


def _hours(seconds: float) -> str | None:
    """Return a time in hours to a second or so; None if it is unknown."""
    return f"{seconds / _HOUR:,.3f} h" if math.isfinite(seconds) else None


def _moment(summary: FailureSummary, seconds: float, timezone: str | None) -> str:
    from echelon.experiments.summaries.moments import format_date

    date = format_date(seconds, timezone) if summary.trace.is_dated else None
    return f"{seconds:,.15g} s" if date is None else date


def _counts(sample: TimeSample) -> str:
    if not sample.n:
        return "none"
    figures = f"{sample.n:,} times, mean {_hours(sample.mean)}, median {_hours(sample.median)}"
    return f"{figures}; {sample.zeros:,} of them not > 0, left out of fits" if sample.zeros else figures


def _fits(sample: TimeSample) -> str | Table:
    if not sample.fits:
        return "  Fewer than two differ: no law is fitted."
    most = max(fit.log_likelihood for fit in sample.fits)
    least = min(fit.distance for fit in sample.fits)
    rows = [
        (
            law_in_hours(fit),
            f"{fit.law.mean / _HOUR:,.3f}",
            f"{fit.log_likelihood:,.1f}{'*' if fit.log_likelihood == most else ' '}",
            f"{fit.distance:.4f}{'*' if fit.distance == least else ' '}",
        )
        for fit in sample.fits
    ]
    return grid(("law", "mean\nh", "log-likelihood ", "KS "), rows, numbers=range(1, 4))


def law_in_hours(fit: LawFit) -> str:
    """Return a fitted law as it is typed, in hours, to four digits or more."""
    law: Any = fit.law
    if law.name == "lognormal":
        return f"lognormal:mu={law.mu:.4f},sigma={law.sigma:.4f},unit=h"
    if law.name == "exponential":
        return f"exponential:mean={_figure(law.mean / _HOUR)}h"
    return f"{law.name}:shape={_figure(law.shape)},scale={_figure(law.scale / _HOUR)}h"


def _figure(value: float) -> str:
    if value >= 10:
        return f"{value:.3f}"
    return f"{value:.4f}" if value >= 0.1 else f"{value:.4g}"


def _systems(systems: tuple[SystemSummary, ...]) -> Iterator[str | Table]:
    """Yield a table of the systems, if there are several, else the laws of the one machine."""
    if len(systems) == 1:
        sample = systems[0].between
        yield "Times between failures of the machine (of whichever node):"
        yield f"\n  {_counts(sample)}"
        yield _fits(sample)
        return
    heads = (
        "system",
        "nodes",
        "failures",
        "MTBF\nh",
        "Weibull\nshape",
        "scale\nh",
        "MTTR\nmin",
        "median\nmin",
    )
    yield "Systems: from failure to failure of the whole system, and repairs"
    yield grid(heads, [_system(one) for one in systems], numbers=range(1, len(heads)))


def _system(one: SystemSummary) -> tuple[str, ...]:
    law: Any = one.between.fit("weibull").law if one.between.fits else None
    return (
        one.name or "-",
        f"{one.nodes:,}",
        f"{one.failures:,}",
        f"{one.between.mean / _HOUR:,.2f}" if one.between.n else "-",
        f"{law.shape:.3f}" if law else "-",
        f"{law.scale / _HOUR:,.2f}" if law else "-",
        f"{one.down.mean / 60:,.1f}" if one.down.n else "-",
        f"{one.down.median / 60:,.1f}" if one.down.n else "-",
    )


def _anomaly(one: Anomaly) -> tuple[str, str]:
    from echelon.cli.formatting import anomaly_row

    return anomaly_row(one, "; its repair is not fitted" if one.kind == "not-over" else "")
