"""From several folders of runs and comparisons to their runs, each with a label of its own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from echelon.errors import InputError
from echelon.experiments.summaries.job_sets import DIFFER
from echelon.reports.folder import in_zone, read_folder
from echelon.reports.side_by_side.job_sets import job_set_sentences, job_sets
from echelon.reports.side_by_side.labels import distinct_labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.reports.tables import RunTables


class RunsBeside(NamedTuple):
    """Runs of several folders.

    Attributes
    ----------
    runs : tuple of RunTables
        In the order of the folders, each with its `name`.
    folders : tuple of str
        The folder that each came from, as it was given.
    job_sets : tuple of int
        A number for each run: runs of equal numbers are of the same jobs.
    sentences : tuple of str
        Which runs are of the same jobs, if not all are; which have no dates, if a time zone was asked for.
    """

    runs: tuple[RunTables, ...]
    folders: tuple[str, ...]
    job_sets: tuple[int, ...]
    sentences: tuple[str, ...]


def read_folders(folders: Sequence[str | Path], *, timezone: str | None = None) -> RunsBeside:
    """Return the runs that folders of ``echelon run`` and ``echelon compare`` hold, in any mix.

    Parameters
    ----------
    folders : sequence of str or Path
        At least one; each named once.
    timezone : str, optional
        Zone in which dates are shown, a name of the tz database. Default: that of each log. Runs of logs
        without dates stay as they are, and `sentences` names them.

    Returns
    -------
    RunsBeside
        Runs of one folder alone are called as on its own page; those of several by what differs.

    Raises
    ------
    InputError
        If there is no folder, one is named twice or is a part of another one, or one holds no run; as
        `read_folder`.
    """
    if not folders:
        raise InputError("a report needs at least one folder, got none")
    _check_different(folders)
    pairs = [(run, str(folder)) for folder in folders for run in read_folder(folder)]
    runs, places = [run for run, _ in pairs], tuple(folder for _, folder in pairs)
    if timezone is not None:
        runs = in_zone(runs, timezone, ", ".join(map(str, folders)))
    if len(folders) == 1:
        return RunsBeside(tuple(runs), places, job_sets(runs), ())
    names = distinct_labels(runs, places)
    sentences = (*job_set_sentences(runs, names), *_undated_sentences(runs, names, timezone))
    named = tuple(
        replace(run, name=name, run={**run.run, "notes": _with(run, sentences)})
        for run, name in zip(runs, names, strict=True)
    )
    return RunsBeside(named, places, job_sets(runs), sentences)


def _undated_sentences(runs: Sequence[RunTables], names: Sequence[str], timezone: str | None) -> list[str]:
    """Return a sentence on the runs that a time zone is of no use to."""
    without = [name for name, run in zip(names, runs, strict=True) if run.unix_start_time is None]
    if timezone is None or not without:
        return []
    return [f"Dates are in {timezone}; {', '.join(without)}: the log has no dates, so times are in seconds."]


def _with(run: RunTables, sentences: Sequence[str]) -> list[str]:
    """Return the notes of a run, with those on the runs that it is shown beside now."""
    notes = run.run.get("notes") or ()
    own = [notes] if isinstance(notes, str) else list(notes)
    # The sentence of a comparison on its own runs gives way to the one on all of them.
    kept = [note for note in own if not note.startswith(DIFFER)]
    return list(dict.fromkeys((*kept, *sentences)))


def _check_different(folders: Sequence[str | Path]) -> None:
    seen: dict[Path, str | Path] = {}
    for folder in folders:
        place = Path(folder).resolve()
        if place in seen:
            raise InputError("is named twice, expected different folders", file=str(folder))
        seen[place] = folder
    for place, folder in seen.items():
        if place.parent in seen:
            problem = f"is a part of {seen[place.parent]}, which is named, too; leave one of them out"
            raise InputError(problem, file=str(folder))
