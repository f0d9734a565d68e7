"""Records of Slurm's accounting: its fields by name, as numbers."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.model.jobs.fields import UNKNOWN
from echelon.model.jobs.time_zone import clock_offsets
from echelon.workloads.formats.text.cells import UNKNOWN_WORDS
from echelon.workloads.formats.text.durations import unix_seconds

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import tzinfo

    from numpy.typing import NDArray

    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.workloads.formats.text.cells import Cells
    from echelon.workloads.formats.text.delimited import DelimitedText

TIME = "Unix seconds or a time such as 2024-01-31T12:00:00"
UNKNOWN_TEXTS = UNKNOWN_WORDS | {"unlimited", "partition_limit", "invalid", "none assigned"}
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

    def in_state(self, words: tuple[str, ...]) -> NDArray[np.bool_]:
        """Return which jobs are in one of these states, as far as the table says."""
        cells = self.states()
        if cells is None:
            return np.zeros(len(self.table), dtype=np.bool_)
        return cells.texts.is_in(list(words)).to_numpy().astype(np.bool_)

    def states(self) -> Cells | None:
        """Return the first word of each job's state in lower case: ``cancelled`` of ``CANCELLED by 12``."""
        cells = self.find("state")
        if cells is None:
            return None
        return replace(cells, texts=cells.stripped.str.to_lowercase().str.split(" ").list.first())
