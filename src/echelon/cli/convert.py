"""``echelon convert``: from one format to another, changed on the way if asked for."""

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from echelon.cli.options import shared as options
from echelon.cli.options.setting_options import with_setting_options

if TYPE_CHECKING:
    from collections.abc import Iterable

    from echelon.experiments.settings.setting import Setting
    from echelon.model import Workload

_Out = Annotated[
    Path,
    typer.Argument(metavar="OUT", help="The file to write; an ending .gz compresses. - is standard output."),
]
_From = Annotated[
    str | None, typer.Option("--from", metavar="NAME", help="Format of WORKLOAD. Default: by its ending.")
]
_To = Annotated[str | None, typer.Option(metavar="NAME", help="Format of OUT. Default: by its ending.")]


def _changes() -> "Iterable[Setting]":
    from echelon.experiments.settings.changes import OF_FILES

    return OF_FILES


@with_setting_options(_changes)
def convert(
    source: options.Source,
    out: _Out,
    *,
    from_: _From = None,
    to: _To = None,
    seed: options.Seed = None,
    quiet: options.Quiet = False,
    **changes: Any,  # noqa: ANN401  (as declared)
) -> None:
    """Write WORKLOAD to OUT, in another format or with other jobs; changes are made in the order listed."""
    from echelon.cli.running import policy_output_apart
    from echelon.cli.terminal import progress
    from echelon.experiments import change_jobs
    from echelon.workloads import read_workload, transform, write_workload
    from echelon.workloads.formats.known_formats import format_named, format_to_write

    # Asked first, so that nobody waits for a log only to hear that it cannot be written.
    target = format_to_write(str(out)) if to is None else format_named(to)
    with progress(quiet=quiet) as step:
        read = read_workload(source, format=from_, progress=step(f"reading {source}"))
    written = change_jobs(read, **changes, seed=seed or 0)
    if target.name == "irmasim" and written.demands is None:
        written = transform.with_tasks(written)
    write_workload(written, out, format=target.name)
    if not quiet:
        # What is written to standard output is the workload and nothing else.
        with policy_output_apart() if str(out) == "-" else nullcontext():
            _tell(read, written, out, target.name)


def _tell(read: "Workload", written: "Workload", out: Path, format: str) -> None:  # noqa: A002
    from echelon.cli.terminal import show
    from echelon.experiments.summaries.conversion import losses
    from echelon.workloads import read_workload
    from echelon.workloads.transform import transformations

    lines = [f"{len(written):,} of {len(read):,} jobs of {read.name} written to {out} as {format}."]
    lines += [f"Changed: {sentence}." for sentence in transformations(written)[len(transformations(read)) :]]
    if str(out) == "-":
        lines[0] = f"{len(written):,} of {len(read):,} jobs of {read.name} written as {format}."
    elif not out.is_file():
        lines.append("What the format could not hold is not known: the file cannot be read back.")
    elif lost := losses(written, read_workload(out, format=format)):
        lines += [f"Lost: {sentence}." for sentence in lost]
    else:
        lines.append("Nothing was lost: read back, it is the same.")
    show(*lines)
