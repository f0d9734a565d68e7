"""Printed numbers, kept as small tables beside the code; a table of a study beside ours, cell by cell."""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass, field
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from echelon.errors import InputError
from echelon.reproduce.machinery.figure import Apart, Detour, Figure, Quantity
from echelon.reproduce.machinery.order_agreement import OrderAgreement, mean_agreement, order_agreement

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    Labels = tuple[str, ...]
    """Of a row: what it is of."""
    Cell = tuple[Labels, str]
    """A cell of a table: the labels of its row, and its column."""

Value = TypeVar("Value", str, bool)


class PrintedFigure(NamedTuple):
    """A line of a table of figures: of what, which quantity by name, as printed, and where."""

    subject: str
    quantity: str
    printed: str
    where: str


class PrintedRows(NamedTuple):
    """Rows of a sample, all numbers, under the names of their columns."""

    columns: tuple[str, ...]
    rows: tuple[tuple[float, ...], ...]


class Printed(NamedTuple):
    """A table as printed.

    Attributes
    ----------
    heads, columns : tuple of str
        Names of the labels of rows, and of the numbers.
    rows : mapping of tuple of str to tuple of str
        The labels of a row to its numbers, as texts.
    """

    heads: tuple[str, ...]
    columns: tuple[str, ...]
    rows: Mapping[tuple[str, ...], tuple[str, ...]]

    def number(self, *labels: str, column: str) -> float:
        """Return one number."""
        return float(self.rows[labels][self.columns.index(column)])

    def numbers(self, *labels: str) -> dict[str, float]:
        """Return a row by column, without those that are empty."""
        return {
            column: float(text) for column, text in zip(self.columns, self.rows[labels], strict=True) if text
        }


def printed_figures(study: str, table: str) -> list[PrintedFigure]:
    """Return the figures in ``printed/STUDY/TABLE.csv``."""
    return [PrintedFigure(*line) for line in _lines(study, table)[1:]]


def printed_rows(study: str, table: str) -> PrintedRows:
    """Return the rows in ``printed/STUDY/TABLE.csv``."""
    head, *lines = _lines(study, table)
    return PrintedRows(tuple(head), tuple(tuple(map(float, line)) for line in lines))


def printed_table(study: str, table: str, labels: int = 1) -> Printed:
    """Return the table in ``printed/STUDY/TABLE.csv``, of which so many columns are labels."""
    head, lines = printed_cells(study, table)
    return Printed(head[:labels], head[labels:], {line[:labels]: line[labels:] for line in lines})


