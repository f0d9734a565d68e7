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
