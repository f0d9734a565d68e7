"""``echelon convert``: convert a workload to another format, with changes if asked for."""

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from echelon.cli.options import shared as options

if TYPE_CHECKING:
    from collections.abc import Callable

    from echelon.model import Workload

_Out = Annotated[
    Path,
    typer.Argument(metavar="OUT", help="The file to write; an ending .gz compresses. - is standard output."),
]
_From = Annotated[
    str | None, typer.Option("--from", metavar="NAME", help="Format of WORKLOAD. Default: by its ending.")
]
_To = Annotated[str | None, typer.Option(metavar="NAME", help="Format of OUT. Default: by its ending.")]
_DropInvalid = Annotated[
    bool, typer.Option("--drop-invalid", help="Drop jobs without a run time, a size or a submit time.")
]
_Start = Annotated[
    float | None, typer.Option(metavar="S", help="Only jobs submitted at S seconds of the log or later.")
]
_End = Annotated[
    float | None, typer.Option(metavar="S", help="Only jobs submitted before S seconds of the log.")
]
_First = Annotated[int | None, typer.Option(metavar="N", help="Only the first N jobs.")]
_Load = Annotated[
    float | None,
    typer.Option(metavar="F", help="Divide interarrival times by F, which multiplies the load by F."),
]
_Size = Annotated[int | None, typer.Option(metavar="N", help="Scale job sizes to a machine of N processors.")]
_OffLine = Annotated[
    bool, typer.Option("--off-line", help="Submit all jobs at second 0, in the order of their submit times.")
]
_Repair = Annotated[
    bool,
    typer.Option(
        "--repair-estimates",
        help="Raise a requested time that is missing or below the run time to the run time.",
    ),
]
_EstimatesModel = Annotated[
    str | None,
    typer.Option(
        metavar="MODEL",
        help="Draw requested times from a model, with --seed: popular, factor:f=3, multiple:factor=2.",
    ),
]
_DependenciesModel = Annotated[
    str | None,
    typer.Option(
        metavar="MODEL", help="Draw dependencies between jobs, with --seed: chains:share=0.5, layers:size=20."
    ),
]
_Sort = Annotated[bool, typer.Option("--sort", help="Sort jobs by submit time.")]
_Renumber = Annotated[bool, typer.Option("--renumber", help="Number the jobs 1, 2, 3 ...")]
_Tasks = Annotated[
    str | None,
    typer.Option(
        metavar="KIND",
        help="Give the jobs tasks: mpi (the default for workload.json), sequential or by-size:cores=16; "
        "parameters after a colon are speed=, ipc=, memory=, volume=, comm= and compute=.",
    ),
]


def convert(
    source: options.Source,
    out: _Out,
    *,
    from_: _From = None,
    to: _To = None,
    drop_invalid: _DropInvalid = False,
    window_start: _Start = None,
    window_end: _End = None,
    first: _First = None,
    scale_load: _Load = None,
    scale_size: _Size = None,
    off_line: _OffLine = False,
    repair_estimates: _Repair = False,
    estimates_model: _EstimatesModel = None,
    dependencies_model: _DependenciesModel = None,
    sort: _Sort = False,
    renumber: _Renumber = False,
    tasks: _Tasks = None,
    seed: options.Seed = None,
    quiet: options.Quiet = False,
) -> None:
    """Convert WORKLOAD to OUT: another format, changed or fewer jobs.

    Changes apply in the order of the options.
    """
    from echelon.cli.run_steps import policy_output_apart
    from echelon.cli.terminal import progress
    from echelon.workloads import read_workload, transform, write_workload
    from echelon.workloads.formats.known_formats import format_named, format_to_write

    # Checked first, so that no user waits for a log to be read before an error about writing it.
    target = format_to_write(str(out)) if to is None else format_named(to)
    with progress(quiet=quiet) as step:
        read = read_workload(source, format=from_, progress=step(f"reading {source}"))
    changes: list[tuple[bool, Callable[[Workload], Workload]]] = [
        (drop_invalid, transform.runnable),
        (
            window_start is not None or window_end is not None,
            lambda jobs: transform.window(jobs, start=window_start, end=window_end),
        ),
        (first is not None, lambda jobs: transform.head(jobs, first)),
        (scale_load is not None, lambda jobs: transform.scale_load(jobs, scale_load or 0)),
        (scale_size is not None, lambda jobs: transform.scale_size(jobs, scale_size or 0)),
        (off_line, transform.off_line),
        (repair_estimates, transform.repair_estimates),
        (
            estimates_model is not None,
            lambda jobs: transform.draw_estimates(jobs, estimates_model or "", seed=seed or 0),
        ),
        (
            dependencies_model is not None,
            lambda jobs: transform.draw_dependencies(jobs, dependencies_model or "", seed=seed or 0),
        ),
        (sort, transform.sort_by_submit),
        (renumber, transform.renumber),
    ]
    changed = read
    for wanted, change in changes:
        if wanted:
            changed = change(changed)
    if tasks is not None or (target.name == "irmasim" and changed.demands is None):
        changed = transform.with_tasks(changed, tasks or "mpi")
    write_workload(changed, out, format=target.name)
    if not quiet:
        # Standard output receives the workload and nothing else.
        with policy_output_apart() if str(out) == "-" else nullcontext():
            _show_outcome(read, changed, out, target.name)


def _show_outcome(read: "Workload", written: "Workload", out: Path, format: str) -> None:  # noqa: A002
    from echelon.cli.terminal import show
    from echelon.experiments.summaries.conversion import losses
    from echelon.workloads import read_workload
    from echelon.workloads.transform import transformations

    lines = [f"{len(written):,} of {len(read):,} jobs of {read.name} written to {out} as {format}."]
    lines += [f"Changed: {sentence}." for sentence in transformations(written)[len(transformations(read)) :]]
    if str(out) == "-":
        lines[0] = f"{len(written):,} of {len(read):,} jobs of {read.name} written as {format}."
    elif not out.is_file():
        lines.append("What was lost is unknown: the file cannot be read back.")
    elif lost := losses(written, read_workload(out, format=format)):
        lines += [f"Lost: {sentence}." for sentence in lost]
    else:
        lines.append("Nothing was lost: the file was read back and is the same.")
    show(*lines)
