"""Results folder: where a run, a comparison or a reproduction leaves its files, all of them or none."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from echelon.errors import InputError
from echelon.workloads.files.atomic import write_problem

if TYPE_CHECKING:
    from collections.abc import Iterator

Kind: TypeAlias = Literal["run", "comparison", "reproduction", "study"]

_MARK: dict[Kind, str] = {
    "run": "run.json",
    "comparison": "metrics.csv",
    "reproduction": "results.json",
    "study": "study.json",
}
"""The file by which a folder of each kind is known."""

FURTHER_FILES: dict[str, tuple[str, ...]] = {
    "segments": ("segments.csv", "segments.parquet"),
    "sites": ("sites.csv",),
    "replicas": ("replicas.csv", "replicas.parquet"),
    "holdings": ("holdings.csv", "holdings.parquet", "nodes.csv"),
    "places": ("places.csv", "places.parquet", "nodes.csv"),
    "forecasts": ("forecasts.csv", "forecasts.parquet", "accuracy.csv"),
    "rejected": ("rejected.csv",),
    "power": ("power.csv", "power.parquet"),
    "attempts": ("attempts.csv", "attempts.parquet"),
    "outages": ("outages.csv",),
    "reservations": ("reservations.csv",),
    "partitions": ("partitions.csv",),
    "queues": ("queues.csv",),
    "accounts": ("accounts.csv",),
    "log_waits": ("log_waits.csv", "log_waits.parquet"),
    "traces": ("traces.csv",),
}
"""Files that not every run leaves, by the table of `Result` without which it does not, in their order."""

_NOT_ALWAYS = (
    "report.html",
    *(file for files in FURTHER_FILES.values() for file in files),
    *(f"figures/*.{kind}" for kind in ("png", "svg", "pdf")),
)
"""Files that not every run leaves: an old one would be taken for the new run's."""


def refuse_mixing(folder: str | Path, kind: Kind) -> None:
    """Raise an InputError if `folder` holds results of another kind: a report would show the wrong ones."""
    held: list[Kind] = [other for other, mark in _MARK.items() if (Path(folder) / mark).is_file()]
    if held and kind not in held:
        problem = f"holds a {held[0]}, with which the files of a {kind} would mix; choose another folder"
        raise InputError(problem, file=str(folder))


@contextmanager
def filling(folder: str | Path, kind: Kind) -> Iterator[Path]:
    """Give a hidden folder whose files move to `folder` when the block ends well.

    If the block fails or is stopped (Ctrl-C), `folder` stays as it was, and is not there if it was not.

    Parameters
    ----------
    folder : str or Path
        Made if need be, with those above it; files of the same names in it are replaced, and files
        that only the run before left are taken out.
    kind : {"run", "comparison", "reproduction", "study"}
        What it will hold.

    Raises
    ------
    InputError
        If it cannot be made or written, is a file, or holds results of another kind.
    """
    target = Path(folder)
    refuse_mixing(target, kind)
    folders = [path for path in (target, *target.parents) if not path.exists()]
    part = target / f".{os.urandom(4).hex()}.part"
    try:
        part.mkdir(parents=True)
    except OSError as error:
        problem = f"cannot be created as a folder for results: {write_problem(error)}"
        raise InputError(problem, file=str(folder)) from error
    try:
        yield part
        _move(part, target)
    except BaseException as error:
        shutil.rmtree(part, ignore_errors=True)
        for path in folders:
            if path.is_dir() and not any(path.iterdir()):
                path.rmdir()
        if isinstance(error, InputError) and (shown := _moved_error(target, part, error)) is not None:
            raise shown from error
        raise
    shutil.rmtree(part)


def _moved_error(target: Path, part: Path, error: InputError) -> InputError | None:
    """Return an error about a file in the hidden folder as one about the file that it would have become."""
    if error.file is None or not Path(error.file).is_relative_to(part):
        return None
    file = target / Path(error.file).relative_to(part)
    return InputError(error.problem, file=str(file), line=error.line, field=error.field)


def _move(part: Path, target: Path) -> None:
    """Move the files below `part` to the same places below `target`, one renaming each."""
    files = [path.relative_to(part) for path in sorted(part.rglob("*")) if path.is_file()]
    try:
        for place in {Path(), *(name.parent for name in files)}:
            for old in (old for pattern in _NOT_ALWAYS for old in (target / place).glob(pattern)):
                old.unlink(missing_ok=True)
        for name in files:
            (target / name).parent.mkdir(exist_ok=True)
            os.replace(part / name, target / name)  # noqa: PTH105  (the name every reader knows as atomic)
    except OSError as error:
        raise InputError(f"cannot be written: {write_problem(error)}", file=str(target)) from error
