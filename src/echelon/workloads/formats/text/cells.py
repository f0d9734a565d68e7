"""Cells: one column of a text file, and how its texts become numbers, times and codes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.errors import InputError
from echelon.model.jobs.fields import LARGEST, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Callable

    import polars as pl
    from numpy.typing import NDArray

    from echelon.model.jobs.columns import FloatColumn, IntColumn

UNKNOWN_CELLS = frozenset({"", "-1", "unknown", "none", "null", "n/a", "na"})
"""Texts, in lower case, that stand for an unknown value."""


_NAMELESS = frozenset({"", "-1"})


class Codes(NamedTuple):
    """A column of codes, and the names behind them: code c is ``names[c - 1]``; no names: plain numbers."""

    column: IntColumn
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cells:
    """The texts of one field, a line each.

    Parameters
    ----------
    file : str
        The file, for messages.
    field : str
        The field's name as the format spells it, for messages.
    texts : polars.Series, shape (n_jobs,)
        As found, with surrounding blanks; numbers where the file holds numbers (Parquet).
    lines : IntColumn, shape (n_jobs,)
        1-based line number of each text; 0 if the file has no lines (Parquet).
    unknown : frozenset of str
        Texts, in lower case, that read as -1. Default `UNKNOWN_CELLS`.
    """

    file: str
    field: str
    texts: pl.Series
    lines: IntColumn
    unknown: frozenset[str] = UNKNOWN_CELLS

    @property
    def stripped(self) -> pl.Series:
        """The texts without surrounding blanks; null and numbers as text too."""
        import polars as pl

        return self.texts.cast(pl.String).fill_null("").str.strip_chars()

    def floats(self, expected: str = "a number, or -1 if unknown") -> FloatColumn:
        """Return the cells as numbers; unknown ones are -1.

        Raises
        ------
        InputError
            If a cell is not a finite number; the first one's line and value are named.
        """
        import polars as pl

        if self.texts.dtype.is_numeric():
            numbers = self.texts.cast(pl.Float64).fill_null(UNKNOWN).to_numpy()
        else:
            stripped = self.stripped
            cast = stripped.cast(pl.Float64, strict=False)
            numbers = cast.fill_null(np.nan).to_numpy()
            if cast.null_count():
                missing = stripped.str.to_lowercase().is_in(list(self.unknown)).to_numpy()
                numbers = np.where(missing, UNKNOWN, numbers)
        self._check(np.isfinite(numbers) & (np.abs(numbers) <= LARGEST), expected)
        return numbers

    def ints(self, expected: str = "a whole number, or -1 if unknown") -> IntColumn:
        """Return the cells as whole numbers (``64.0`` is one); unknown ones are -1.

        Raises
        ------
        InputError
            If a cell is not a whole number; the first one's line and value are named.
        """
        numbers = self.floats(expected)
        self._check(numbers == np.trunc(numbers), expected)
        return numbers.astype(np.int64)

    def parse_numbers(self, parse: Callable[[str], float], expected: str) -> FloatColumn:
        """Return `parse` of each cell's text; unknown ones are -1.

        Raises
        ------
        InputError
            If `parse` raises ValueError or returns what is not finite; the first such cell is named.

        Notes
        -----
        Cost: O(n), with one call of `parse` for each different text.
        """
        texts = self.stripped
        different = texts.unique(maintain_order=True).to_list()
        values = {text: self._value(parse, text) for text in different}
        numbers = np.array([values[text] for text in texts.to_list()], dtype=np.float64)
        self._check(np.abs(numbers) <= LARGEST, expected)
        return numbers

    def codes(self) -> Codes:
        """Return the cells as codes: whole numbers as they are, else 1, 2 ... in order of first appearance.

        If any text is not a whole number, all are names. Empty cells and ``-1`` are unknown either way.
        """
        try:
            return Codes(replace(self, unknown=_NAMELESS).ints(), ())
        except InputError:
            return self.names()

    def names(self) -> Codes:
        """Return the cells as names, with the codes 1, 2 ... in order of first appearance."""
        texts = self.stripped
        names = [text for text in texts.unique(maintain_order=True).to_list() if text not in _NAMELESS]
        codes = {name: code for code, name in enumerate(names, start=1)}
        column = np.array([codes.get(text, UNKNOWN) for text in texts.to_list()], dtype=np.int64)
        return Codes(column, tuple(names))

    def refuse(self, position: int, expected: str, text: object = None) -> InputError:
        """Return the error that the cell at `position`, or `text` in it, is not `expected`."""
        line = int(self.lines[position])
        where = "" if line else f" in row {position + 1}"
        return InputError(
            f"got {self.texts[position] if text is None else text!r:.60}{where}, expected {expected}",
            file=self.file,
            line=line or None,
            field=self.field,
        )

    def _value(self, parse: Callable[[str], float], text: str) -> float:
        if text.lower() in self.unknown:
            return UNKNOWN
        try:
            return float(parse(text))
        except (ValueError, OverflowError):
            return np.nan

    def _check(self, good: NDArray[np.bool_], expected: str) -> None:
        if not good.all():
            raise self.refuse(int(np.argmin(good)), expected)
