"""Records of Slurm's accounting: its fields by name, as numbers, and lines with more cells than fields."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.model.jobs.fields import UNKNOWN
from echelon.model.jobs.time_zone import clock_offsets
from echelon.model.jobs.workload import Anomaly
from echelon.workloads.formats.status import status_number
from echelon.workloads.formats.text.cells import UNKNOWN_CELLS
from echelon.workloads.formats.text.durations import seconds_of_duration, seconds_of_limit, unix_seconds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import tzinfo

    from numpy.typing import NDArray

    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.workloads.formats.text.cells import Cells
    from echelon.workloads.formats.text.delimited_text import DelimitedText

TIME = "Unix seconds or a time such as 2024-01-31T12:00:00"
UNKNOWN_TEXTS = UNKNOWN_CELLS | {"unlimited", "partition_limit", "invalid", "none assigned"}
"""Texts, in lower case, that stand for an unknown value in any field."""


@dataclass(frozen=True, slots=True)
class Records:
    """The table's fields by Slurm's names in lower case, as columns of shape (n_lines,).

    Parameters
    ----------
    table : DelimitedText
        As read.
    zone : tzinfo
        Of times without an offset.
    """

    table: DelimitedText
    zone: tzinfo
    _times: dict[tuple[str, ...], FloatColumn] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def find(self, *fields: str) -> Cells | None:
        """Return the cells of the first of `fields` that the table has."""
        columns = {column.lower(): column for column in self.table.columns}
        for name in fields:
            if name in columns:
                return self.table.cells(columns[name], unknown=UNKNOWN_TEXTS)
        return None

    def need(self, what: str, *fields: str) -> Cells:
        """Return the cells of the first of `fields`, or raise `InputError` that `what` is missing."""
        cells = self.find(*fields)
        if cells is None:
            listing = ", ".join(self.table.columns)
            raise InputError(f"has no field {what}; its fields are: {listing:.300}", file=self.table.file)
        return cells

    def parse_numbers(self, parse: Callable[[str], float], expected: str, *fields: str) -> FloatColumn:
        """Return the numbers of the first of `fields` that the table has; all unknown without it."""
        cells = self.find(*fields)
        return (
            np.full(len(self.table), float(UNKNOWN))
            if cells is None
            else cells.parse_numbers(parse, expected)
        )

    def counts(self, *fields: str) -> IntColumn:
        """Return a count, -1 where it is unknown or 0, of the first of `fields` that the table has."""
        cells = self.find(*fields)
        numbers = np.full(len(self.table), UNKNOWN) if cells is None else cells.ints("a whole number")
        return np.where(numbers > 0, numbers, UNKNOWN)

    def times(self, *fields: str) -> FloatColumn:
        """Return Unix times, in seconds, not to be written to: each field is parsed once."""
        if fields not in self._times:
            unix = self.parse_numbers(lambda text: unix_seconds(text, self.zone), TIME, *fields)
            unix.flags.writeable = False
            self._times[fields] = unix
        return self._times[fields]

    def in_repeated_hour(self, *fields: str) -> NDArray[np.bool_]:
        """Return which jobs have a time in an hour that the end of daylight saving time repeats.

        Without an offset such a time says no more; `times` takes it for the first of the two.
        """
        repeats = np.zeros(len(self.table), dtype=np.bool_)
        if self.zone is UTC:
            return repeats
        for name in fields:
            unix = self.times(name)
            if not (has_time := unix != UNKNOWN).any():
                continue
            # A day more, as the hour of the last job may be the first of the two.
            offsets = clock_offsets(unix[has_time].min(), unix[has_time].max() + 86_400, str(self.zone))
            changes = zip(offsets.start[1:], *(offsets.ahead[k:] for k in (0, 1)), strict=False)
            for change, before, after in changes:
                repeats |= has_time & (unix >= change - (before - after)) & (unix < change)
        return repeats & self._are_local()

    def _are_local(self) -> NDArray[np.bool_]:
        """Return which jobs were submitted at a date and time without an offset."""
        texts = self.need("Submit", "submit").stripped
        return texts.str.contains(r"^\d{4}-\d\d-\d\d[T ][\d:.]+$").to_numpy().astype(np.bool_)

    def identities(self) -> list[str]:
        """Return the texts that name the jobs."""
        return self.need("JobID", "jobid", "jobidraw").stripped.to_list()

    def has_state(self, states: tuple[str, ...]) -> NDArray[np.bool_]:
        """Return which jobs are in one of these states, as far as the table says."""
        cells = self.states()
        if cells is None:
            return np.zeros(len(self.table), dtype=np.bool_)
        return cells.texts.is_in(list(states)).to_numpy().astype(np.bool_)

    def states(self) -> Cells | None:
        """Return the first word of each job's state in lower case: ``cancelled`` of ``CANCELLED by 12``."""
        cells = self.find("state")
        if cells is None:
            return None
        return replace(cells, texts=cells.stripped.str.to_lowercase().str.split(" ").list.first())


