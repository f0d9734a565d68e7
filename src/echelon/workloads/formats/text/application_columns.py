"""The applications of jobs as columns of a table: what each program computes, communicates and holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.errors import InputError
from echelon.model.jobs.applications import Application, Applications
from echelon.model.jobs.fields import LARGEST, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl

    from echelon.model.jobs.columns import FloatColumn
    from echelon.workloads.formats.text.cells import Cells


class _Figure(NamedTuple):
    """A column of numbers: the field of an application it gives, what is unknown, and what is allowed."""

    field: str
    unknown: float
    most: float
    expected: str


_FIGURES = {
    "compute_share": _Figure("compute_share", 1.0, 1.0, "a share from 0 to 1"),
    "task_memory": _Figure("memory", 0.0, np.inf, "a number of bytes >= 0"),
    "task_bandwidth": _Figure("bandwidth", 0.0, np.inf, "a number of bytes a second >= 0"),
}
_TEXTS = ("application", "library", "requires")
APPLICATION_COLUMNS = ("application", *_FIGURES, "library", "requires")
"""Columns that say of the program a job runs its name, the share of its dedicated time in which it computes,
what a task holds in bytes and needs in bytes a second, its message-passing library, and further software,
separated by blanks."""


def tells_applications(names: Mapping[str, object]) -> bool:
    """Return whether the columns found tell applications: one that has a figure is among them."""
    return any(name in names for name in _FIGURES)


def applications_of(
    figures: Mapping[str, Cells], texts: Mapping[str, list[str]], n_jobs: int
) -> Applications:
    """Return the applications that columns tell; what is missing or empty is as by default.

    Parameters
    ----------
    figures : mapping of str to Cells
        Those of `compute_share`, `task_memory` and `task_bandwidth` that there are.
    texts : mapping of str to list of str
        Those of `application`, `library` and `requires` that there are.
    n_jobs : int
        How many jobs there are.

    Raises
    ------
    InputError
        If a figure is out of its range; the first such cell is named.
    """
    empty = [""] * n_jobs
    names, libraries, requires = (texts.get(name, empty) for name in _TEXTS)
    shares, memory, bandwidth = (_column(figures, name, n_jobs).tolist() for name in _FIGURES)
    software = {text: tuple(text.split()) for text in dict.fromkeys(requires)}
    return Applications.of(
        [
            Application(name, share, held, needed, library, software[required])
            for name, share, held, needed, library, required in zip(
                names, shares, memory, bandwidth, libraries, requires, strict=True
            )
        ]
    )


def application_series(applications: Applications) -> list[pl.Series]:
    """Return the columns of `APPLICATION_COLUMNS`, a row a job.

    Raises
    ------
    InputError
        If the name of some software is empty or holds a blank, which would part it, or a figure is larger
        than those of any file.
    """
    import polars as pl

    catalog = applications.catalog
    for application in catalog:
        _refuse_unreadable(application)
    columns: dict[str, list[str] | list[float]] = {
        "application": [one.name for one in catalog],
        **{name: [float(getattr(one, of.field)) for one in catalog] for name, of in _FIGURES.items()},
        "library": [one.library for one in catalog],
        "requires": [" ".join(one.requires) for one in catalog],
    }
    return [
        pl.Series(name, column, pl.Float64 if name in _FIGURES else pl.String).gather(applications.index)
        for name, column in columns.items()
    ]


def _refuse_unreadable(application: Application) -> None:
    """Raise `InputError` if what is written of an application could not be read again."""
    where = f"application {application.name!r}"
    if any(not name or name.split() != [name] for name in application.requires):
        problem = f"cannot be written as names separated by blanks: {application.requires}"
        raise InputError(problem, field=f"{where}, requires")
    for name, of in _FIGURES.items():
        if (value := getattr(application, of.field)) > LARGEST:
            raise InputError(f"cannot write {value!r}, expected at most {LARGEST}", field=f"{where}, {name}")


def _column(figures: Mapping[str, Cells], name: str, n_jobs: int) -> FloatColumn:
    """Return the figures of a column, those unknown as by default."""
    figure = _FIGURES[name]
    if name not in figures:
        return np.full(n_jobs, figure.unknown)
    column = figures[name].floats(figure.expected)
    has_number = column != UNKNOWN
    bad = has_number & ~((column >= 0) & (column <= figure.most))
    if bad.any():
        raise figures[name].refuse(int(np.argmax(bad)), figure.expected)
    return np.where(has_number, column, figure.unknown)
