"""The M-CISNE thesis: estimators, choice of clusters, rules of queues and co-allocation, E0 to E4.

Source: Lérida Monsó, doctoral thesis on predictive meta-scheduling in non-dedicated multiclusters,
Universitat Autònoma de Barcelona 2009. It measured a laboratory of 16 to 24 workstations; `world` says how a
simulated one stands in for it.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from echelon.analysis.scipy_stats import scipy_stats
from echelon.experiments.processes import Processes
from echelon.reproduce.machinery.conclusion import Point, conclude
from echelon.reproduce.machinery.study import Reproduction, Study
from echelon.reproduce.multicluster import listings as tables_of_ours
from echelon.reproduce.multicluster.claims import judged
from echelon.reproduce.multicluster.consistency import consistency_listing
from echelon.reproduce.multicluster.experiments import experiments
from echelon.reproduce.multicluster.figures import text_figures
from echelon.reproduce.multicluster.fit import fit_listing, search_listing
from echelon.reproduce.multicluster.notes import notes
from echelon.reproduce.multicluster.pictures import pictures
from echelon.reproduce.multicluster.settings import QUICK_SEEDS, SEEDS, MulticlusterSettings
from echelon.reproduce.multicluster.speed import speed_listings
from echelon.reproduce.multicluster.tables import estimate_tables
from echelon.reproduce.multicluster.world import BARE, FITTED, ONE_SLOPE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.reproduce.machinery.claim import Claim
    from echelon.reproduce.machinery.listing import Listing
    from echelon.reproduce.machinery.parts import Step
    from echelon.reproduce.multicluster.experiments import Experiments


def run(
    step: Step | None = None, *, seeds: int | None = None, quick: bool = False, speed: bool = False
) -> Reproduction:
    """Run E0 to E4 and what the thesis announces, and set its tables and claims beside ours.

    Parameters
    ----------
    step : callable, optional
        As for `echelon.reproduce.reproduce`.
    seeds : int, optional
        Of each experiment, >= 2. Default 30; 5 if `quick`.
    quick : bool, default False
        Few jobs of E1, a short history, and few cases.
    speed : bool, default False
        Time six estimators and a large multicluster instead.

    Raises
    ------
    InputError
        If `seeds` is out of its bounds.
    MissingExtraError
        If scipy, whose intervals claims are judged by, or highspy, which solves programs, is not installed.
    """
    began = perf_counter()
    if speed:
        timed = speed_listings(step, quick=quick)
        return Reproduction(MULTICLUSTER, {"seconds": perf_counter() - began}, (), listings=timed)
    scipy_stats()
    settings = MulticlusterSettings(
        (QUICK_SEEDS if quick else SEEDS) if seeds is None else seeds, quick=quick
    )
    with Processes() as processes:
        found = experiments(settings, processes, step)
    return reproduction(found, settings, perf_counter() - began)


def reproduction(found: Experiments, settings: MulticlusterSettings, seconds: float) -> Reproduction:
    """Return what came of experiments that took so many seconds."""
    claims = judged(found.evidence)
    return Reproduction(
        study=MULTICLUSTER,
        setting={
            "seeds": settings.seeds,
            "execution": FITTED.words,
            "experiences": found.evidence.experiences,
            "jobs_of_e1": settings.jobs,
            "seconds": seconds,
            "seconds_by_part": dict(found.seconds),
        },
        printed=text_figures(found.evidence),
        claims=claims,
        tables=estimate_tables(found.evidence),
        listings=_listings(found, claims),
        pictures=pictures(found.evidence),
        notes=notes(found, settings),
        conclusion=conclude(claims, POINTS),
    )


def _listings(found: Experiments, claims: Sequence[Claim]) -> list[Listing]:
    evidence = found.evidence
    worlds = {FITTED: evidence, ONE_SLOPE: found.one_slope, BARE: found.bare}
    return [
        consistency_listing(),
        fit_listing({world.name: evidence for world, evidence in worlds.items()}),
        search_listing(found.search),
        tables_of_ours.accuracy_listing(evidence),
        tables_of_ours.unequal_listing(found.unequal),
        tables_of_ours.selection_listing(evidence),
        tables_of_ours.brokers_listing(evidence),
        tables_of_ours.queueing_listing(evidence),
        tables_of_ours.central_listing(evidence),
        tables_of_ours.arrangements_listing(
            "baselines",
            "Baselines of the literature and other rules, owners on 30 % of nodes",
            "Turnaround is from submission. Gains are on TAT with a queue in each cluster.",
            found.baselines,
        ),
        tables_of_ours.arrangements_listing(
            "predictors",
            "TAT by other estimators, owners on 30 % of nodes",
            "They know nothing before the run. Gains are on SDPN.",
            found.predictors,
        ),
        tables_of_ours.arrangements_listing(
            "co-allocation",
            "Two-phase meta-scheduling (algorithm 4.5) and Jones's rule, owners on 30 % of nodes",
            "Announced by the thesis, never run there. One phase: only jobs that no cluster can hold are "
            "co-allocated. Gains are on the first of each platform.",
            found.co_allocations,
        ),
        tables_of_ours.program_listing(evidence),
        tables_of_ours.scaling_listing(evidence),
        tables_of_ours.worlds_listing(
            {FITTED.name: claims} | {world.name: judged(worlds[world]) for world in (ONE_SLOPE, BARE)}
        ),
    ]


POINTS = (
    Point(
        ("C10",),
        "A choice of clusters by prediction beats round robin and first fit, if turnaround begins when a job "
        "is delivered; the findings tell how much of it is left for those who wait from submission on.",
        "A choice of clusters by prediction does not beat round robin and first fit in every respect.",
        "Whether a choice of clusters by prediction beats round robin and first fit in every respect is not "
        "settled.",
    ),
    Point(
        ("C13", "C25"),
        "Larger limits of the clusters' queues make turnarounds shorter and forecasts worse.",
        "What limits of the clusters' queues and blocking do is not all as the thesis says.",
        "That larger limits of the clusters' queues make turnarounds shorter and forecasts worse is not "
        "settled.",
    ),
    Point(
        ("C15",),
        "To choose again and not to block hands out jobs best.",
        "That to choose again and not to block is best is not borne out.",
        "Whether to choose again and not to block is best is not settled.",
    ),
)
"""What a reader may conclude."""

MULTICLUSTER = Study(
    name="multicluster",
    title="Predicting, choosing and co-allocating in non-dedicated multiclusters",
    source="Lérida Monsó, doctoral thesis on predictive meta-scheduling in non-dedicated multiclusters, "
    "Universitat Autònoma de Barcelona, Bellaterra 2009",
    needs="nothing; the extras stats and exact",
    run=run,
    takes="12 min",
    settings=("seeds", "quick", "speed"),
    # The thesis measured a laboratory.
    to_the_digit=False,
)
