"""Published numbers kept as small tables beside the code: figures, rows of samples, whole tables."""

from __future__ import annotations

import csv
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


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
