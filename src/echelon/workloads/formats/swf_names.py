"""Names of partitions in SWF headers: ``; Partition: 2 batch``, read and written."""

from __future__ import annotations

import re

from echelon.model.jobs.header import Header

_LABEL = "Partition"
_NUMBERED = re.compile(r"\s*(\d+)\s+(\S.*)")
_MOST = 100_000  # names are kept by place: a code of 14 digits, which occurs, can have none


def partition_names(header: Header) -> tuple[str, ...]:
    """Return the names a header gives to the codes 1, 2 ... of partitions; empty where it gives none.

    Blanks within a name are made one. Ties: of two lines for one code the first counts.
    """
    names: dict[int, str] = {}
    for text in header.all(_LABEL):
        match = _NUMBERED.match(text.partition("\n")[0])
        if match and 1 <= int(match[1]) <= _MOST:
            names.setdefault(int(match[1]), " ".join(match[2].split()))
    return tuple(names.get(code, "") for code in range(1, max(names, default=0) + 1))


def with_partition_names(header: Header, names: tuple[str, ...]) -> Header:
    """Return a header that gives these names to partitions; as it is where it does already."""
    if not any(names) or partition_names(header) == names:
        return header
    kept = [line for line in header.lines if (line[0] or "").lower() != _LABEL.lower()]
    lines = [(_LABEL, f"{code} {' '.join(name.split())}") for code, name in enumerate(names, 1) if name]
    return Header((*kept, *lines))
