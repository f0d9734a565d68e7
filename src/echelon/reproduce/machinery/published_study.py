"""Published study: how a publication is run again, whichever it is; a study says only what is its own.

A study is its data, its setups and its claims: a class below `PublishedStudy` names the publication, runs the
experiments and lists what is shown beside its claims. All else is the same for all studies, and is here.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from echelon.analysis.scipy_stats import scipy_stats
from echelon.reproduce.machinery.claims import Evidence
from echelon.reproduce.machinery.conclusion import conclude
from echelon.reproduce.machinery.parts import Parts
from echelon.reproduce.machinery.study import Reproduction, Study

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from echelon.reproduce.machinery.claim import Claim
    from echelon.reproduce.machinery.claims import Claims
    from echelon.reproduce.machinery.conclusion import Point
    from echelon.reproduce.machinery.figure import Figure
    from echelon.reproduce.machinery.listing import Listing
    from echelon.reproduce.machinery.parts import Step
    from echelon.reproduce.machinery.picture import Picture
    from echelon.reproduce.machinery.printed_table import PrintedTable
    from echelon.reproduce.machinery.sample import Sample
    from echelon.reproduce.machinery.study import Chart

Settings = TypeVar("Settings")
"""How much of a study is run: the type is the study's own."""


class PublishedStudy(Generic[Settings, Evidence]):
    """A publication, and how it is run again. A study overrides what it has; the rest is empty.

    Attributes
    ----------
    name, title, source, needs, takes : str
        As of `Study`.
    options : tuple of str
        What may be said of how it is run: the names of the parameters of `settings`; default nothing.
    to_the_digit : bool
        As of `Study`; default True.
    repeats : bool
        Whether its claims are judged by intervals over repetitions, so that it needs scipy; default True.
    points : tuple of Point
        What a reader may conclude, by the claims that decide it.
    remarks : tuple of str
        The notes, of a study whose notes are the same for every run.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    source: ClassVar[str]
    needs: ClassVar[str]
    takes: ClassVar[str] = ""
    options: ClassVar[tuple[str, ...]] = ()
    to_the_digit: ClassVar[bool] = True
    repeats: ClassVar[bool] = True
    claims: ClassVar[Claims[Any]]
    points: ClassVar[tuple[Point, ...]] = ()
    remarks: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def study(cls) -> Study:
        """Return it as an entry of the list of studies."""
        return Study(
            cls.name, cls.title, cls.source, cls.needs, cls().run, cls.options, cls.to_the_digit, cls.takes
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
            scipy_stats()
        settings = self.settings(**options)
        found = self.experiments(settings, Parts(step))
        return self.reproduction(found, settings, perf_counter() - began)

    def reproduction(self, found: Evidence, settings: Settings, seconds: float) -> Reproduction:
        """Return what came of experiments that took so many seconds."""
        claims = self.judged(found)
        return Reproduction(
            study=self.study(),
            setting={**self.setting(found, settings), "seconds": seconds},
            printed=self.figures(found),
            independent=self.independent(found),
            samples=self.samples(found),
            claims=claims,
            charts=self.charts(found),
            tables=self.tables(found),
            listings=self.listings(found, claims),
            pictures=self.pictures(found),
            notes=self.notes(found, settings),
            files=self.files(found),
            conclusion=self.conclusion(found, claims),
        )

    def settings(self) -> Settings:
        """Return how much is run, from what is said of it; a study with options takes each by its name."""
        return None  # type: ignore[return-value]

    def experiments(self, settings: Settings, parts: Parts) -> Evidence:
        """Run everything, part by part, and return what claims are judged by."""
        raise NotImplementedError

    def setting(self, found: Evidence, settings: Settings) -> Mapping[str, object]:
        """Return what was run, for the page: workload, processors, seeds ..."""
        return {}

    def judged(self, found: Evidence) -> list[Claim]:
        """Return every claim with its verdict and our numbers."""
        return self.claims.judged(found)

    def figures(self, found: Evidence) -> Sequence[Figure]:
        """Return the numbers that it printed, beside ours."""
        return ()

    def independent(self, found: Evidence) -> Sequence[Figure]:
        """Return numbers that a program of another author gave by the same definitions, beside ours."""
        return ()

    def samples(self, found: Evidence) -> Sequence[Sample]:
        """Return the rows that it printed, beside ours."""
        return ()

    def charts(self, found: Evidence) -> Sequence[Chart]:
        """Return its charts, with our values."""
        return ()

    def tables(self, found: Evidence) -> Sequence[PrintedTable]:
        """Return the tables that it printed, beside ours."""
        return ()

    def listings(self, found: Evidence, claims: Sequence[Claim]) -> Sequence[Listing]:
        """Return tables of ours without printed ones."""
        return ()

    def pictures(self, found: Evidence) -> Sequence[Picture]:
        """Return what is drawn besides charts."""
        return ()

    def notes(self, found: Evidence, settings: Settings) -> Sequence[str]:
        """Return what a reader must know of how the study is read; default: its `remarks`."""
        return self.remarks

    def files(self, found: Evidence) -> Mapping[str, Callable[[], bytes]]:
        """Return what writes each file that the study's own programs wrote, by its name."""
        return {}

    def conclusion(self, found: Evidence, claims: Iterable[Claim]) -> str:
        """Return what a reader may conclude, by the verdicts on `claims`."""
        return conclude(claims, self.points)
