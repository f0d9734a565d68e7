"""Figure: a published number beside ours; and rows of a published table beside ours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from echelon.reproduce.machinery.printed_table import PrintedFigure

Agreement: TypeAlias = Literal["agrees", "explained", "differs"]
"""Of a published number and ours, at the digits printed; `explained`: another way, that is said, gives it."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """What a number is of.

    Parameters
    ----------
    name : str
        In files: ``"throughput"``.
    label : str
        For people: ``"throughput"``, ``"longest wait"``.
    unit : str
        ``"s"``, ``"h"``, ``"%"``, ``"jobs/day"`` ...
    formula : str
        Its name in `echelon.metrics`.
    """

    name: str
    label: str
    unit: str
    formula: str


class Apart(NamedTuple):
    """Why a number is shown but not counted: that it agrees, or differs, says nothing new.

    Parameters
    ----------
    kind : {"must be so", "printed before", "worked back"}
        It follows from a definition (the best of several is 0 % worse than the best); it is counted where it
        was printed first; or the run's input was derived from this result.
    why : str
        The reason, as a clause; may be empty where the kind says it all.
    """

    kind: Literal["must be so", "printed before", "worked back"]
    why: str = ""


class Detour(NamedTuple):
    """Another way to a figure, which the study may have taken: what it gives, and a phrase for the way."""

    value: float
    sentence: str


@dataclass(frozen=True, slots=True)
class Figure:
    """One published number, ours, and whether they agree.

    Parameters
    ----------
    subject : str
        What was measured: a policy in the study's name, or the workload.
    quantity : Quantity
        What of it.
    printed : str
        The number as published, a point before its decimals: ``"68.21"``. Its digits are those compared.
    where : str
        Section or page of the study, or the program it is from.
    got : float
        Ours, unrounded, in the same unit.
    detour : Detour, optional
        Tried when `got` itself does not round to what was printed.
    why : str, default ``""``
        Why ours differs, as a clause, where that is known.
    apart : Apart, optional
        Why it is not counted; default: it is.

    Raises
    ------
    InputError
        If `printed` is not a number.
    """

    subject: str
    quantity: Quantity
    printed: str
    where: str
    got: float
    detour: Detour | None = None
    why: str = ""
    apart: Apart | None = None

    def __post_init__(self) -> None:
        try:
            float(self.printed)
        except ValueError:
            raise InputError(
                f"must be a number, got {self.printed!r}", field=f"printed {self.quantity.name}"
            ) from None

    @property
    def digits(self) -> int:
        """Decimals printed."""
        return len(self.printed.partition(".")[2])

    @property
    def agreement(self) -> Agreement:
        """Whether ours, rounded to the digits printed, is what was printed."""
        if self._round(self.got) == self.printed:
            return "agrees"
        if self.detour is not None and self._round(self.detour.value) == self.printed:
            return "explained"
        return "differs"

    @property
    def reason(self) -> str:
        """Why ours is not what was printed, as far as that is known; empty where it agrees."""
        if self.agreement == "agrees":
            return ""
        return self.detour.sentence if self.agreement == "explained" and self.detour else self.why

    @property
    def ours(self) -> str:
        """Ours, rounded to the digits printed."""
        return self._round(self.got)

    def _round(self, value: float) -> str:
        return f"{value:.{self.digits}f}"

    def to_dict(self) -> Mapping[str, object]:
        """Return the figure as JSON holds it."""
        return {
            "subject": self.subject,
            "quantity": self.quantity.name,
            "unit": self.quantity.unit,
            "printed": self.printed,
            "got": self.got,
            "agreement": self.agreement,
            "where": self.where,
            "explanation": self.reason or None,
            "counted": self.apart is None,
            "apart": None if self.apart is None else self.apart._asdict(),
        }


def explanations(figures: Sequence[Figure]) -> list[str]:
    """Return a sentence for each figure that is explained: of what, and the way to what was printed."""
    return [
        f"{figure.subject}, {figure.quantity.label}: {figure.detour.sentence}."
        for figure in figures
        if figure.detour is not None and figure.agreement == "explained"
    ]


def figures_beside(
    lines: Iterable[PrintedFigure],
    quantities: Mapping[str, Quantity],
    ours: Callable[[PrintedFigure], float],
    *,
    detour: Callable[[PrintedFigure], Detour | None] = lambda _: None,
    apart: Callable[[PrintedFigure], Apart | None] = lambda _: None,
    why: Callable[[PrintedFigure], str] = lambda _: "",
) -> list[Figure]:
    """Return printed figures beside ours.

    Parameters
    ----------
    lines : iterable of PrintedFigure
        As they are kept beside the code.
    quantities : mapping of str to Quantity
        By the names that the lines have.
    ours : callable (line) -> float
        Our number, unrounded.
    detour, apart, why : callable (line) -> value
        As of `Figure`; default none.
    """
    return [
        Figure(
            line.subject,
            quantities[line.quantity],
            line.printed,
            line.where,
            ours(line),
            detour(line),
            why(line),
            apart(line),
        )
        for line in lines
    ]


class Measure(NamedTuple):
    """A quantity, and how it follows from what a study ran."""

    quantity: Quantity
    of: Callable[[Any], float]


def measure_figures(
    lines: Iterable[PrintedFigure],
    measures: Iterable[Measure],
    result: Callable[[PrintedFigure], object],
    *,
    detour: Callable[[PrintedFigure], Detour | None] = lambda _: None,
    apart: Callable[[PrintedFigure], Apart | None] = lambda _: None,
) -> list[Figure]:
    """Return printed figures beside ours, each measured of the `result` of its line; see `figures_beside`."""
    by_name = {measure.quantity.name: measure for measure in measures}
    quantities = {name: measure.quantity for name, measure in by_name.items()}
    return figures_beside(
        lines, quantities, lambda line: by_name[line.quantity].of(result(line)), detour=detour, apart=apart
    )


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
