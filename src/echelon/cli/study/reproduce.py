"""``echelon reproduce``: run a published study again and compare its figures with the printed ones."""

import math
from typing import TYPE_CHECKING, Annotated

import typer

from echelon.cli.options import shared_options as options
from echelon.cli.terminal import facts, grid, progress, show, show_json
from echelon.errors import InputError
from echelon.quantities import figure

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rich.table import Table

    from echelon.reproduce import Claim, Figure, Listing, PrintedRow, PrintedTable, Reproduction, Study
    from echelon.reproduce.last_verdict import LastVerdict


def _names() -> list[str]:
    """Return the names of the studies, for completion in a shell."""
    from echelon.reproduce import STUDIES

    return [*STUDIES, "all"]


_Name = Annotated[
    str | None,
    typer.Argument(
        metavar="[NAME]",
        help="A study, or all for all studies. Default: list the studies.",
        autocompletion=_names,
    ),
]

_Weeks = Annotated[
    int | None,
    typer.Option("--weeks", metavar="N", help="Number of experiments, for a study with weekly experiments."),
]
_Quick = Annotated[
    bool, typer.Option("--quick", help="Run only a few experiments, if the study supports it.")
]
_Seeds = Annotated[
    int | None,
    typer.Option("--seeds", metavar="N", help="Number of random repetitions, for a study with random draws."),
]
_Speed = Annotated[
    bool,
    typer.Option(
        "--speed", help="Measure the speed on a large multicluster instead, if the study supports it."
    ),
]
_StandIns = Annotated[
    bool,
    typer.Option(
        "--stand-ins", help="Use jobs of a model instead of missing logs, if the study supports it."
    ),
]

_MARKS = {"agrees": "as printed", "explained": "explained", "differs": "DIFFERS"}


