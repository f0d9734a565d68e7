"""Dependency cells: what a job waits for, as text in a table: job ids with blanks between them.

``3 5+60`` says: joins the queue when job 3 has ended, and 60 s after the end of job 5.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.model.jobs.dependencies import CircleError, Dependencies
from echelon.model.jobs.fields import LARGEST
from echelon.model.jobs.workload import Anomaly

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import polars as pl

    from echelon.workloads.formats.text.cells import Cells

EXPECTED = "job ids separated by blanks, each optionally with + and a delay in seconds (3 5+60)"


class FoundDependencies(NamedTuple):
    """What a column of dependencies says.

    Attributes
    ----------
    dependencies : Dependencies or None
        None if no job waits for a job of the file.
    anomalies : tuple of Anomaly
        Predecessors that the file does not have.
    """

    dependencies: Dependencies | None
    anomalies: tuple[Anomaly, ...]


def dependency_cells(dependencies: Dependencies, label: Callable[[int], str]) -> list[str]:
    """Return a cell for each job, empty for those that wait for no job. Cost: O(jobs + edges).

    Parameters
    ----------
    dependencies : Dependencies
        Of all jobs of a table.
    label : callable (position) -> str
        The id of a job.
    """
    edges = [
        label(before) + (f"+{repr(delay).removesuffix('.0')}" if delay else "")
        for before, delay in zip(dependencies.predecessor.tolist(), dependencies.delay.tolist(), strict=True)
    ]
    return [" ".join(edges[first:last]) for first, last in pairwise(dependencies.first.tolist())]


def read_dependencies(
    cells: Cells, labels: Sequence[str], *, numbered: bool, expected: str = EXPECTED
) -> FoundDependencies:
    """Return what the cells of a column of dependencies say.

    Parameters
    ----------
    cells : Cells
        A cell a job; unknown ones wait for no job.
    labels : sequence of str, one a job
        The ids by which cells name jobs; of equal ones the first is meant.
    numbered : bool
        Whether ids are whole numbers, so that other tokens are mistakes and not names of absent jobs.
    expected : str, default `EXPECTED`
        What a cell must be, for messages.

    Raises
    ------
    InputError
        If a cell is anything else; the first one's line is named.
    CircleError
        If jobs wait for each other in a circle.

    Notes
    -----
    Cost: O(n log n) in the tokens of all cells.
    """
    tokens = _tokens(cells)
    places = _places(labels)
    references = tokens.join(places, on="token", how="left", maintain_order="left")
    references = _with_delays(references, places)
    _check(references, cells, numbered=numbered, expected=expected)
    there = references.drop_nulls("place")
    anomalies = _absent(len(references) - len(there), cells, references)
    if not len(there):
        return FoundDependencies(None, anomalies)
    before, after = there["place"].to_numpy().astype(np.int64), there["row"].to_numpy().astype(np.int64)
    try:
        delay = there["delay"].to_numpy().astype(np.float64)
        return FoundDependencies(Dependencies.of_edges(len(labels), before, after, delay=delay), anomalies)
    except CircleError as circle:
        raise CircleError(circle.positions, labels.__getitem__, cells.file) from None


def _tokens(cells: Cells) -> pl.DataFrame:
    """Return a row for each token: the job that waits (``row``) and the ``token``."""
    import polars as pl

    texts = cells.texts
    if texts.dtype.is_float() and bool((texts.drop_nulls() == texts.drop_nulls().floor()).all()):
        texts = texts.cast(pl.Int64)
    stripped = texts.cast(pl.String).fill_null("").str.strip_chars()
    table = pl.DataFrame({"row": np.arange(len(stripped)), "token": stripped.str.split(" ")}).explode("token")
    has_reference = ~pl.col("token").str.to_lowercase().is_in(list(cells.unknown))
    return table.filter(pl.col("token").is_not_null() & has_reference)


def _places(labels: Sequence[str]) -> pl.DataFrame:
    import polars as pl

    table = pl.DataFrame(
        {"token": list(labels), "place": np.arange(len(labels))}, schema_overrides={"token": pl.String}
    )
    return table.unique("token", keep="first", maintain_order=True)


def _with_delays(references: pl.DataFrame, job_places: pl.DataFrame) -> pl.DataFrame:
    """Take tokens that are not ids apart, at their last plus sign, into an id and seconds of delay."""
    import polars as pl

    parts = pl.col("token").str.extract_groups(r"^(.*)\+([^+]*)$")
    delayed = references.with_columns(
        id=pl.when(pl.col("place").is_null()).then(parts.struct[0]),
        seconds=pl.when(pl.col("place").is_null()).then(parts.struct[1]),
    )
    places = job_places.rename({"token": "id", "place": "delayed"})
    return delayed.join(places, on="id", how="left", maintain_order="left").select(
        "row",
        "token",
        id=pl.col("id").fill_null(pl.col("token")),
        place=pl.col("place").fill_null(pl.col("delayed")),
        delay=pl.when(pl.col("seconds").is_null())
        .then(0.0)
        .otherwise(pl.col("seconds").cast(pl.Float64, strict=False).fill_null(-1.0)),
    )


def _check(references: pl.DataFrame, cells: Cells, *, numbered: bool, expected: str) -> None:
    """Raise unless every delay is a time and, if ids are `numbered`, every id a whole number."""
    import polars as pl

    good = pl.col("delay").is_finite() & (pl.col("delay") >= 0) & (pl.col("delay") <= LARGEST)
    if numbered:
        good &= pl.col("place").is_not_null() | pl.col("id").str.contains(r"^-?\d+$")
    bad = references.filter(~good)
    if len(bad):
        raise cells.refuse(bad["row"][0], expected, bad["token"][0])


def _absent(count: int, cells: Cells, references: pl.DataFrame) -> tuple[Anomaly, ...]:
    if not count:
        return ()
    first = int(cells.lines[int(references.filter(references["place"].is_null())["row"][0])])
    what = "1 predecessor is" if count == 1 else f"{count} predecessors are"
    return (
        Anomaly("absent-predecessors", count, f"{what} not in the file; considered ended", first or None),
    )
