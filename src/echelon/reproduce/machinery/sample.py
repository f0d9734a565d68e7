"""Sample: published rows of a table beside ours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Sample:
    """Rows that a study printed from a larger table, and the same rows of ours.

    Parameters
    ----------
    title : str
        What the table is of.
    where : str
        Section or figure of the study.
    columns : sequence of str
        Names; the first one identifies a row.
    printed, got : sequence of sequence of float
        One sequence a row, in the order printed; of equal length.
    """

    title: str
    where: str
    columns: Sequence[str]
    printed: Sequence[Sequence[float]]
    got: Sequence[Sequence[float]]

    @property
    def differing(self) -> list[int]:
        """0-based places of the rows that differ in any column."""
        pairs = zip(self.printed, self.got, strict=True)
        return [place for place, (printed, got) in enumerate(pairs) if list(printed) != list(got)]

    @property
    def agrees(self) -> bool:
        """Whether every row is as printed in every column."""
        return not self.differing

    def to_dict(self) -> Mapping[str, object]:
        """Return the sample as JSON holds it."""
        return {
            "title": self.title,
            "where": self.where,
            "columns": list(self.columns),
            "printed": [list(row) for row in self.printed],
            "got": [list(row) for row in self.got],
            "differing": self.differing,
        }
