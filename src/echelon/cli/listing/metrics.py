"""``echelon metrics``: the metrics of a schedule."""

from typing import Annotated

import typer

from echelon.cli.listing.documents import about, names_in, of_packages
from echelon.cli.terminal import facts, show

_Name = Annotated[
    str | None,
    typer.Argument(
        metavar="[NAME]",
        help="Show the details of one metric, also of FILE.py:NAME.",
        autocompletion=names_in("metrics"),
    ),
]


def metrics(name: _Name = None) -> None:
    """List the metrics with their units and formulas, or show the details of one."""
    from echelon.metrics import METRIC, METRICS

    if name is not None:
        _describe(name)
        return
    show(
        "Metrics of a schedule, which are the keys of metrics.json, with their units; 1 is a ratio:",
        "",
        facts((metric.name, f"{metric.unit}: {metric.formula}") for metric in METRICS),
        "",
        *of_packages(METRIC),
        "Details of one: echelon metrics NAME. Your own: run and compare with --metric FILE.py:NAME",
    )


def _describe(name: str) -> None:
    from echelon.metrics import METRIC
    from echelon.rules import parameters

    metric = METRIC.parse(name)
    rows = [
        ("unit", "1, a ratio" if metric.unit == "1" else metric.unit),
        ("formula", metric.formula),
        ("good is", metric.better or "neither end"),
        ("source", metric.source),
    ]
    show(metric.name, "", facts(rows))
    if parameters(metric):
        show("", *about(metric, METRIC))
