"""Lines and rows of a text file, numbered, so that a message can say where."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, NamedTuple

from echelon.errors import InputError
from echelon.model.jobs.workload import Anomaly

if TYPE_CHECKING:
    from collections.abc import Iterator


class Line(NamedTuple):
    """One line: its 1-based number in the file and its text without the line's end."""

    number: int
    text: str


def text_of(data: bytes, name: str, *, expected: str) -> str:
    """Return the text in `data`: UTF-8 (a byte order mark is dropped), else Latin-1.

    Parameters
    ----------
    data : bytes
        A whole file.
    name : str
        The file, for messages.
    expected : str
        What the file should be, for messages: ``"a GWF file"``.

    Raises
    ------
    InputError
        If the file is empty, all blank, or binary (holds a NUL byte).
    """
    if not data.strip():
        raise InputError(f"is empty, expected {expected}", file=name)
    refuse_binary(data, name, expected=expected)
    text = decode(data)
    if not text.strip():
        raise InputError(f"has only blanks, expected {expected}", file=name)
    return text


def refuse_binary(data: bytes, name: str, *, expected: str) -> None:
    """Raise `InputError` if `data` is binary, which a NUL byte shows."""
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        raise InputError(f"is binary (a NUL byte), expected {expected}", file=name, line=line)


def decode(data: bytes) -> str:
    """Return UTF-8 as text, without a byte order mark; what is none is read as Latin-1."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def number_lines(text: str) -> Iterator[Line]:
    """Yield the lines of `text` that are not blank, in order."""
    for number, line in enumerate(text.split("\n"), start=1):
        if stripped := line.strip():
            yield Line(number, stripped)


def read_rows(
    text: str, file: str, *, separator: str, quoted: bool = True
) -> Iterator[tuple[int, list[str]]]:
    """Yield each row of a delimited text, blank ones too, with the number of its first line.

    Raises
    ------
    InputError
        If a quote is not closed, or followed by something else than a separator.
    """
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


def cut_anomaly(data: bytes) -> tuple[Anomaly, ...]:
    """Return an anomaly if the file's last line has no line end: the file may be truncated."""
    if data.endswith(b"\n"):
        return ()
    last = data.count(b"\n") + 1
    return (
        Anomaly("no-final-line-feed", 1, "the last line has no line end; the file may be truncated", last),
    )
