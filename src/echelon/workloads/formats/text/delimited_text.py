"""Delimited text: a line of column names, then one line a job, cells separated by , ; | or tab."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from echelon.errors import InputError
from echelon.workloads.formats.text.cells import UNKNOWN_CELLS, Cells
from echelon.workloads.formats.text.lines import text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import polars as pl
    from numpy.typing import NDArray

    from echelon.model.jobs.columns import IntColumn

SEPARATORS = ("|", "\t", ";", ",")
"""Tried in this order; the one met most often in the line of names is taken, the earlier on a tie."""

Surplus: TypeAlias = "Callable[[int, list[str], list[str]], list[str] | None]"

_ROWS_AT_ONCE = 65_536  # strings of Python cost ten times those of polars: convert block by block


@dataclass(frozen=True, slots=True)
class DelimitedText:
    """The texts of a delimited file, by column.

    Parameters
    ----------
    file : str
        For messages.
    columns : mapping of str to polars.Series
        Every column's texts by its name as found, each of shape (n_rows,).
    lines : IntColumn, shape (n_rows,)
        1-based number of the line each row starts on; the line of names is the first that is not blank.
    """

    file: str
    columns: Mapping[str, pl.Series]
    lines: IntColumn

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.lines)

    def cells(self, name: str, *, unknown: frozenset[str] = UNKNOWN_CELLS) -> Cells:
        """Return one column's cells; KeyError if there is none of that name."""
        return Cells(self.file, name, self.columns[name], self.lines, unknown)

    def where(self, keep: NDArray[np.bool_]) -> DelimitedText:
        """Return only the rows marked, shape (n_rows,)."""
        columns = {name: texts.filter(keep) for name, texts in self.columns.items()}
        return DelimitedText(self.file, columns, self.lines[keep])


def read_delimited(
    data: bytes, name: str, *, expected: str, quoted: bool = True, surplus: Surplus | None = None
) -> DelimitedText:
    """Return the columns of a delimited text.

    Parameters
    ----------
    data : bytes
        The whole file, decompressed.
    name : str
        The file, for messages.
    expected : str
        What the file should be, for messages.
    quoted : bool, default True
        Whether ``"`` encloses cells (doubled inside); otherwise it is a character like any other.
    surplus : callable (line, cells, names) -> list of str or None, optional
        What a row of more cells than names is: as many cells, or None to leave it out. Default: an error.

    Raises
    ------
    InputError
        If the file is empty or binary, a name is missing or repeated, a row has another number of cells than
        the line of names, or a quote is not closed.

    Notes
    -----
    Blank lines are skipped; an unnamed last column of empty cells is dropped (``sacct -p`` writes one).
    Cost: O(bytes); about a million cells a second.
    """
    text = text_of(data, name, expected=expected)
    separator = _separator(text)
    rows = _rows(text, name, separator=separator, quoted=quoted)
    line, first = next(rows, (1, [""]))
    names = [cell.strip() for cell in first]
    _check_names(names, file=name, line=line)
    blocks, lines = [], [np.empty(0, dtype=np.int64)]
    while block := list(islice(rows, _ROWS_AT_ONCE)):
        if surplus is not None:
            block = _fit_rows(block, names, surplus)
        _check_widths(block, names, file=name)
        lines.append(np.array([number for number, _ in block], dtype=np.int64))
        blocks.append(_frame(names, [row for _, row in block]))
    if not blocks:
        raise InputError("has no job, only the line of column names", file=name, line=line)
    import polars as pl

    frame = pl.concat(blocks)
    columns = {column: frame.to_series(place) for place, column in enumerate(names) if column}
    return DelimitedText(name, columns, np.concatenate(lines))


def names_of(head: bytes) -> list[str]:
    """Return the column names in the first line that is not blank; none if `head` is not text."""
    try:
        text = text_of(head, "", expected="a table")
        _, names = next(_rows(text, "", separator=_separator(text), quoted=True), (1, []))
    except InputError:
        return []
    return [cell.strip() for cell in names]


def _separator(text: str) -> str:
    first = next(line for line in text.split("\n") if line.strip())
    return max(SEPARATORS, key=first.count)


def _rows(text: str, file: str, *, separator: str, quoted: bool) -> Iterator[tuple[int, list[str]]]:
    """Yield each row that is not blank with the number of its first line."""
    reader = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=separator,
        quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE,
        strict=True,
    )
    line = 1
    try:
        for row in reader:
            if len(row) > 1 or (row and row[0].strip()):
                yield line, row
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"is not a row of a table: {error}", file=file, line=line) from error


def _check_names(names: list[str], *, file: str, line: int) -> None:
    seen = set()
    for place, name in enumerate(names):
        if not name and (place < len(names) - 1 or place == 0):
            raise InputError(f"column {place + 1} has no name", file=file, line=line)
        if name in seen:
            raise InputError(f"two columns are named {name!r}", file=file, line=line)
        seen.add(name)


def _fit_rows(
    block: list[tuple[int, list[str]]], names: list[str], surplus: Surplus
) -> list[tuple[int, list[str]]]:
    """Return the rows, those of too many cells as `surplus` has them."""
    fitted = ((line, row if len(row) <= len(names) else surplus(line, row, names)) for line, row in block)
    return [(line, row) for line, row in fitted if row is not None]


def _check_widths(block: list[tuple[int, list[str]]], names: list[str], *, file: str) -> None:
    for line, row in block:
        if len(row) != len(names):
            raise InputError(
                f"has {len(row)} cells, expected {len(names)} as in the line of column names; "
                "a cell may contain the separator, or the line may be cut off",
                file=file,
                line=line,
            )


def _frame(names: list[str], rows: list[list[str]]) -> pl.DataFrame:
    import polars as pl

    columns = zip(*rows, strict=True) if rows else [()] * len(names)
    return pl.DataFrame([pl.Series(str(place), texts, pl.String) for place, texts in enumerate(columns)])
