"""``echelon merge``: merge the logs of several sites into the workload of a grid, one file per week."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from echelon.cli.options import shared as options

if TYPE_CHECKING:
    from echelon.workloads.grid import Contribution, GridWorkload

_Logs = Annotated[
    list[str],
    typer.Argument(
        metavar="LOG[#PARTITION][@SITE[:PROCESSORS]]...",
        help="WORKLOADs with their sites, or one of grid1, grid2, grid3.",
    ),
]
_Name = Annotated[
    str | None, typer.Option(metavar="NAME", help="Name of the grid and of its files. Default: grid.")
]
_Days = Annotated[
    str | None, typer.Option(metavar="DAYS", help="Weekdays of each week. Default: mon-fri, or the grid's.")
]
_Weeks = Annotated[int | None, typer.Option(metavar="N", help="Number of weekly experiments. Default: 30.")]
_FirstWeek = Annotated[
    int | None, typer.Option(metavar="K", help="Start with full week K of every log. Default: 1.")
]
_TimeZone = Annotated[
    str | None,
    typer.Option(metavar="ZONE", help="Time zone of the grid's clock. Default: America/Los_Angeles."),
]
_Hours = Annotated[
    str | None,
    typer.Option(
        metavar="converted|own",
        help="Read times by the clock of the grid (default), or by the clock of each log's site.",
    ),
]
_Filters = Annotated[
    str | None,
    typer.Option(
        metavar="known|literal|completed|none",
        help="Drop jobs that lack a field that the log has otherwise (default); also jobs that failed or "
        "were canceled (completed); jobs that lack any field (literal); or no job (none).",
    ),
]
_Sizes = Annotated[
    str | None,
    typer.Option(
        metavar="allocated|requested",
        help="Which number of processors counts if both are known. Default: the first.",
    ),
]
_Largest = Annotated[int | None, typer.Option(metavar="N", help="Keep only jobs of at most N processors.")]
_RunTimes = Annotated[
    float | None,
    typer.Option(
        metavar="FACTOR", help="Multiply run times and requested times, to change the load. Default: 1."
    ),
]
_ShortLogs = Annotated[
    str | None,
    typer.Option(
        metavar="refuse|wrap|leave-out",
        help="If a log has too few weeks: stop with an error (default), start it again, or take no more jobs "
        "of it.",
    ),
]
_StandIns = Annotated[
    str | None,
    typer.Option(
        metavar="refuse|lublin",
        help="If a log is missing: stop with an error (default), or use jobs of a model instead.",
    ),
]
_To = Annotated[
    str,
    typer.Option(
        metavar="ENDING", help="Format of the files: swf, swf.gz, csv, parquet ... Default: swf.gz."
    ),
]


def merge(
    logs: _Logs,
    *,
    name: _Name = None,
    days: _Days = None,
    weeks: _Weeks = None,
    first_week: _FirstWeek = None,
    time_zone: _TimeZone = None,
    hours: _Hours = None,
    filters: _Filters = None,
    sizes: _Sizes = None,
    largest: _Largest = None,
    run_times: _RunTimes = None,
    short_logs: _ShortLogs = None,
    stand_ins: _StandIns = None,
    seed: options.Seed = None,
    to: _To = "swf.gz",
    out: options.Out = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Merge the LOGs of several sites into weekly workloads of a grid, each job with its home site.

    Week k of the grid consists of week k of every log, aligned by weekday and hour; years are ignored.
    """
    from echelon.cli.terminal import progress, show_json
    from echelon.platforms import write_platform
    from echelon.workloads.grid import grid_workload, recipe_of, write_weeks

    given = {
        "name": name,
        "days": days,
        "weeks": weeks,
        "first_week": first_week,
        "time_zone": time_zone,
        "hours": hours,
        "filters": filters,
        "sizes": sizes,
        "largest": largest,
        "run_times": run_times,
        "short_logs": short_logs,
        "stand_ins": stand_ins,
        "seed": seed,
    }
    changes = {field: value for field, value in given.items() if value is not None}
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
    from echelon.cli.terminal import facts, show
    from echelon.cli.terminal import grid as table
    from echelon.quantities import counted

    heads = ("Site", "Processors", "Log", "Jobs", "Dropped", "Given", "A week", "First week")
    show(
        f"{grid.name}: {len(grid.jobs):,} jobs in {counted(len(grid), 'week')} of {grid.recipe.days}, "
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
