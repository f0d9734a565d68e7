"""``echelon study``: run many simulations that one file describes."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from echelon.cli.options import shared_options as options
from echelon.cli.options.repetition import OnceCommand
from echelon.cli.study import report as study_report
from echelon.cli.study import run as study_run
from echelon.cli.study import show as study_show
from echelon.cli.study import table as study_table
from echelon.cli.study.options import StudyFile, read_design
from echelon.cli.terminal import facts, grid, show, show_json
from echelon.errors import InputError
from echelon.quantities import duration, quantity, tally

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from echelon.experiments.study.plan.study import Study
    from echelon.experiments.study.run.case import Case

study = typer.Typer(
    name="study",
    rich_markup_mode=None,
    help="Run many simulations that one file describes, in parallel; resume after a stop; compare results.",
)

_Most = Annotated[
    int | None,
    typer.Option("--max", min=1, metavar="N", help="Most runs that a study may have. Default: 1,000,000."),
]
_List = Annotated[bool, typer.Option("--list", help="List every case, not only the first ones.")]
_NewFile = Annotated[
    Path,
    typer.Argument(metavar="[FILE]", help="The file to write; it must not exist. - is standard output."),
]

_FEW = 6
"""The number of cases that are listed by default."""


study.callback(invoke_without_command=True)(options.show_help)

for command in (
    *(study_run.run, study_show.show, study_report.report),
    *(study_table.table, study_table.export),
):
    study.command(cls=OnceCommand)(command)


@study.command(cls=OnceCommand)
def check(file: StudyFile, *, most: _Most = None, list_: _List = False, json: options.Json = False) -> None:
    """Check a study file: show its axes, runs, jobs and disk space without running anything.

    All errors in the file are reported at once. Logs are read; nothing is downloaded.
    """
    from echelon.experiments.study.plan.expansion import expansion
    from echelon.experiments.study.plan.log_blocks import block_counts

    design = read_design(file, most)
    cases, certain = _cases(design)
    size = expansion(cases, len(cases) if certain else design.search.size)
    blocks = None if design.blocks is None else block_counts(cases, design.blocks)
    if json:
        document = {
            "name": design.name,
            "search": design.search.kind,
            "runs": size.runs,
            "points": size.points,
        }
        document |= {"without_chance": certain, "blocks": blocks}
        document |= {"workloads": size.workloads, "jobs": size.jobs, "empty": size.empty, "bytes": size.bytes}
        show_json(
            {**document, "cases": [{"settings": case.settings, "labels": case.labels} for case in cases]}
        )
        return
    rows = [
        (
            "Runs",
            f"{size.runs:,}: {tally(size.points, 'combination')}, {_search(design, certain == size.points)}",
        ),
        ("", _certainty_sentence(certain, size.points, len(design.seeds))),
        *_axes(design, blocks, is_certain=certain == size.points),
        ("Workloads", f"{size.workloads:,} different" + (", at first" if size.runs > len(cases) else "")),
        ("Jobs", "unknown until a log is downloaded" if size.jobs is None else f"{size.jobs:,} in all runs"),
        ("", f"{tally(size.empty, 'run')} will fail: no job is left" if size.empty else None),
        ("Results", None if size.bytes is None else f"about {quantity(size.bytes, 'B')}"),
    ]
    show(design.name, *([design.description] if design.description else []), "", facts(rows))
    order = [*(axis.name for axis in design.axes), "case"]
    _show_cases(cases, order, len(cases) if list_ else _FEW, is_all=size.runs <= len(cases))


@study.command(cls=OnceCommand)
def schema() -> None:
    """Print the JSON Schema of study files, with which editors complete names and mark mistakes.

    A study file refers to it in its first line, #:schema FILE_OR_URL.
    """
    from echelon.experiments.study.file.schema import study_schema

    show_json(study_schema())


@study.command(cls=OnceCommand)
def init(file: _NewFile = Path("study.toml")) -> None:
    """Write an example study file with comments on what it may contain."""
    from echelon.experiments.study.file.example import EXAMPLE
    from echelon.workloads.files.atomic import write_problem

    if str(file) == "-":
        show(EXAMPLE.removesuffix("\n"))
        return
    try:
        with file.open("x", encoding="utf-8") as written:
            written.write(EXAMPLE)
    except FileExistsError as error:
        raise InputError("exists already and is not overwritten", file=str(file)) from error
    except OSError as error:
        raise InputError(f"cannot be written: {write_problem(error)}", file=str(file)) from error
    show(f"Written to {file}; check it: echelon study check {file}")


def _cases(study: "Study") -> "tuple[Sequence[Case], int]":
    """Return the cases to run, as far as known, and the number of combinations without randomness."""
    from echelon.experiments.study.plan.rehearsal import freedom
    from echelon.experiments.study.plan.search import AllCases

    search = study.search
    if not isinstance(search, AllCases) or len(search.seeds) < 2:
        return search.first(), 0
    is_free = freedom()
    return search.plan(is_free), sum(map(is_free, search.points))


def _certainty_sentence(certain: int, points: int, seeds: int) -> str | None:
    """Return a note on combinations that run once despite several seeds; None if there are none."""
    if not certain:
        return None
    if certain == points:
        return f"no randomness: one run instead of {seeds}, without intervals; see blocks and shake"
    which = "1 of them has" if certain == 1 else f"{certain:,} of them have"
    return f"{which} one run instead of {seeds}: no randomness"


def _search(study: "Study", is_certain: bool) -> str:
    seeds = f"each with {tally(len(study.seeds), 'seed')}" if study.seeds else "each once"
    if study.shake is not None:
        seeds = f"each with {len(study.seeds):,} copies of its log, shaken by up to {study.shake} s"
    if is_certain:
        seeds = "each once"
    if study.blocks is not None:
        seeds += f" and cut into blocks of {duration(study.blocks)}"
    if study.search.kind == "successive-halving":
        return "of which the best get more and more runs (successive-halving)"
    return f"{seeds} ({study.search.kind})"


def _axes(study: "Study", blocks: "Sequence[int] | None", *, is_certain: bool) -> "Iterable[tuple[str, str]]":
    """Yield each axis and its values."""
    from echelon.experiments.study.file.axis import Range
    from echelon.experiments.study.file.template import format_value

    for axis in study.axes:
        if isinstance(axis, Range):
            how = ", by logarithms" if axis.log else ""
            yield f"  {axis.name}", f"{format_value(axis.low)} to {format_value(axis.high)}{how}"
        else:
            yield f"  {axis.name}", ", ".join(value.label for value in axis.values)
    if study.seeds and not is_certain:
        yield "  seed", _numbers(study.seeds)
    if blocks:
        counts = sorted(set(blocks))
        yield "  block", f"{counts[0]:,}" + (f" to {counts[-1]:,}" if len(counts) > 1 else "") + " whole ones"


def _numbers(seeds: "Sequence[int]") -> str:
    """Return numbers as text; consecutive numbers as a range."""
    if len(seeds) > 2 and list(seeds) == list(range(seeds[0], seeds[0] + len(seeds))):
        return f"{seeds[0]} to {seeds[-1]}"
    return ", ".join(map(str, seeds))


def _show_cases(cases: "Sequence[Case]", order: "Sequence[str]", most: int, *, is_all: bool) -> None:
    """Show at most so many runs; unless they are all, further ones may be added later."""
    varied = dict.fromkeys(axis for case in cases for axis in case.labels)
    axes = [*(axis for axis in order if axis in varied), *(axis for axis in varied if axis not in order)]
    if not axes:
        return
    rows: list[tuple[str, ...]] = [tuple(case.labels.get(axis, "") for axis in axes) for case in cases[:most]]
    left = len(cases) - len(rows)
    more = f"and {left:,} more{'' if is_all else ' at first'}; --list shows all."
    show("", grid(axes, rows), *([more] if left else []))
