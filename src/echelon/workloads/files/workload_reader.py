"""Reading and writing workloads: from a path, standard input or a data set's name, to a path."""

from __future__ import annotations

import difflib
import hashlib
import sys
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING

from echelon.errors import InputError
from echelon.user_file import is_file
from echelon.workloads.files import datasets
from echelon.workloads.files.atomic import replacing
from echelon.workloads.files.bounded_reading import Content, take
from echelon.workloads.files.compression import compress
from echelon.workloads.formats import swf
from echelon.workloads.formats.known_formats import format_named, format_of, format_to_write, formats_ending

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.model import Workload
    from echelon.workloads.files.datasets import Progress
    from echelon.workloads.formats.format import Format

STANDARD_INPUT = STANDARD_OUTPUT = "-"
_HEAD = 4096


def read_workload(
    source: str | Path,
    *,
    format: str | None = None,  # noqa: A002
    timezone: str | None = None,
    progress: Progress | None = None,
) -> Workload:
    """Return the jobs of a file, of standard input or of a named data set.

    Parameters
    ----------
    source : str or Path
        A path (any format, each also gzipped), ``"-"`` for standard input, a data set's name such as
        ``"kth-sp2"``, a model with its settings such as ``"lublin:jobs=5000,seed=1"``, as in `generate`, or
        a week of a grid such as ``"grid1:week=3"``. A file of that name comes first.
    format : str, optional
        The format's name. Default: by the file's ending, else by its first bytes.
    timezone : str, optional
        Zone of the log's clock, a name of the tz database such as ``"Europe/Madrid"``: in it dates without
        an offset are read, and dates are shown. Default: the log's own, else UTC.
    progress : callable (bytes_done: int, bytes_total: int or None) -> None, optional
        Called while a data set is downloaded.

    Returns
    -------
    Workload
        With the SHA-256 of the bytes as found as its digest; that of the SWF file it would be, if it was
        generated or merged.

    Raises
    ------
    InputError
        If there is no such file or data set, it cannot be read or fetched, is endless or larger than memory
        (see `echelon.workloads.files.bounded_reading.take`), or is not what its format demands.
        With `timezone` also if no date is known, as the log does not say when it began.
    UnknownNameError
        If `format` or `timezone` names none.
    """
    if timezone is not None:
        from echelon.model.jobs.time_zone import zone_named

        zone_named(timezone)  # before a log is read or fetched
    return on_clock(_read(source, format, timezone, progress), timezone)


def on_clock(workload: Workload, timezone: str | None) -> Workload:
    """Return `workload` with dates on the clock of a zone, by its name; None: as they are.

    Raises
    ------
    InputError
        If the log does not say when it began, so that it has no dates.
    """
    header = workload.header
    if timezone is None or header.time_zone == timezone:
        return workload
    if header.unix_start_time is None:
        raise InputError(
            "does not say when it began (UnixStartTime), so it has no dates; leave the time zone out",
            file=workload.file or workload.name,
            field="timezone",
        )
    return replace(workload, header=header.with_value("TimeZoneString", timezone))


def _read(
    source: str | Path,
    format: str | None,  # noqa: A002
    timezone: str | None,
    progress: Progress | None,
) -> Workload:
    """Return the jobs of `source`; see `read_workload`."""
    chosen = None if format is None else format_named(format)
    if source == STANDARD_INPUT:
        shown = title = "standard input"
        content, read = _take_content(_standard_input(), shown, shown, chosen)
    elif chosen is None and (jobs := _make_jobs(str(source), progress)) is not None:
        return jobs
    else:
        path, title = _locate(source, progress)
        shown = str(source)
        with _open_file(path, shown) as file:
            content, read = _take_content(file, shown, str(path), chosen)
    # A file's name may hold bytes that are not text.
    name = title.encode("utf-8", "replace").decode()
    return replace(read.parse(content.data, shown, timezone), name=name, digest=content.digest, file=shown)


def _take_content(file: IO[bytes], shown: str, named: str, chosen: Format | None) -> tuple[Content, Format]:
    """Return what `file` gives and its format: the one chosen, else by the name or the first bytes."""

    def recognize(head: bytes) -> Format:
        return format_of(named, head[:_HEAD]) if chosen is None else chosen

    content = take(file, shown, name=named, recognize=recognize)
    if not content.data:
        raise InputError("is empty, expected a workload", file=shown)
    return content, recognize(content.data)


