"""Header comments of the Standard Workload Format: ``; Label: text``, and what logs make of that."""

from __future__ import annotations

import re
from typing import NamedTuple

from echelon.model.jobs.header import Header

LABELS: tuple[str, ...] = (
    "Version",
    "Computer",
    "Installation",
    "Acknowledge",
    "Information",
    "Conversion",
    "MaxJobs",
    "MaxRecords",
    "Preemption",
    "UnixStartTime",
    "TimeZone",
    "TimeZoneString",
    "StartTime",
    "EndTime",
    "MaxNodes",
    "MaxProcs",
    "MaxRuntime",
    "MaxMemory",
    "AllowOveruse",
    "MaxQueues",
    "Queues",
    "Queue",
    "MaxPartitions",
    "Partitions",
    "Partition",
    "Note",
)
"""The labels of SWF version 2.2. Logs use others (``Copyright``), which are kept alike."""

_KNOWN = frozenset(label.lower() for label in LABELS)
_LABELED = re.compile(r"\s*([A-Za-z][\w-]*)[ \t]*:(?!//)(.*)", re.DOTALL)
_NUMBERED = re.compile(r"\s*(\d+)\s+(\S.*)")
_MOST_NAMED = 100_000  # names are kept by place: a code of 14 digits, which occurs, can have none
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class HeaderRead(NamedTuple):
    """A header, and where the first line after it begins."""

    header: Header
    position: int
    line: int


def read_header(data: bytes) -> HeaderRead:
    """Return the comments before the first job, the byte position after them and its 1-based line number."""
    lines: list[tuple[str | None, str]] = []
    position, number = len(BYTE_ORDER_MARK) if data.startswith(BYTE_ORDER_MARK) else 0, 1
    while position < len(data):
        end = data.find(b"\n", position)
        end = end if end >= 0 else len(data)
        line = data[position:end].lstrip(b" \t")
        if line.startswith(b";"):
            lines.append(read_comment(line[1:]))
        elif line not in (b"", b"\r"):
            break
        position, number = min(end + 1, len(data)), number + 1
    return HeaderRead(Header(tuple(lines)), position, number)


def read_comment(comment: bytes) -> tuple[str | None, str]:
    """Return label and text of what follows a semicolon; no label: None, and the text with its indentation.

    A label is one word before a colon that begins with a capital or is one of `LABELS` in any case: the
    ``http`` of an address is none, nor is a sentence's last word before a colon, nor CEA-Curie's ``see:``.
    """
    text = _decode(comment)
    match = _LABELED.fullmatch(text)
    if match and (match[1][0].isupper() or match[1].lower() in _KNOWN):
        return match[1], match[2].strip()
    return None, text.removeprefix(" ").rstrip()


def write_header(header: Header) -> str:
    """Return `header` as comment lines, each ended by a line feed; NUL characters, no text, are left out."""
    return "".join(
        f"; {line}".rstrip() + "\n"
        for label, text in header.lines
        for line in (text if label is None else f"{label}: {text}").replace("\0", "").split("\n")
    )


def _decode(comment: bytes) -> str:
    try:
        return comment.decode("utf-8")
    except UnicodeDecodeError:
        return comment.decode("latin-1")


def partition_names(header: Header) -> tuple[str, ...]:
    """Return the names a header gives to the codes 1, 2 ... of partitions; empty where it gives none.

    Blanks within a name are made one. Ties: of two lines for one code the first counts.
    """
    names: dict[int, str] = {}
    for text in header.all("Partition"):
        match = _NUMBERED.match(text.partition("\n")[0])
        if match and 1 <= int(match[1]) <= _MOST_NAMED:
            names.setdefault(int(match[1]), " ".join(match[2].split()))
    return tuple(names.get(code, "") for code in range(1, max(names, default=0) + 1))


def with_partition_names(header: Header, names: tuple[str, ...]) -> Header:
    """Return a header that gives these names to partitions; as it is where it does already."""
    if not any(names) or partition_names(header) == names:
        return header
    kept = [line for line in header.lines if (line[0] or "").lower() != "partition"]
    lines = [("Partition", f"{code} {' '.join(name.split())}") for code, name in enumerate(names, 1) if name]
    return Header((*kept, *lines))
