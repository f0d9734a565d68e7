"""``echelon merge``: merge the logs of several sites into the workload of a grid, one file per week."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from echelon.cli.options import shared_options as options
from echelon.cli.options.setting_options import with_setting_options
from echelon.cli.terminal import facts, progress, show, show_json
from echelon.cli.terminal import grid as table
from echelon.quantities import tally

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.experiments.settings.setting import Setting
    from echelon.workloads.grid import Contribution, GridWorkload

_Logs = Annotated[
    list[str],
    typer.Argument(
        metavar="LOG[#PARTITION][@SITE[:PROCESSORS]]...",
        help="WORKLOADs with their sites, or one of grid1, grid2, grid3.",
        autocompletion=lambda: ["grid1", "grid2", "grid3", *options.workloads()],
    ),
]
_To = Annotated[
    str,
    typer.Option(
        metavar="ENDING", help="Format of the files: swf, swf.gz, csv, parquet ... Default: swf.gz."
    ),
]


def _fields() -> "Iterator[Setting]":
    from echelon.experiments.settings.setting import Setting
    from echelon.workloads.grid.spec import FIELDS

    for one in FIELDS:
        yield Setting(
            name=one.name,
            group="The grid and its weeks",
            types=(one.kind,),
            expected="",
            about="",
            help=one.help,
            metavar=one.metavar,
            offers=one.choices,
            option=one.option,
            earlier_option=f"--{one.name.replace('_', '-')}" if one.option else "",
        )


@with_setting_options(_fields)
def merge(
    logs: _Logs,
    *,
    to: _To = "swf.gz",
    out: options.Out = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
    **fields: Any,  # noqa: ANN401  (as declared)
) -> None:
    """Merge the LOGs of several sites into weekly workloads of a grid, each job with its home site.

    Week k of the grid consists of week k of every log, aligned by weekday and hour; years are ignored.
    """
    from echelon.platforms import write_platform
    from echelon.workloads.grid import grid_workload, recipe_of, write_weeks

    changes = {name: value for name, value in fields.items() if value is not None}
    with progress(quiet=quiet) as step:
        grid = grid_workload(recipe_of(logs), progress=step("reading the logs"), **changes)
        files = [] if out is None else write_weeks(grid, out, ending=to)
        if out is not None:
            files.append(write_platform(grid.platform, out / "platform.toml"))
    if json:
        show_json({**grid.summary(), "written": [str(file) for file in files]})
    elif not quiet:
        _show_grid(grid, files)


def _show_grid(grid: "GridWorkload", files: list[Path]) -> None:
    heads = ("Site", "Processors", "Log", "Jobs", "Dropped", "Given", "A week", "First week")
    show(
        f"{grid.name}: {len(grid.jobs):,} jobs in {tally(len(grid), 'week')} of {grid.recipe.days}, "
        f"{grid.platform.processors:,} processors",
        table(heads, map(_row, grid.contributions), numbers=(1, 3, 4, 5, 6)),
    )
    for one in grid.contributions:
        show(*(f"Dropped from {one.log}: {part.count:,} with {part.reason}." for part in one.dropped))
    if grid.jobs.oddities:
        show("", "Anomalies:", "", facts((one.kind, one.sentence) for one in grid.jobs.oddities))
    if files:
        first, last, *others = (file.name for file in (files[0], *files[-3:]))
        show("", f"Written to {files[0].parent}: {first} to {last}, {', '.join(others)}")
    else:
        show("", "Nothing was written: name a folder with --out DIR")


def _row(one: "Contribution") -> tuple[str, ...]:
    dropped = sum(part.count for part in one.dropped)
    few, most = int(one.by_week.min()), int(one.by_week.max())
    return (
        one.site,
        f"{one.processors:,}",
        one.log,
        f"{one.jobs:,}",
        f"{dropped:,}",
        f"{one.given:,}",
        f"{few:,} to {most:,}",
        one.begins,
    )