def write_workload(workload: Workload, path: str | Path, *, format: str | None = None) -> None:  # noqa: A002
    """Write `workload` to `path`, whole or not at all.

    Parameters
    ----------
    workload : Workload
        Any.
    path : str or Path
        An ending ``.gz`` compresses. An existing file is replaced in one step at the end. ``"-"`` is
        standard output, and needs a format.
    format : str, optional
        The format's name. Default: by the file's ending.

    Raises
    ------
    InputError
        If the ending names no format that can be written, the format cannot hold the workload, or `path`
        cannot be written.
    UnknownNameError
        If `format` is none.
    """
    chosen = format_to_write(str(path)) if format is None else format_named(format)
    if chosen.write is None:
        raise InputError(f"format {chosen.name!r} can only be read", file=str(path))
    content = chosen.write(workload)
    if str(path) == STANDARD_OUTPUT:
        sys.stdout.buffer.write(content)
        return
    with replacing(path) as file:
        file.write(compress(content) if str(path).lower().endswith(".gz") else content)


def read_swf(source: str | Path) -> Workload:
    """Return the jobs of a file in the Standard Workload Format, whatever its name; see `read_workload`."""
    return read_workload(source, format="swf")


def write_swf(workload: Workload, path: str | Path) -> None:
    """Write `workload` in the Standard Workload Format, whatever the name; see `write_workload`."""
    write_workload(workload, path, format="swf")


def _make_jobs(source: str, progress: Progress | None) -> Workload | None:
    """Return the jobs of the spec of a model or a grid, or None if `source` is not one or is a file."""
    if source.lower() in datasets.DATASETS or is_file(source):
        return None
    from echelon.workloads.grid.spec import grid_jobs, names_grid
    from echelon.workloads.synthetic.generation import generate, names_model

    if names_model(source):
        jobs = generate(source)
    elif names_grid(source):
        jobs = grid_jobs(source, progress=progress)
    else:
        return None
    return replace(jobs, digest=hashlib.sha256(swf.write(jobs)).hexdigest())


def _standard_input() -> IO[bytes]:
    # Python has no sys.stdin where the shell closed it (`<&-`).
    if sys.stdin is None:
        raise InputError("is closed, expected a workload", file="standard input")
    return sys.stdin.buffer


def _locate(source: str | Path, progress: Progress | None) -> tuple[Path, str]:
    """Return the file that `source` means, and a title for its jobs."""
    path = Path(source)
    named = str(source).lower()
    if named in datasets.DATASETS and not path.is_file():
        return datasets.fetch(named, progress=progress), named
    return path, _title(path)


def title_of(source: Workload | str | Path) -> str:
    """Return what tables call a workload: its name, that of its file without the ending, or its spec.

    Parameters
    ----------
    source : Workload, str or Path
        Jobs, or what `read_workload` takes.
    """
    if isinstance(source, str | Path):
        return _title(Path(source)) if is_file(str(source)) else str(source)
    return source.name


def _title(path: Path) -> str:
    """Return the file's name without what only tells its format."""
    name = path.name[:-3] if path.name.lower().endswith(".gz") else path.name
    for candidate in formats_ending(name):
        for suffix in candidate.suffixes:
            if name.lower().endswith(suffix):
                return name[: -len(suffix)] or name
    return name


@contextmanager
def _open_file(path: Path, shown: str) -> Iterator[IO[bytes]]:
    """Open a file of jobs; what keeps it from being read is reported in one sentence."""
    try:
        with path.open("rb") as file:
            yield file
    except InputError:
        raise
    except FileNotFoundError as error:
        raise InputError(f"no such file or data set; {nearest_source(path)}", file=shown) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        why = "is a folder" if isinstance(error, IsADirectoryError) else f"cannot be read ({reason})"
        raise InputError(f"{why}, expected a file of jobs", file=shown) from error


def nearest_source(path: Path) -> str:
    """Return a hint: the nearest name among the folder's files, the data sets and the models."""
    from echelon.workloads.families import MODEL

    try:
        files = [entry.name for entry in path.parent.iterdir()]
    except OSError:
        return f"there is no folder {str(path.parent)!r} either"
    if near := difflib.get_close_matches(path.name, [*files, *datasets.DATASETS, *MODEL.spellings], n=1):
        return f"did you mean {near[0]!r}?"
    return f"data sets are: {', '.join(datasets.DATASETS)}"