def reproduce(
    context: typer.Context,
    name: _Name = None,
    *,
    weeks: _Weeks = None,
    quick: _Quick = False,
    seeds: _Seeds = None,
    speed: _Speed = False,
    stand_ins: _StandIns = False,
    out: options.Out = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Reproduce a published study and compare our figures with the printed ones.

    The exit code is 1 if a figure differs in a study that can be reproduced to the digit.
    """
    from echelon.cli.run_steps import compiling
    from echelon.experiments.folders.manifest import versions
    from echelon.experiments.folders.results_folder import refuse_mixing
    from echelon.extras import MATPLOTLIB
    from echelon.reproduce import study_named
    from echelon.reproduce.last_verdict import run_timed

    settings = {
        "weeks": weeks,
        "quick": quick or None,
        "seeds": seeds,
        "speed": speed or None,
        "stand_ins": stand_ins or None,
    }
    run = {"command": context.obj["command"], "versions": versions()}
    if name is None:
        if out is not None or json:
            raise InputError("needs the name of a study", field="--json" if json else "--out")
        _list()
        return
    if name.lower() == "all":
        _all(out, settings, run, json=json, quiet=quiet)
        return
    study = study_named(name)
    if out is not None:
        refuse_mixing(out, "reproduction")
        MATPLOTLIB.load()  # The report has figures, so it is written last.
    with progress(quiet=quiet) as step, compiling(None, quiet=quiet):
        reproduction, _ = run_timed(study, step, settings)
    written = _write(reproduction, out, run)
    _show(reproduction, run, written, json=json, quiet=quiet)
    if study.to_the_digit and not reproduction.agrees:
        raise typer.Exit(1)


def _all(
    out: object, settings: "Mapping[str, object]", run: dict[str, object], *, json: bool, quiet: bool
) -> None:
    from echelon.cli.study.reproduce_all import reproduce_all

    if out is None:
        raise InputError("needs a folder for the report on all studies: --out DIR", field="--out")
    if settings["speed"]:
        raise InputError(
            "is for one study at a time: echelon reproduce multicluster --speed", field="--speed"
        )
    reproduce_all(str(out), {**settings, "speed": None}, run, json=json, quiet=quiet)


def _list() -> None:
    from echelon.reproduce import STUDIES
    from echelon.reproduce.last_verdict import last_verdicts

    last = last_verdicts()
    rows = [(study.name, _last_outcome(study, last.get(study.name))) for study in STUDIES.values()]
    show(
        "Reproduced studies. Run one: echelon reproduce NAME; run all: echelon reproduce all --out DIR",
        "",
        facts(rows),
    )


def _last_outcome(study: "Study", last: "LastVerdict | None") -> str:
    """Return the entry of a study in the list."""
    verdict = "not run here yet"
    if last is not None:
        how = "".join(f", {name}={value}" for name, value in last.settings.items())
        verdict = f"{last.date}, {last.seconds:,.0f} s{how}: {last.verdict}"
    return (
        f"{study.title}\nSource: {study.source}\nNeeds: {study.needs}\n"
        f"Takes: {study.takes or 'not measured'} on two cores\nLast verdict: {verdict}\n"
    )


def _write(reproduction: "Reproduction", out: object, run: dict[str, object]) -> list[str]:
    if out is None:
        return []
    from echelon.reproduce.report.folders import write_reproduction

    return [str(path) for path in write_reproduction(reproduction, str(out), run)]


def _show(
    reproduction: "Reproduction", run: dict[str, object], written: list[str], *, json: bool, quiet: bool
) -> None:
    if json:
        show_json({**reproduction.to_dict(), **run, "files": written})
    elif not quiet:
        show(reproduction.study.title, f"Source: {reproduction.study.source}", *_parts(reproduction))
        if written:
            show("", f"{len(written)} files written.", f"Look at {written[-1]}")


def _parts(reproduction: "Reproduction") -> "Iterable[str | Table]":
    from echelon.reproduce.machinery.figure import explanations

    if reproduction.printed:
        yield from ("", "Printed figures and ours:", _figures(reproduction.printed))
        yield from (*explanations(reproduction.printed), "")
    for table in reproduction.tables:
        yield from _printed_table(table)
    for listing in reproduction.listings:
        yield from ("", f"{listing.title}:", _listing(listing), listing.note)
    for sample in reproduction.samples:
        rows = len(sample.printed)
        same = rows - len(sample.differing)
        yield f"{sample.title}, {sample.where}: {same} of {rows} rows are as printed, in every column."
    yield from _count_independent(reproduction.independent)
    if reproduction.charts:
        yield from ("", "All policies, by the study's metrics:", _policies(reproduction))
    if reproduction.claims:
        yield from ("Claims of the study:", "", facts(map(_claim, reproduction.claims)))
    yield from (*(f"Note: {note}" for note in reproduction.notes), "", reproduction.verdict)
    if reproduction.conclusion:
        yield f"Conclusion: {reproduction.conclusion}"


def _figures(figures: "Sequence[Figure]") -> "str | Table":
    rows = [
        (
            one.subject,
            one.quantity.label,
            one.printed,
            one.ours,
            one.quantity.unit,
            _MARKS[one.agreement],
            one.where,
        )
        for one in figures
    ]
    return grid(("Of", "Quantity", "Printed", "Ours", "Unit", "", "Where"), rows, numbers=(2, 3))


def _printed_table(table: "PrintedTable") -> "Iterable[str | Table]":
    from echelon.reproduce.machinery.figure import explanations

    beside = "printed above ours" if table.figures else "as printed"
    yield from ("", f"{table.title} ({table.where}); {beside}:")
    rows = [line for row in table.rows if row.got is not None for line in _two_lines(table, row)]
    if not table.figures:
        rows = [(*row.labels, "", *row.printed, "") for row in table.rows]
    if rows:
        heads = (*table.heads, "", *table.columns, "tau")
        yield grid(heads, rows, numbers=range(len(table.heads) + 1, len(heads)))
    if table.figures:
        same = sum(figure.agreement == "agrees" for figure in table.counted)
        apart = len(table.figures) - len(table.counted)
        yield f"{same} of {len(table.counted)} as printed" + (f"; {apart} not counted." if apart else ".")
    yield from explanations(table.figures)
    yield from (f"Not testable: {reason}." for reason in table.untested)


def _two_lines(table: "PrintedTable", row: "PrintedRow") -> "Iterable[tuple[str, ...]]":
    """Yield the printed and our figures of a row, with the rank correlation of their orders."""
    order = row.agreement
    tau = "" if order is None or math.isnan(order.kendall) else f"{order.kendall:.2f}"
    yield (*row.labels, "printed", *row.printed, "")
    ours = ("" if one is None else one.ours for one in table.cells(row))
    yield (*("" for _ in row.labels), "ours", *ours, tau)


def _listing(listing: "Listing") -> "str | Table":
    rows = [tuple(cell if isinstance(cell, str) else figure(cell) for cell in row) for row in listing.rows]
    return grid(listing.heads, rows, numbers=range(listing.labels, len(listing.heads)))


def _count_independent(figures: "Sequence[Figure]") -> "Iterable[str | Table]":
    if not figures:
        return
    counted = [figure for figure in figures if figure.apart is None]
    same = sum(figure.agreement != "differs" for figure in counted)
    yield f"Figures of an independent program by the same definitions: {same} of {len(counted)} agree."
    if len(counted) < len(figures):
        yield f"{len(figures) - len(counted)} more are not counted: their input was derived from them."
    if differing := [figure for figure in figures if figure.agreement == "differs"]:
        yield _figures(differing)


def _policies(reproduction: "Reproduction") -> "str | Table":
    heads = [f"{chart.quantity.label}\n{chart.quantity.unit}" for chart in reproduction.charts]
    families = reproduction.charts[0].bars
    rows = [
        (f"{family}-{name}", *(f"{chart.bars[family][name]:,.4f}" for chart in reproduction.charts))
        for family, bars in families.items()
        for name in bars
    ]
    return grid(("Policy", *heads), rows, numbers=range(1, len(heads) + 1))


def _claim(claim: "Claim") -> tuple[str, str]:
    headline = f"{claim.verdict.upper()}: {claim.text} ({claim.where})"
    return claim.name, f"{headline}\n{claim.finding}\n"
