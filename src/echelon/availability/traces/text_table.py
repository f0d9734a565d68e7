"""TextTable: the cells of a file as texts, with their lines; how files become text, and texts dates."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import tzinfo

    from echelon.model.jobs.columns import FloatColumn


_AMERICAN = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4}) (\d{1,2}):(\d{2})", re.ASCII)
_NUMBER = re.compile(r"\d{1,12}(\.\d*)?", re.ASCII)
_EPOCH, _SECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class TextTable:
    """Rows of texts.

    Parameters
    ----------
    file : str
        For messages.
    names : tuple of str
        Names of the columns, in lower case.
    cells : sequence of sequence of str
        One a row, as long as the names, without blanks around texts.
    lines : sequence of int
        1-based line of each row.
    """

    file: str
    names: tuple[str, ...]
    cells: Sequence[Sequence[str]]
    lines: Sequence[int]

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.cells)

    def has(self, name: str) -> bool:
        """Return whether there is such a column."""
        return name in self.names

    def texts(self, name: str) -> list[str]:
        """Return the texts of a column.

        Raises
        ------
        InputError
            If there is no such column; the message lists those that are there.
        """
        if name not in self.names:
            listed = ", ".join(self.names)
            raise InputError(f"has no column {name!r}, only {listed:.200}", file=self.file, line=1)
        place = self.names.index(name)
        return [row[place] for row in self.cells]

    def numbers(self, name: str, expected: str = "a number") -> FloatColumn:
        """Return a column as finite numbers.

        Raises
        ------
        InputError
            If one is not; line, column and text are named.
        """
        texts = self.texts(name)
        numbers = numbers_of(texts)
        wrong = ~np.isfinite(numbers)
        if wrong.any():
            raise self.refuse(int(wrong.argmax()), name, expected)
        return numbers

    def times(
        self,
        name: str,
        read: Callable[[str], float | None],
        expected: str,
        rows: Sequence[int] | None = None,
    ) -> FloatColumn:
        """Return what `read` makes of the texts of a column, in some rows if given; None is refused."""
        texts = self.texts(name)
        chosen = range(len(texts)) if rows is None else rows
        times = [read(texts[row]) for row in chosen]
        if None in times:
            raise self.refuse(chosen[times.index(None)], name, expected)
        return np.array(times, dtype=np.float64)

    def refuse(self, row: int, name: str, expected: str) -> InputError:
        """Return the error of a cell that is not what it must be."""
        text = self.texts(name)[row]
        return InputError(
            f"must be {expected}, got {text!r:.60}", file=self.file, line=self.lines[row], field=name
        )


def numbers_of(texts: Sequence[str]) -> FloatColumn:
    """Return texts as numbers; nan where one is none."""
    try:
        return np.array(texts, dtype=np.float64)
    except ValueError:
        return np.array([_number(text) for text in texts], dtype=np.float64)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return np.nan


def read_delimited(text: str, file: str, *, separator: str | None = None, spare: str = "") -> TextTable:
    """Return the rows of a text whose first line has the names of its columns.

    Parameters
    ----------
    text : str
        The whole file.
    file : str
        For messages.
    separator : str, optional
        ``"|"`` parts cells as they stand; a blank parts them wherever there is some; any other one may be in
        cells in quotes. Default: comma, semicolon or tab, whichever the first line has most of.
    spare : str, default none
        The column that a row's surplus cells belong to: a remark in which the separator may be.

    Raises
    ------
    InputError
        If there is no row, a name is twice there, or a row has not as many cells as there are names.

    Notes
    -----
    Blank lines are skipped, those that begin with ``#`` too, except that the names may follow one. An unnamed
    last column, which ``sacctmgr -p`` writes, is left out.
    """
    rows = _rows(text, file, separator)
    line, first = next(rows, (1, []))
    if not first:
        raise InputError("is empty, expected a line of column names and a row an outage", file=file)
    names, has_unnamed = _names(first, file, line)
    place = names.index(spare) if spare in names else None
    cells, lines = [], []
    for number, row in rows:
        if len(row) != len(names):
            if has_unnamed and not row[-1]:
                row.pop()
            more = len(row) - len(names)
            if place is not None and more > 0:
                row[place : place + more + 1] = [(separator or " ").join(row[place : place + more + 1])]
            elif more:
                raise InputError(
                    f"has {len(row)} cells, expected {len(names)} as in the line of column names: "
                    f"{', '.join(names):.200}",
                    file=file,
                    line=number,
                )
        cells.append(row)
        lines.append(number)
    if not cells:
        raise InputError("has no outage, only the line of column names", file=file, line=line)
    return TextTable(file, tuple(names), cells, lines)


def _names(first: list[str], file: str, line: int) -> tuple[list[str], bool]:
    """Return the names of columns, in lower case, and whether an unnamed last one was left out."""
    names = [name.lstrip("#").strip().lower() for name in first]
    if not names[0]:
        names = names[1:]
    has_unnamed = len(names) > 1 and not names[-1]
    names = names[:-1] if has_unnamed else names
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"two columns are named {twice!r}", file=file, line=line)
    return names, has_unnamed


def _rows(text: str, file: str, separator: str | None) -> Iterator[tuple[int, list[str]]]:
    """Yield line and cells of each row that is neither blank nor, after the first, a comment."""
    cells_by_line = ((number, line.split()) for number, line in enumerate(text.split("\n"), 1))
    cells = cells_by_line if separator == " " else _split_quoted(text, file, separator)
    is_first = True
    for line, row in cells:
        if any(row) and (is_first or not row[0].startswith("#")):
            yield line, row
            is_first = False


def _split_quoted(text: str, file: str, separator: str | None) -> Iterator[tuple[int, list[str]]]:
    if separator is None:
        first = text.lstrip("\n ").partition("\n")[0]
        separator = max(",;\t", key=first.count)
    for line, row in read_rows(text, file, separator, quoted=separator != "|"):
        yield line, [cell.strip() for cell in row]


def read_rows(
    text: str, file: str, separator: str, *, quoted: bool = True
) -> Iterator[tuple[int, list[str]]]:
    """Yield each row of a delimited text, blank ones too, with the number of its first line."""
    reader = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=separator,
        quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE,
        strict=True,
    )
    line = 1
    try:
        for row in reader:
            yield line, row
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"is not a row of a table: {error}", file=file, line=line) from error


def is_number(text: str) -> bool:
    """Return whether a text is a whole number >= 0 of digits alone, and short enough for one of a node."""
    return text.isascii() and text.isdecimal() and len(text) <= 12


def text_of(data: bytes, file: str) -> str:
    """Return bytes as text: UTF-8, else Latin-1; every line ends in a line feed alone.

    Raises
    ------
    InputError
        If they are binary, which a NUL byte shows.
    """
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        raise InputError("is binary (a NUL byte), expected a list of outages", file=file, line=line)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def american_date(text: str, zone: tzinfo) -> float | None:
    """Return the Unix time of ``6/21/2005 10:54``, in seconds; None if it is no such date."""
    match = _AMERICAN.fullmatch(text)
    if match is None:
        return None
    month, day, year, hour, minute = map(int, match.groups())
    return _unix(lambda: datetime(year, month, day, hour, minute, tzinfo=zone))


def iso_date(text: str, zone: tzinfo) -> float | None:
    """Return the Unix time of a date in ISO 8601, in seconds; None if it is no such date."""
    return _unix(lambda: _localize(datetime.fromisoformat(text), zone))


def iso_or_unix(text: str, zone: tzinfo) -> float | None:
    """Return the Unix time of a date in ISO 8601 or of a Unix time itself; None if it is neither."""
    return float(text) if _NUMBER.fullmatch(text) else iso_date(text, zone)


def _localize(date: datetime, zone: tzinfo) -> datetime:
    return date if date.tzinfo is not None else date.replace(tzinfo=zone)


def _unix(make: Callable[[], datetime]) -> float | None:
    try:
        return (make() - _EPOCH) / _SECOND
    except (ValueError, OverflowError):
        return None
