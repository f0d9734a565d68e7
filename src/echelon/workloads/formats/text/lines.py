"""Lines of a text file, numbered, so that a message can say where."""

from __future__ import annotations

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
    text = _decode(data)
    if not text.strip():
        raise InputError(f"has only blanks, expected {expected}", file=name)
    return text


def refuse_binary(data: bytes, name: str, *, expected: str) -> None:
    """Raise `InputError` if `data` is binary, which a NUL byte shows."""
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        raise InputError(f"is binary (a NUL byte), expected {expected}", file=name, line=line)


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def number_lines(text: str) -> Iterator[Line]:
    """Yield the lines of `text` that are not blank, in order."""
    for number, line in enumerate(text.split("\n"), start=1):
        if stripped := line.strip():
            yield Line(number, stripped)


def cut_anomaly(data: bytes) -> tuple[Anomaly, ...]:
    """Return an anomaly if the file's last line has no line end: the file may be truncated."""
    if data.endswith(b"\n"):
        return ()
    last = data.count(b"\n") + 1
    return (
        Anomaly("no-final-line-feed", 1, "the last line has no line end; the file may be truncated", last),
    )