def printed_cells(study: str, table: str) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return the head and the rows of ``printed/STUDY/TABLE.csv`` as the texts they are."""
    head, *lines = _lines(study, table)
    return tuple(head), [tuple(line) for line in lines]


def _lines(study: str, table: str) -> list[list[str]]:
    text = (resources.files("echelon.reproduce") / "printed" / study / f"{table}.csv").read_text("utf-8")
    return list(csv.reader(text.splitlines()))


@dataclass(frozen=True, slots=True)
class Misprint:
    """A cell that is printed wrong, as the study's other tables or its own sums show.

    Parameters
    ----------
    right : str
        What should be there.
    why : str
        How that is known, as a clause.
    """

    right: str
    why: str


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """A row of a printed table, and ours.

    Parameters
    ----------
    labels : tuple of str
        What the row is of, one for each head of labels.
    printed : tuple of str
        As printed, one a column; an empty text where nothing is.
    got : tuple of float, optional
        Ours, unrounded. None: not testable.
    untested : str
        Why not, as a clause; empty where it is tested.
    unit : str
        Of the numbers.
    ranked : bool, default True
        Whether the columns are rivals, so that their order says something.
    """

    labels: tuple[str, ...]
    printed: tuple[str, ...]
    got: tuple[float, ...] | None
    untested: str = ""
    unit: str = "%"
    ranked: bool = True

    def __post_init__(self) -> None:
        if self.got is not None and len(self.got) != len(self.printed):
            raise InputError(
                f"must have {len(self.printed)} numbers, got {len(self.got)}", field=f"row {self.labels}"
            )

    @property
    def agreement(self) -> OrderAgreement | None:
        """How like the two rows are; None where that is not asked or not testable."""
        if self.got is None or not self.ranked:
            return None
        return order_agreement([float(text) for text in self.printed], self.got, percent=self.unit == "%")


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """A table as printed, beside ours.

    Parameters
    ----------
    name : str
        ``"table 3"``; unique in its study.
    title : str
        What it holds, in our words.
    where : str
        Where it is printed.
    heads : tuple of str
        Of the labels of rows.
    columns : tuple of str
        Of the numbers.
    rows : tuple of PrintedRow
        In the order printed.
    misprints : mapping of (labels of a row, column) to Misprint
        Cells known to be printed wrong; default none.
    apart : mapping of (labels of a row, column) to Apart
        Cells that are shown but not counted; default none.
    why : str, default ``""``
        Why cells of ours differ, as a clause, where that is known.
    """

    name: str
    title: str
    where: str
    heads: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[PrintedRow, ...]
    misprints: Mapping[tuple[tuple[str, ...], str], Misprint] = field(default_factory=dict)
    apart: Mapping[tuple[tuple[str, ...], str], Apart] = field(default_factory=dict)
    why: str = ""

    @property
    def figures(self) -> list[Figure]:
        """Every cell that is testable, in reading order."""
        return [figure for row in self.rows for figure in self.cells(row) if figure is not None]

    def cells(self, row: PrintedRow) -> list[Figure | None]:
        """Return the cells of a row as figures; None where nothing is printed or testable."""
        if row.got is None:
            return [None] * len(row.printed)
        return [
            self._figure(row, column, printed, got) if printed else None
            for column, printed, got in zip(self.columns, row.printed, row.got, strict=True)
        ]

    def _figure(self, row: PrintedRow, column: str, printed: str, got: float) -> Figure:
        quantity = Quantity(
            "_".join((self.name.replace(" ", ""), *row.labels)), ", ".join(row.labels), row.unit, self.title
        )
        return Figure(
            column,
            quantity,
            printed,
            self.where,
            got,
            self._detour(row, column, printed, got),
            self.why,
            self.apart.get((row.labels, column)),
        )

    def _detour(self, row: PrintedRow, column: str, printed: str, got: float) -> Detour | None:
        misprint = self.misprints.get((row.labels, column))
        if misprint is None or f"{got:.{len(misprint.right.partition('.')[2])}f}" != misprint.right:
            return None
        return Detour(float(printed), f"ours is {misprint.right}, which should be printed: {misprint.why}")

    @property
    def counted(self) -> list[Figure]:
        """The testable cells that are counted: not those that must be so, or were printed before."""
        return [figure for figure in self.figures if figure.apart is None]

    @property
    def agreement(self) -> OrderAgreement:
        """Means of the rows' agreement; NaN where there is none."""
        agreements = [row.agreement for row in self.rows]
        return mean_agreement([one for one in agreements if one is not None])

    @property
    def untested(self) -> list[str]:
        """Each reason why rows are not testable, once."""
        return list(dict.fromkeys(row.untested for row in self.rows if row.got is None))

    def to_dict(self) -> Mapping[str, object]:
        """Return the table as JSON holds it; what is infinite or undefined is None."""
        return {
            "name": self.name,
            "title": self.title,
            "where": self.where,
            "columns": list(self.columns),
            "agreement": self.agreement.to_dict(),
            "rows": [
                {
                    "labels": list(row.labels),
                    "unit": row.unit,
                    "printed": list(row.printed),
                    "got": None if row.got is None else [_plain(value) for value in row.got],
                    "agrees": None if row.got is None else [one and one.agreement for one in self.cells(row)],
                    "order": None if row.agreement is None else row.agreement.to_dict(),
                    "untested": row.untested or None,
                }
                for row in self.rows
            ],
            "misprints": [
                {"row": list(labels), "column": column, "right": one.right, "why": one.why}
                for (labels, column), one in self.misprints.items()
            ],
        }


def beside_print(
    printed: Printed,
    heading: tuple[str, str, str],
    ours: Callable[[Labels], Iterable[float] | None],
    *,
    unit: str | Callable[[Labels], str] = "%",
    ranked: bool | Callable[[Labels], bool] = True,
    untested: str | Callable[[Labels], str] = "",
    misprints: Mapping[Cell, Misprint] | None = None,
    apart: Mapping[Cell, Apart] | None = None,
    why: str = "",
) -> PrintedTable:
    """Return a table as printed, beside ours.

    Parameters
    ----------
    printed : Printed
        As it is kept beside the code.
    heading : (str, str, str)
        Name, title and where, as of `PrintedTable`.
    ours : callable (labels of a row) -> iterable of float, or None
        Our row, one number a column; None: not testable.
    unit, ranked, untested : value, or callable (labels of a row) -> value
        As of `PrintedRow`; `untested` is said of the rows that are not testable alone.
    misprints, apart, why
        As of `PrintedTable`.
    """

    def row(labels: Labels, texts: tuple[str, ...]) -> PrintedRow:
        our_row = ours(labels)
        got = None if our_row is None else tuple(map(float, our_row))
        reason = "" if got is not None else _said_of(untested, labels)
        return PrintedRow(labels, texts, got, reason, _said_of(unit, labels), _said_of(ranked, labels))

    rows = tuple(row(labels, texts) for labels, texts in printed.rows.items())
    return PrintedTable(*heading, printed.heads, printed.columns, rows, misprints or {}, apart or {}, why)


def _said_of(value: Value | Callable[[Labels], Value], labels: Labels) -> Value:
    return value(labels) if callable(value) else value


def _plain(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
