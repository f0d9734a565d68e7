"""``echelon metrics``: what is measured of every schedule."""

from typing import Annotated

import typer

_Name = Annotated[
    str | None, typer.Argument(metavar="[NAME]", help="A metric, or FILE.py:NAME, to be told all about it.")
]

_GOOD = {"low": "low values are good", "high": "high values are good", None: "neither end is good"}


def metrics(name: _Name = None) -> None:
    """List the metrics with their units and formulas, or say all about one."""
    from echelon.cli.terminal import facts, show
    from echelon.metrics import METRICS

    if name is not None:
        _describe(name)
        return
    show(
        "Metrics of a schedule, the keys of metrics.json, each with its unit; 1 is a ratio:",
        "",
        facts((metric.name, f"{metric.unit}: {metric.formula}") for metric in METRICS),
        "",
        "All about one: echelon metrics NAME. Your own: run and compare with --metric FILE.py:NAME",
    )


def _describe(name: str) -> None:
    from echelon.cli.terminal import facts, show
    from echelon.metrics import metric_in_file, metric_named
    from echelon.user_file import is_in_file

    metric = metric_in_file(name) if is_in_file(name) else metric_named(name)
    rows = [
        ("unit", "1, a ratio" if metric.unit == "1" else metric.unit),
        ("formula", metric.formula),
        ("good is", metric.better or "neither end"),
        ("source", metric.source),
    ]
    show(metric.name, "", facts(rows))