FREE_TEXT = ("jobname", "comment", "admincomment", "systemcomment", "extra", "workdir", "submitline", "wckey")
"""Fields in which people write what they like; sacct prints it as it is, with any ``|`` in it."""


def _number_first(text: str) -> float:
    return float(text.split("_")[0].split("+")[0].split(".")[0])


_STRICT: dict[str, Callable[[str], float]] = {
    **dict.fromkeys(("jobid", "jobidraw"), _number_first),
    **dict.fromkeys(("submit", "eligible", "start", "end"), lambda text: unix_seconds(text, UTC)),
    **dict.fromkeys(("elapsed", "elapsedraw", "totalcpu", "cputime", "cputimeraw"), seconds_of_duration),
    **dict.fromkeys(("timelimit", "timelimitraw"), seconds_of_limit),
    **dict.fromkeys(("alloccpus", "ncpus", "reqcpus", "allocnodes", "nnodes", "reqnodes"), float),
    "state": status_number,
}
"""Fields whose cells show whether they are in their column: their readers, which raise ValueError."""


class SurplusCells:
    """What is made of lines with too many cells, and which lines that were."""

    def __init__(self) -> None:
        self.joined: list[int] = []
        self.left_out: list[int] = []

    def __call__(self, line: int, cells: list[str], names: list[str]) -> list[str] | None:
        """Return the cells of a line, the surplus joined into one field of free text, or None.

        It goes where all other fields then hold what they must; None if it could go nowhere or into several
        fields.
        """
        fields = [name.lower() for name in names]
        places = [place for place, field in enumerate(fields) if field in FREE_TEXT]
        surplus = len(cells) - len(fields)
        ways = [way for place in places if _fits(way := _join_cells(cells, place, surplus), fields)]
        if len(ways) != 1:
            self.left_out.append(line)
            return None
        self.joined.append(line)
        return ways[0]

    def check(self, kept: int, file: str) -> None:
        """Raise InputError if more lines were left out than `kept`: that is no table of sacct."""
        if len(self.left_out) > kept:
            problem = (
                f"{len(self.left_out)} of {kept + len(self.left_out)} lines have more cells than the header "
                "line, and it is unclear in which field; print the table without fields of free text"
            )
            raise InputError(problem, file=file, line=self.left_out[0])

    def anomalies(self) -> Iterator[Anomaly]:
        """Yield what a person should know of such lines."""
        if self.joined:
            sentence = (
                f"{len(self.joined)} lines have the separator in a field of free text such as JobName; "
                "rejoined"
            )
            yield Anomaly("separator-in-text", len(self.joined), sentence, self.joined[0])
        if self.left_out:
            sentence = (
                f"{len(self.left_out)} lines have more cells than fields, and it is unclear which field "
                "contains the separator; not kept"
            )
            yield Anomaly("surplus-cells", len(self.left_out), sentence, self.left_out[0])


def _join_cells(cells: list[str], place: int, surplus: int) -> list[str]:
    end = place + 1 + surplus
    return [*cells[:place], "|".join(cells[place:end]), *cells[end:]]


def _fits(cells: list[str], fields: list[str]) -> bool:
    """Return whether every field that must hold a number, a time or a state holds one."""
    return all(
        field not in _STRICT or _reads(_STRICT[field], text.strip())
        for field, text in zip(fields, cells, strict=True)
    )


def _reads(parse: Callable[[str], float], text: str) -> bool:
    if text.lower() in UNKNOWN_TEXTS:
        return True
    try:
        parse(text)
    except (ValueError, OverflowError):
        return False
    return True
