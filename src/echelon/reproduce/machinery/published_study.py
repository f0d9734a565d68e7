"""Published study: how a publication is run again, whichever it is; a study says only what is its own.

A study is its data, its setups and its claims: a `PublishedStudy` names the publication, the function that
runs its experiments, its claims, and what is shown beside them. All else is the same for all studies.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from echelon.extras import SCIPY
from echelon.reproduce.machinery.claims import Evidence, conclude
from echelon.reproduce.machinery.experiments import Parts
from echelon.reproduce.machinery.study import Reproduction, Study

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from echelon.reproduce.machinery.claims import Claim, Point
    from echelon.reproduce.machinery.experiments import Step
    from echelon.reproduce.machinery.figure import Figure, Sample
    from echelon.reproduce.machinery.listing import Listing
    from echelon.reproduce.machinery.picture import Picture
    from echelon.reproduce.machinery.printed_table import PrintedTable
    from echelon.reproduce.machinery.study import Chart

Settings = TypeVar("Settings")
"""How much of a study is run: the type is the study's own."""


def _nothing(*_: object) -> tuple[()]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedStudy(Generic[Settings, Evidence]):
    """A publication, and how it is run again. A study gives what it has; the rest is empty.

    Parameters
    ----------
    name, title, source, needs, takes : str
        As of `Study`.
    to_the_digit : bool, default True
        As of `Study`.
    options : tuple of str
        What may be said of how it is run: the names of the parameters of `settings`; default nothing.
    settings : callable (**options) -> settings
        How much is run, from what is said of it; refuses what is out of bounds. Default: there is no choice.
    experiments : callable (settings, parts) -> evidence
        Runs everything, part by part, and returns what claims are judged by.
    repeats : bool, default True
        Whether claims are judged by intervals over repetitions, so that it needs scipy.
    judged : callable (evidence) -> list of Claim
        Every claim with its verdict: the `judge` of its `Claims`, where nothing else has a part in it.
    points : tuple of Point
        What a reader may conclude, by the claims that decide it; default nothing.
    remark : callable (evidence) -> str, optional
        A sentence that ends the conclusion, or an empty one.
    setting : callable (evidence, settings) -> mapping of str to object
        What was run, for the page: workload, processors, seeds ...
    figures, independent, samples, charts, tables, pictures : callable (evidence) -> sequence
        As of `Reproduction`; default none.
    listings : callable (evidence, claims) -> sequence of Listing
        Tables of ours; default none.
    notes : callable (evidence, settings) -> sequence of str, or the notes
        What a reader must know of how the study is read; default nothing.
    files : callable (evidence) -> mapping of str to callable () -> bytes
        As of `Reproduction`; default none.
    """

    name: str
    title: str
    source: str
    needs: str
    takes: str = ""
    to_the_digit: bool = True
    options: tuple[str, ...] = ()
    settings: Callable[..., Settings] = _nothing  # type: ignore[assignment]
    experiments: Callable[[Settings, Parts], Evidence]
    repeats: bool = True
    judged: Callable[[Evidence], list[Claim]]
    points: tuple[Point, ...] = ()
    remark: Callable[[Evidence], str] | None = None
    setting: Callable[[Evidence, Settings], Mapping[str, object]] = lambda *_: {}
    figures: Callable[[Evidence], Sequence[Figure]] = _nothing
    independent: Callable[[Evidence], Sequence[Figure]] = _nothing
    samples: Callable[[Evidence], Sequence[Sample]] = _nothing
    charts: Callable[[Evidence], Sequence[Chart]] = _nothing
    tables: Callable[[Evidence], Sequence[PrintedTable]] = _nothing
    listings: Callable[[Evidence, Sequence[Claim]], Sequence[Listing]] = _nothing
    pictures: Callable[[Evidence], Sequence[Picture]] = _nothing
    notes: Callable[[Evidence, Settings], Sequence[str]] | tuple[str, ...] = ()
    files: Callable[[Evidence], Mapping[str, Callable[[], bytes]]] = lambda _: {}

    @property
    def study(self) -> Study:
        """It as an entry of the list of studies."""
        return Study(
            self.name,
            self.title,
            self.source,
            self.needs,
            self.run,
            self.options,
            self.to_the_digit,
            self.takes,
        )

    def run(self, step: Step | None = None, **options: Any) -> Reproduction:  # noqa: ANN401
        """Run it, and set its figures and claims beside ours.

        Parameters
        ----------
        step : callable, optional
            As for `echelon.reproduce.reproduce`.
        **options : optional
            Those of `options` that are said.

        Raises
        ------
        InputError
            If an option is out of its bounds, or data it needs are not to be had.
        MissingExtraError
            If it judges by intervals and scipy, which works them out, is not installed.
        """
        began = perf_counter()
        if self.repeats:
            SCIPY.load()
        settings = self.settings(**options)
        evidence = self.experiments(settings, Parts(step))
        return self.reproduction(evidence, settings, perf_counter() - began)

    def reproduction(self, evidence: Evidence, settings: Settings, seconds: float) -> Reproduction:
        """Return the result of experiments that took so many seconds."""
        claims = self.judged(evidence)
        remark = self.remark(evidence) if self.remark else ""
        return Reproduction(
            study=self.study,
            setting={**self.setting(evidence, settings), "seconds": seconds},
            printed=self.figures(evidence),
            independent=self.independent(evidence),
            samples=self.samples(evidence),
            claims=claims,
            charts=self.charts(evidence),
            tables=self.tables(evidence),
            listings=self.listings(evidence, claims),
            pictures=self.pictures(evidence),
            notes=self.notes(evidence, settings) if callable(self.notes) else self.notes,
            files=self.files(evidence),
            conclusion=f"{conclude(claims, self.points)} {remark}".rstrip(),
        )
