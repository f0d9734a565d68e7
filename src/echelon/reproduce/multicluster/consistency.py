"""Whether the thesis' printed numbers and sentences follow from each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.reproduce.machinery.listing import Check
from echelon.reproduce.multicluster.data import TABLES, printed_in_text, read_printed
from echelon.reproduce.multicluster.evidence import ANALYTIC, SIX, STATISTICAL

if TYPE_CHECKING:
    from collections.abc import Iterator

PROSE_SLOPE = "0.0828"
"""Slope of SDPN's waits under high load by the text, where table 3.9 has another."""
PROSE_LOSS = "16"
"""Percent by which PTT with w = 0 is slower than with w = 0.5, by the conclusions."""
PROSE_GAINS = {"SDPN": "80", "Hybrid": "50"}
"""Percent by which correction lowers deviation without owners, by the text."""


def consistency() -> list[Check]:
    """Return every check of printed numbers against each other."""
    return [*_correction(), *_rankings(), *_weights(), _correlation(), _slope()]


def _deviation(table: str, name: str) -> float:
    return read_printed(table).number("deviation", column=name)


def _correction() -> Iterator[Check]:
    for load, table in (("shared", "3.8"), ("high load", "3.9")):
        for name in ("SDPN", "Hybrid"):
            before = read_printed("3.10").number(load, name, column="deviation")
            note = "" if before == _deviation(table, name) else "One of the two is misprinted."
            yield Check(
                f"deviation of {name} before correction, {load}: table 3.10 and table {table}",
                f"{before:.2f}",
                f"{_deviation(table, name):.2f}",
                note,
            )
    for name, gain in PROSE_GAINS.items():
        before, after = (
            read_printed("3.10").number("shared", name, column=column)
            for column in ("deviation", "corrected deviation")
        )
        yield Check(
            f"gain of {name} by correction, shared: the text and table 3.10, %",
            gain,
            f"{100 * (1 - after / before):.0f}",
            "Rounded in the text.",
        )


def _rankings() -> Iterator[Check]:
    runs = [number for number, (quantity, _) in TABLES.items() if quantity == "run"]
    best = [min((_deviation(table, name), SIX.index(name)) for name in SIX)[1] for table in runs]
    yield Check(
        "IBL is best for execution in practically all cases (§ 3.5.5): tables 3.4, 3.5, 3.6",
        "IBL, IBL, IBL",
        ", ".join(SIX[place] for place in best),
        "In 3.4 Li and IBL print alike; in 3.5 Hybrid and Smith are before IBL.",
    )
    worst, least = (
        max(_deviation("3.5", name) for name in STATISTICAL),
        min(_deviation("3.5", name) for name in ANALYTIC),
    )
    yield Check(
        "statistical estimators are better than analytic ones in table 3.5 (§ 3.5.3.2)",
        "yes",
        "yes" if worst < least else "no",
        f"Worst statistical deviation {worst:.2f}, least analytic {least:.2f}.",
    )


def _weights() -> Iterator[Check]:
    gains = {line.subject: float(line.printed) for line in printed_in_text() if line.quantity == "gain"}
    slow, half, full = (gains[f"PTT w = {weight} against TAT"] for weight in ("0", "0.5", "1"))
    yield Check(
        "PTT with w = 0 is slower than with w = 0.5, %: § 4.3.4 and the gains of § 4.3.3",
        PROSE_LOSS,
        f"{100 * ((100 - slow) / (100 - half) - 1):.0f}",
        "",
    )
    yield Check(
        "gain of PTT with w = 1 over TAT, %: equation 4.1 ranks clusters by the square of what TAT ranks by",
        f"{full:.1f}",
        "0.0",
        "The two choose alike, so the laboratory's 5.4 % are from run to run, or of another formula.",
    )


def _correlation() -> Check:
    text = read_printed("3.7").rows["Ra",][read_printed("3.7").columns.index("Hanzich")]
    return Check(
        "Ra of Hanzich in table 3.7, beside a deviation of 0.04 and SDPN's 0.9986",
        text,
        "0.9986",
        "Waits that scatter so much could not be that near.",
    )


def _slope() -> Check:
    table = read_printed("3.9")
    return Check(
        "slope of SDPN's waits, high load: § 3.5.6 and table 3.9",
        PROSE_SLOPE,
        table.rows["slope",][table.columns.index("SDPN")],
        "Tables outrank the text.",
    )
