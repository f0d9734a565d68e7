"""Where a reproduced study differs from what was printed, and why, as far as that is known."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.reproduce.machinery.printed_table import PrintedTable
    from echelon.reproduce.machinery.study import Reproduction


class Difference(NamedTuple):
    """One way in which our outcome is not the printed one.

    Parameters
    ----------
    where : str
        Of the study: a table, a figure, a claim.
    what : str
        What differs, with both numbers where there are two.
    why : str
        The reason, or what is missing to tell; empty where none is known.
    """

    where: str
    what: str
    why: str


_UNKNOWN = ""


def differences(reproduction: Reproduction) -> list[Difference]:
    """Return every difference: figures, rows, tables as wholes, misprints, claims that do not hold.

    In that order. What is not testable counts, with its reason.
    """
    return [*_figures(reproduction), *_samples(reproduction), *_tables(reproduction), *_claims(reproduction)]


def _figures(reproduction: Reproduction) -> Iterator[Difference]:
    for one in (*reproduction.printed, *reproduction.independent):
        if one.agreement == "agrees":
            continue
        what = (
            f"{one.subject}, {one.quantity.label}: printed {one.printed}, ours {one.ours} {one.quantity.unit}"
        )
        yield Difference(one.where, what, one.reason)


def _samples(reproduction: Reproduction) -> Iterator[Difference]:
    for sample in reproduction.samples:
        if sample.differing:
            what = f"{sample.title}: {len(sample.differing)} of {len(sample.printed)} rows are not as printed"
            yield Difference(sample.where, what, _UNKNOWN)


def _tables(reproduction: Reproduction) -> Iterator[Difference]:
    for table in reproduction.tables:
        yield from _cells(table)
        for reason in table.untested:
            yield Difference(table.where, f"{table.title}: some rows are not testable", reason)
        for (labels, column), one in table.misprints.items():
            what = f"{table.title}: misprint, {column} of {', '.join(labels)} should be {one.right}"
            yield Difference(table.where, what, one.why)


def _cells(table: PrintedTable) -> Iterator[Difference]:
    figures = table.counted
    apart = sum(one.agreement == "differs" for one in figures)
    if not apart:
        return
    tau = table.agreement.kendall
    # A table without rivals has no order.
    order = "" if math.isnan(tau) else f"; the orders of its rows have a mean Kendall's tau of {tau:.2f}"
    yield Difference(
        table.where, f"{table.title}: {apart} of {len(figures)} cells are not as printed{order}", table.why
    )


def _claims(reproduction: Reproduction) -> Iterator[Difference]:
    for claim in reproduction.claims:
        if claim.verdict != "holds":
            yield Difference(claim.where, f"{claim.name}, {claim.verdict}: {claim.text}", claim.finding)
