"""``echelon convert``: convert a workload to another format, with changes if asked for."""

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from echelon.cli.options import shared_options as options
from echelon.cli.options.setting_options import with_setting_options
from echelon.cli.terminal import progress, show
from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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
    timezone: options.TimeZone = None,
    seed: options.Seed = None,
    quiet: options.Quiet = False,
    **changes: Any,  # noqa: ANN401  (as declared)
) -> None:
    """Convert WORKLOAD to OUT: another format, changed or fewer jobs.

    Changes apply in the order of the options.
    """
    from echelon.cli.run_steps import policy_output_apart
    from echelon.experiments import change_jobs
    from echelon.workloads import read_workload, transform, write_workload
    from echelon.workloads.formats.known_formats import format_named, format_to_write

    # Checked first, so that no user waits for a log to be read before an error about writing it.
    target = format_to_write(str(out)) if to is None else format_named(to)
    with progress(quiet=quiet) as step:
        read = read_workload(source, format=from_, timezone=timezone, progress=step(f"reading {source}"))
    written = change_jobs(read, **changes, seed=seed or 0)
    if not len(written):
        # Every format refuses a file without a job.
        raise InputError(f"no job is left to write: {'; '.join(_changes_of(read, written))}", file=read.name)
    if target.name == "irmasim" and written.demands is None:
        written = transform.with_tasks(written)
    write_workload(written, out, format=target.name)
    if not quiet:
        # Standard output receives the workload and nothing else.
        with policy_output_apart() if str(out) == "-" else nullcontext():
            _show_outcome(read, written, out, target.name)


def _changes_of(read: "Workload", written: "Workload") -> "Sequence[str]":
    """Return a sentence for each change that was made to what was read."""
    from echelon.workloads.transform import transformations

    return transformations(written)[len(transformations(read)) :]


def _show_outcome(read: "Workload", written: "Workload", out: Path, format: str) -> None:  # noqa: A002
    from echelon.experiments.summaries.conversion import losses
    from echelon.workloads import read_workload

    lines = [f"{len(written):,} of {len(read):,} jobs of {read.name} written to {out} as {format}."]
    lines += [f"Changed: {sentence}." for sentence in _changes_of(read, written)]
    if str(out) == "-":
        lines[0] = f"{len(written):,} of {len(read):,} jobs of {read.name} written as {format}."
    elif not out.is_file():
        lines.append("What was lost is unknown: the file cannot be read back.")
    elif lost := losses(written, read_workload(out, format=format)):
        lines += [f"Lost: {sentence}." for sentence in lost]
    else:
        lines.append("Nothing was lost: the file was read back and is the same.")
    show(*lines)
