"""Study and Reproduction: a publication that can be reproduced, and the result."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from echelon.errors import InputError
from echelon.reproduce.machinery.order_agreement import mean_agreement

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from echelon.reproduce.machinery.claims import Claim
    from echelon.reproduce.machinery.experiments import Step
    from echelon.reproduce.machinery.figure import Figure, Quantity, Sample
    from echelon.reproduce.machinery.listing import Listing
    from echelon.reproduce.machinery.picture import Picture
    from echelon.reproduce.machinery.printed_table import PrintedTable


@dataclass(frozen=True, slots=True)
class Study:
    """A published study that Echelon can run again.

    Parameters
    ----------
    name : str
        The name after ``echelon reproduce``.
    title : str
        What it did, in a line.
    source : str
        Author, title, place and year.
    needs : str
        The data sets it runs on.
    run : callable (step, **settings) -> Reproduction
        Runs it; `step` as for `echelon.compare`, or None.
    settings : tuple of str
        What else may be said of how it is run, of ``weeks``, ``quick``, ``seeds``, ``speed`` and
        ``stand_ins``; default nothing.
    to_the_digit : bool, default True
        Whether all that it ran on is known, so that a figure that differs is a failure; where its input was
        another, or is not said, it is a finding.
    takes : str, default ``""``
        How long it takes on two cores, once its data are there: ``"2 s"``.
    """

    name: str
    title: str
    source: str
    needs: str
    run: Callable[..., Reproduction]
    settings: tuple[str, ...] = ()
    to_the_digit: bool = True
    takes: str = ""

    def reproduce(self, step: Step | None = None, **settings: Any) -> Reproduction:  # noqa: ANN401
        """Run it; settings that are None are not said.

        Raises
        ------
        InputError
            If it takes no such setting.
        """
        own_settings = {name: value for name, value in settings.items() if value is not None}
        for name in own_settings:
            if name not in self.settings:
                takes = ", ".join(self.settings) or "none"
                raise InputError(f"takes no {name}; its settings: {takes}", field=f"study {self.name}")
        return self.run(step, **own_settings)

    def takes_only(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Return those of `settings` that it takes and that are said."""
        return {
            name: value for name, value in settings.items() if name in self.settings and value is not None
        }


