"""Writing a grid's workload: a file an experiment, and a summary of what was made of which logs."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

from echelon.errors import InputError
from echelon.workloads.files.atomic import replacing
from echelon.workloads.files.workload_reader import write_workload
from echelon.workloads.formats.known_formats import format_to_write

if TYPE_CHECKING:
    from echelon.workloads.grid.weeks import GridWorkload

SUMMARY = "summary.json"


def write_weeks(grid: GridWorkload, folder: Path | str, *, ending: str = ".swf.gz") -> list[Path]:
    """Write each experiment to ``NAME-week-01.swf.gz`` ... in `folder`, and ``summary.json`` after them.

    Parameters
    ----------
    grid : GridWorkload
        All experiments of it are written, those without a job too.
    folder : path
        Made if it is not there. Files of these names are replaced, each in one step, and further weeks of a
        grid of this name and ending are removed.
    ending : str, default ``".swf.gz"``
        Of the files, which says their format.

    Returns
    -------
    list of Path
        The files, the summary last.

    Raises
    ------
    InputError
        If the ending names no format that can be written, or the folder or a file cannot be written.
    """
    dotted = ending if ending.startswith(".") else f".{ending}"
    format_to_write(f"{grid.name}{dotted}")
    target = Path(folder)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be created: {error.strerror}", file=str(folder)) from error
    files = []
    for week in grid:
        files.append(target / f"{week.name}{dotted}")
        write_workload(week, files[-1])
    files.append(target / SUMMARY)
    with replacing(files[-1]) as file:
        file.write((json.dumps(grid.summary(), indent=2, ensure_ascii=False) + "\n").encode())
    _remove_others(target, f"{grid.name}-week-", dotted, {file.name for file in files})
    return files


def _remove_others(folder: Path, start: str, ending: str, written: set[str]) -> None:
    """Remove weeks of an earlier grid of this name, which would be taken for this one's."""
    weeks = re.compile(f"{re.escape(start)}[0-9]+{re.escape(ending)}")
    for file in folder.iterdir():
        if weeks.fullmatch(file.name) and file.name not in written:
            file.unlink(missing_ok=True)
