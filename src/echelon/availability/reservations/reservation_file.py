"""Reservation files: our own CSV, and what Slurm's accounting database keeps of reservations."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from echelon.availability.calendar import Calendar
from echelon.availability.reservations.reservation_row import COLUMNS, REQUIRED, reservation_entry
from echelon.availability.reservations.slurm_reservations import SLURM_FIELDS, SLURM_TITLES, slurm_entries
from echelon.availability.traces.compression import unpack
from echelon.availability.traces.text_table import read_rows
from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.availability.log_clock import LogClock

_SEPARATORS = ("|", "\t", ";", ",")
"""Tried in this order; the one met most often in the line of names is taken, the earlier on a tie."""

_MOST = 256 << 20
"""Bytes that are read of a file; what is longer is no list of reservations, and may be endless."""


@dataclass(frozen=True, slots=True)
class ReservationFile:
    """A file of reservations, its cells as texts: dates are read once the log is known.

    Parameters
    ----------
    file : str
        As the user gave it.
    rows : tuple of (int, dict of str to str)
        Each row with its 1-based line, its cells by column, in lower case without blanks around them.
    is_slurm : bool
        Whether the columns are those of ``sacctmgr show reservation``.
    """

    file: str
    rows: tuple[tuple[int, dict[str, str]], ...] = field(repr=False)
    is_slurm: bool

    def calendar(self, clock: LogClock) -> tuple[Calendar, tuple[str, ...]]:
        """Return its calendar, and a clause on each thing that it carries and nothing models.

        Raises
        ------
        InputError
            If a cell is wrong: file, line, column, value and what is expected are named.
        """
        if self.is_slurm:
            entries, left = slurm_entries(self.rows, self.file, clock)
            return Calendar(entries), left
        calendar_entries = (
            reservation_entry(row, f"{self.file}, line {line}", clock) for line, row in self.rows
        )
        return Calendar(tuple(calendar_entries)), ()


def read_reservations(path: str | Path) -> ReservationFile:
    """Read a file of reservations.

    Parameters
    ----------
    path : str or Path
        A table in UTF-8, perhaps compressed by gzip or xz, recognized by its first line: our own CSV, with
        columns of `reservation_row.COLUMNS`, or ``sacctmgr -P show reservation
        format=Name,Start,End,NodeNames,Flags,Associations,TRES``.

    Raises
    ------
    InputError
        If it cannot be read, is no such table, or a row has another number of cells than there are columns.
    """
    text = _text(Path(path), str(path))
    rows = _rows(text, str(path))
    line, names = next(rows, (1, []))
    lower = [name.strip().lower() for name in names]
    if "nodenames" in lower:
        lower = [SLURM_TITLES.get(name, name) for name in lower]
    is_slurm = "nodenames" in lower or ("start" in lower and "flags" in lower and "associations" in lower)
    _check_columns(lower, names, line, str(path), is_slurm=is_slurm)
    numbered_rows = tuple((number, _row(row, lower, number, str(path))) for number, row in rows)
    if not numbered_rows:
        raise InputError("has no reservation, only the line of column names", file=str(path), line=line)
    return ReservationFile(str(path), numbered_rows, is_slurm)


def _text(file: Path, shown: str) -> str:
    try:
        with file.open("rb") as opened:
            text = unpack(opened, shown, _MOST).decode("utf-8-sig")
    except FileNotFoundError as error:
        raise InputError("no such file, expected a table of reservations", file=shown) from error
    except InputError:
        raise
    except (OSError, ValueError) as error:
        if isinstance(error, UnicodeDecodeError):
            problem = f"is not UTF-8 text: byte {error.start} is {error.object[error.start]:#x}"
            raise InputError(problem, file=shown) from error
        raise InputError(f"cannot be read: {getattr(error, 'strerror', error)}", file=shown) from error
    if not text.strip():
        raise InputError("is empty, expected a table of reservations", file=shown)
    if "\0" in text:
        raise InputError("is binary, expected a table of reservations", file=shown)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _rows(text: str, file: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each row that is neither blank nor a comment with the number of its first line."""
    first = next((line for line in text.split("\n") if line.strip() and not line.startswith("#")), "")
    for line, row in read_rows(text, file, max(_SEPARATORS, key=first.count)):
        if any(cell.strip() for cell in row) and not row[0].startswith("#"):
            yield line, row


def _check_columns(lower: list[str], names: list[str], line: int, file: str, *, is_slurm: bool) -> None:
    columns = SLURM_FIELDS if is_slurm else tuple(COLUMNS)
    wanted = ("name", "start", "end", "nodenames") if is_slurm else REQUIRED
    for name in wanted:
        if name not in lower:
            raise InputError(
                f"has no column {name!r}; its columns are {', '.join(names):.200}, expected "
                f"{', '.join(columns)}",
                file=file,
                line=line,
            )
    if twice := next((name for name in lower if name and lower.count(name) > 1), None):
        raise InputError(f"two columns are named {twice!r}", file=file, line=line)
    unknown = [name for name in lower if name and name not in columns]
    if unknown and not is_slurm:
        raise InputError(
            f"has a column {unknown[0]!r:.60}, expected only {', '.join(columns)}", file=file, line=line
        )


def _row(cells: list[str], names: list[str], line: int, file: str) -> dict[str, str]:
    if len(cells) != len(names):
        raise InputError(
            f"has {len(cells)} cells, expected {len(names)} as in the line of column names; a cell with the "
            'separator in it must be quoted with "',
            file=file,
            line=line,
        )
    return {name: cell.strip() for name, cell in zip(names, cells, strict=True) if name}
