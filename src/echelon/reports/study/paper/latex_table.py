r"""Table of means as LaTeX: rules of booktabs, columns of siunitx that align at the decimal point.

A mean with its interval takes three columns: ``24.58 & $\pm$ & 3.1``, or ``24.58 & [\num{0}, & \num{54.6}]``.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from echelon.quantities import HALF_WIDTH_DIGITS, figure

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from echelon.reports.study.paper.means_table import Column, MeansTable

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "·": r"\textperiodcentered{}",
    # After the end of a row these would be its options.
    "[": "{[}",
    "*": "{*}",
    # Two of them would be a dash or a quotation mark.
    "-": "-{}",
    "'": "'{}",
    "`": "`{}",
}


def latex_text(table: MeansTable) -> str:
    """Return a ``tabular``, with a comment that says which packages it needs and what its intervals are."""
    sentence = " ".join(table.intervals_sentence.replace("±", "+-").split())
    study = re.sub(r"[\x00-\x1f\x85\u2028\u2029]+", " ", table.study)
    columns = [_Shown(table, column) for column in table.columns]
    rows = [
        " & ".join((*map(escape, row), *(column.cells(place) for column in columns))) + r" \\"
        for place, row in enumerate(table.rows)
    ]
    return "\n".join(
        (
            f"% {study}: {sentence}",
            r"% \usepackage{booktabs,siunitx}",
            rf"\begin{{tabular}}{{{'l' * len(table.heads)} {' '.join(column.spec for column in columns)}}}",
            r"\toprule",
            *_heads(table, columns),
            r"\midrule",
            *rows,
            r"\bottomrule",
            r"\end{tabular}",
            "",
        )
    )


def escape(text: str) -> str:
    r"""Return a text as LaTeX shows it letter by letter.

    Examples
    --------
    >>> print(escape("easy_2 & 50 %"))
    easy\_2 \& 50 \%
    >>> print(escape("first-come--served"))
    first-come-{}-served
    """
    shown = "".join(_ESCAPES.get(letter, letter) for letter in text)
    # A single hyphen or apostrophe has no neighbor to become something else with.
    return re.sub(r"(?<![-'`])([-'`])\{\}(?![-'`])", r"\1", shown)


class _Shown:
    """A column of means with its three columns of LaTeX."""

    def __init__(self, table: MeansTable, column: Column) -> None:
        self._cells = column.cells
        self._quantity = column.quantity
        self._is_cut = table.is_cut(column)
        self._means = [
            _drop_commas(column.quantity.format(cell.mean)) if cell else "–" for cell in column.cells
        ]
        self._halves = [self._half(row) for row in range(len(column.cells))]
        self.has_intervals = any(self._halves)
        self.head = column.head

    @property
    def width(self) -> int:
        """Columns of LaTeX."""
        return 3 if self.has_intervals else 1

    @property
    def spec(self) -> str:
        """What the columns are, for the preamble of the table."""
        means = _spec(self._means)
        if not self.has_intervals:
            return means
        if self._is_cut:
            return rf"{means} @{{\;}} r @{{\,}} l"
        return rf"{means} @{{\,}} c @{{\,}} {_spec(self._halves, 'table-number-alignment=left')}"

    def cells(self, row: int) -> str:
        """Return the cells of a row."""
        mean = _number(self._means[row], self._means)
        if not self.has_intervals:
            return mean
        if not self._halves[row]:
            return f"{mean} & &"
        if self._is_cut:
            cell = self._cells[row]
            low, high = map(_drop_commas, map(figure, self._quantity.interval(cell))) if cell else ("", "")
            return rf"{mean} & [\num{{{low}}}, & \num{{{high}}}]"
        return rf"{mean} & $\pm$ & {_number(self._halves[row], self._halves)}"

    def _half(self, row: int) -> str:
        """Return half the width of the interval of a row; empty if it has none."""
        cell = self._cells[row]
        if cell is None or not math.isfinite(cell.high):
            return ""
        return _drop_commas(figure(self._quantity.scale(cell.high - cell.mean), HALF_WIDTH_DIGITS))


def _drop_commas(number: str) -> str:
    """Return a number without commas: siunitx parts thousands as the document wants it."""
    return number.replace(",", "")


def _spec(numbers: Sequence[str], *further: str) -> str:
    """Return the column with room for these numbers: ``S[table-format=3.2]``; r if one has a power of ten."""
    present = [number for number in numbers if number not in ("", "–")]
    if not present or any("e" in number for number in present):
        return "r"
    parts = [number.lstrip("-").partition(".") for number in present]
    sign = "-" if any(number.startswith("-") for number in present) else ""
    whole, decimals = (max(len(part[place]) for part in parts) for place in (0, 2))
    form = f"{sign}{whole}.{decimals}" if decimals else f"{sign}{whole}"
    return f"S[{', '.join((f'table-format={form}', *further))}]"


def _number(number: str, column: Sequence[str]) -> str:
    if number in ("", "–"):
        return "" if not number else "{--}"
    return number if _spec(column) != "r" else rf"\num{{{number}}}"


def _heads(table: MeansTable, columns: Sequence[_Shown]) -> Iterator[str]:
    """Yield the rows above the rule: what groups of columns are of, and what each column is."""
    first = len(table.heads)
    above, rules, at, place = [], [], first + 1, 0
    for title, count in table.across:
        width = sum(column.width for column in columns[place : place + count])
        above.append(rf"\multicolumn{{{width}}}{{c}}{{{escape(title)}}}")
        rules.append(rf"\cmidrule(lr){{{at}-{at + width - 1}}}")
        at, place = at + width, place + count
    if above:
        yield " & ".join((*[""] * first, *above)) + r" \\"
        yield " ".join(rules)
    heads = (rf"\multicolumn{{{column.width}}}{{c}}{{{escape(column.head)}}}" for column in columns)
    yield " & ".join((*map(escape, table.heads), *heads)) + r" \\"