@dataclass(frozen=True, slots=True)
class Chart:
    """Bars of one quantity, one a policy, those of one family side by side.

    Parameters
    ----------
    quantity : Quantity
        What is drawn.
    where : str
        The study's own figures of it.
    bars : mapping of str to mapping of str to float
        Family, then policy, then value; every family has the same policies.
    """

    quantity: Quantity
    where: str
    bars: Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Reproduction:
    """Result of a reproduction.

    Parameters
    ----------
    study : Study
        Which one.
    setting : mapping of str to object
        What was run: workload, its hash, processors, seconds ...
    printed : sequence of Figure
        Numbers that the study printed.
    independent : sequence of Figure
        Numbers that a program of another author gave by the same definitions; default none.
    samples : sequence of Sample
        Rows that it printed; default none.
    claims : sequence of Claim
        What it claims; default none.
    charts : sequence of Chart
        Its charts, with our values; default none.
    tables : sequence of PrintedTable
        Whole tables that it printed; default none.
    listings : sequence of Listing
        Tables of ours without printed ones; default none.
    pictures : sequence of Picture
        Further pictures, in addition to charts; default none.
    notes : sequence of str
        What a reader must know of how the study is read; default none.
    files : mapping of str to callable () -> bytes
        Files that the study's own programs wrote, made when asked for; default none.
    conclusion : str, default ``""``
        What a reader may conclude, in a sentence or two, from the claims as they were judged.
    """

    study: Study
    setting: Mapping[str, object]
    printed: Sequence[Figure]
    independent: Sequence[Figure] = ()
    samples: Sequence[Sample] = ()
    claims: Sequence[Claim] = ()
    charts: Sequence[Chart] = ()
    tables: Sequence[PrintedTable] = ()
    listings: Sequence[Listing] = ()
    pictures: Sequence[Picture] = ()
    notes: Sequence[str] = ()
    files: Mapping[str, Callable[[], bytes]] = field(default_factory=dict)
    conclusion: str = ""

    @property
    def all_printed(self) -> list[Figure]:
        """Every printed number that is testable: figures, and the cells of tables."""
        return [*self.printed, *(figure for table in self.tables for figure in table.figures)]

    @property
    def counted(self) -> list[Figure]:
        """Those printed numbers that test something: each once, without those that must be as they are."""
        return [figure for figure in self.all_printed if figure.apart is None]

    @property
    def agrees(self) -> bool:
        """Whether every figure agrees, or differs in a way that is explained, and every row is as printed."""
        figures = (*self.all_printed, *self.independent)
        return all(figure.agreement != "differs" for figure in figures) and all(
            sample.agrees for sample in self.samples
        )

    @property
    def verdict(self) -> str:
        """The outcome in sentences, the first word `Agrees` or `Differs` if anything is compared."""
        printed = self.counted
        if not (self.all_printed or self.samples or self.independent):
            return f"No printed value is compared. {self._claims()}".rstrip()
        explained = sum(figure.agreement == "explained" for figure in printed)
        parts = [f"{_share(printed)} printed figures agree to the last digit"] if printed else []
        if explained:
            parts[0] += f", {explained} more in a way that is explained"
        parts += _shares_apart(self.all_printed)
        order = mean_agreement([table.agreement for table in self.tables]).kendall
        if math.isfinite(order):
            parts.append(
                f"the order of rivals in printed tables and ours has a mean Kendall's tau of {order:.2f}"
            )
        if self.samples:
            rows = sum(len(sample.printed) for sample in self.samples)
            same = rows - sum(len(sample.differing) for sample in self.samples)
            parts.append(f"{same} of {rows} printed rows are the same")
        if self.independent:
            tested = [figure for figure in self.independent if figure.apart is None]
            parts.append(f"{_share(tested)} figures of an independent program agree")
            parts += _shares_apart(self.independent)
        outcome = "Agrees" if self.agrees else "Differs"
        return f"{outcome}: {'; '.join(parts)}. {self._claims()}".rstrip()

    def _claims(self) -> str:
        verdicts = [claim.verdict for claim in self.claims]
        counted = [f"{verdicts.count(kind)} {label}" for kind, label in _COUNTED if kind in verdicts]
        whole = "1 claim" if len(verdicts) == 1 else f"{len(verdicts)} claims"
        sentence = f"Of {whole}: {', '.join(counted)}." if verdicts else ""
        outcomes = [outcome for claim in self.claims for _, outcome in claim.statements]
        if len(outcomes) <= len(verdicts):
            return sentence
        counted = [f"{outcomes.count(kind)} {label}" for kind, label in _COUNTED if kind in outcomes]
        return f"{sentence} Of their {len(outcomes)} statements: {', '.join(counted)}."

    def to_dict(self) -> dict[str, object]:
        """Return all but the files as JSON holds it; numbers in full."""
        return {
            "study": self.study.name,
            "source": self.study.source,
            "setting": dict(self.setting),
            "agrees": self.agrees,
            "verdict": self.verdict,
            "printed": [figure.to_dict() for figure in self.printed],
            "independent": [figure.to_dict() for figure in self.independent],
            "samples": [sample.to_dict() for sample in self.samples],
            "claims": [claim.to_dict() for claim in self.claims],
            "conclusion": self.conclusion,
            "ours": {
                chart.quantity.name: {family: dict(bars) for family, bars in chart.bars.items()}
                for chart in self.charts
            },
            "tables": [table.to_dict() for table in self.tables],
            "listings": [listing.to_dict() for listing in self.listings],
            "notes": list(self.notes),
        }


_COUNTED = (
    ("holds", "hold"),
    ("holds in part", "hold in part"),
    ("does not hold", "do not hold"),
    ("not decided", "not decided"),
    ("explanation only", "explanation only"),
    ("not testable", "not testable"),
)


_APART = {
    "must be so": "follow from a definition and are not counted",
    "printed before": "are printed again and counted once",
    "worked back": "had their input derived from them and are not counted",
}


def _shares_apart(figures: Sequence[Figure]) -> list[str]:
    """Return how many figures are not counted, by the reason; and how many of them differ, if any do."""
    texts = []
    for kind, reason in _APART.items():
        group = [figure for figure in figures if figure.apart is not None and figure.apart.kind == kind]
        differ = sum(figure.agreement == "differs" for figure in group)
        if group:
            texts.append(f"{len(group)} more {reason}" + (f" ({differ} differ)" if differ else ""))
    return texts


def _share(figures: Sequence[Figure]) -> str:
    return f"{sum(figure.agreement == 'agrees' for figure in figures)} of {len(figures)}"
