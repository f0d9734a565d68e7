"""All formats of workloads, in the order in which a file without a telling name is tried."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.errors import InputError
from echelon.lazy import Rules

if TYPE_CHECKING:
    from echelon.workloads.formats.format import Format

FORMATS: Rules[Format] = Rules(
    "echelon.workloads",
    {
        "swf": "formats.swf.FORMAT",
        "gwf": "formats.gwf.FORMAT",
        "sst-sim": "formats.sst.SIM",
        "sst-time": "formats.sst.TIME",
        "irmasim": "irmasim.formats.JSON",
        "irmasim-csv": "irmasim.formats.CSV",
        "sacct": "formats.sacct.FORMAT",
        "service": "formats.service_store.FORMAT",
        "csv": "formats.table.CSV",
        "parquet": "formats.table.PARQUET",
    },
)

ENDINGS: dict[str, tuple[str, ...]] = {
    "swf": (".swf",),
    "gwf": (".gwf",),
    "sst-sim": (".sim",),
    "sst-time": (".time",),
    "irmasim": (".json",),
    "irmasim-csv": (".csv",),
    "sacct": (".sacct", ".csv"),
    "service": (".db",),
    "csv": (".csv", ".tsv"),
    "parquet": (".parquet", ".pq"),
}
"""The endings that each format claims, so that a file's name decides which reader to import."""


def format_named(name: str) -> Format:
    """Return the format called `name`, as typed after ``--format``; see `Family.parse`."""
    from echelon.workloads.families import FORMAT

    return FORMAT.parse(name)


def format_of(file: str, head: bytes) -> Format:
    """Return the format of a file from its name, and where that leaves a choice from its first bytes.

    Parameters
    ----------
    file : str
        The file's name; an ending ``.gz`` counts for nothing.
    head : bytes
        The first 4,096 decompressed bytes.

    Raises
    ------
    InputError
        If neither tells.

    Notes
    -----
    Ties: of several formats with the file's ending, the first in `FORMATS` that recognizes the bytes; if none
    does, the last one with that ending, which is the plainest.
    """
    named = formats_ending(file)
    if len(named) == 1:
        return named[0]
    for candidate in named or FORMATS:
        if candidate.recognizes is not None and candidate.recognizes(head):
            return candidate
    if named:
        return named[-1]
    names = ", ".join(FORMATS.names)
    raise InputError(f"has no known format by its name or first bytes; give one of: {names}", file=file)


def format_to_write(file: str) -> Format:
    """Return the first format of the file's ending that can be written.

    Raises
    ------
    InputError
        If there is none; the message lists the endings.
    """
    for candidate in formats_ending(file):
        if candidate.write is not None:
            return candidate
    if file == "-":
        names = ", ".join(candidate.name for candidate in FORMATS if candidate.write)
        raise InputError(f"standard output needs a format; give --to with one of: {names}")
    endings = ", ".join(suffix for candidate in FORMATS if candidate.write for suffix in candidate.suffixes)
    raise InputError(
        f"has no extension of a format that can be written: {endings} (each also with .gz)", file=file
    )


def formats_ending(file: str) -> list[Format]:
    """Return the formats that claim the ending of `file`, in the order of `FORMATS`."""
    plain = file.lower().removesuffix(".gz")
    return [FORMATS.named(name) for name, endings in ENDINGS.items() if plain.endswith(endings)]
