"""Header: the comments of a log before its first job."""

from __future__ import annotations

import re
from dataclasses import dataclass

_LEADING_INTEGER = re.compile(r"\s*(-?\d+)")


TIME_LIMIT = "time limit of "
"""What is in the note of jobs that were given one."""

ACCOUNTING = "read from Slurm's accounting"
"""How the note of a reader of accounting begins; files that keep the header keep it, too."""


@dataclass(frozen=True, slots=True)
class Header:
    """Header comments of a log, in the log's order, losing nothing.

    Parameters
    ----------
    lines : tuple of (str or None, str), default empty
        One pair a line: the label (``"MaxProcs"``) or None for a line without one, and the text after it.
        Labels may repeat (``Note``, ``Queue``, ``Partition``); a line without a label continues the one
        before it or stands alone.

    Notes
    -----
    Numbers are read as the leading integer, because logs write ``MaxProcs: 1664 (72, 1368, 224)``.
    """

    lines: tuple[tuple[str | None, str], ...] = ()

    def all(self, label: str) -> tuple[str, ...]:
        """Return every text under `label` (in any case), with its continuation lines."""
        wanted = label.lower()
        texts: list[list[str]] = []
        inside = False
        for key, text in self.lines:
            if key is not None:
                inside = key.lower() == wanted
                if inside:
                    texts.append([text])
            elif inside and text:
                texts[-1].append(text.strip())
            else:
                inside = False
        return tuple("\n".join(parts) for parts in texts)

    def get(self, label: str) -> str | None:
        """Return the first text under `label`, with its continuation lines, or None."""
        texts = self.all(label)
        return texts[0] if texts else None

    def integer(self, label: str) -> int | None:
        """Return the leading integer of the first text under `label` that has one, or None."""
        for text in self.all(label):
            if match := _LEADING_INTEGER.match(text):
                return int(match[1])
        return None

    def with_value(self, label: str, text: str) -> Header:
        """Return a header in which `label` has exactly this one text, at its first place or at the end."""
        kept: list[tuple[str | None, str]] = []
        placed = inside = False
        for key, old in self.lines:
            if key is not None:
                inside = key.lower() == label.lower()
                if inside and not placed:
                    kept.append((key, text))
                    placed = True
            if not inside:
                kept.append((key, old))
            elif key is None and not old:
                inside = False
                kept.append((key, old))
        if not placed:
            kept.append((label, text))
        return Header(tuple(kept))

    @property
    def max_procs(self) -> int | None:
        """Processors of the machine (``MaxProcs``), or None if the header has none."""
        value = self.integer("MaxProcs")
        return value if value is not None and value > 0 else None

    @property
    def max_nodes(self) -> int | None:
        """Nodes of the machine (``MaxNodes``), or None if the header has none."""
        value = self.integer("MaxNodes")
        return value if value is not None and value > 0 else None

    @property
    def unix_start_time(self) -> int | None:
        """Unix time, in seconds, of the log's second 0, or None if the header has none."""
        return self.integer("UnixStartTime")

    @property
    def limits_time(self) -> bool:
        """Whether a note says that the jobs were given a time limit."""
        return any(TIME_LIMIT in note for note in self.all("Note"))

    @property
    def is_accounting(self) -> bool:
        """Whether the jobs are read from a batch system's accounting, as a note of the reader says."""
        return any(note.startswith(ACCOUNTING) for note in self.all("Note"))

    @property
    def time_zone(self) -> str | None:
        """Name of the log's time zone (``TimeZoneString``), or None if the header has none."""
        return self.get("TimeZoneString")
