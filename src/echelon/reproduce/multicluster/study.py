"""The M-CISNE thesis: estimators, choice of clusters, rules of queues and co-allocation, E0 to E4.

Source: Lérida Monsó, doctoral thesis on predictive meta-scheduling in non-dedicated multiclusters,
Universitat Autònoma de Barcelona 2009. It measured a laboratory of 16 to 24 workstations; `World` says how a
simulated one stands in for it.
"""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING

from echelon.experiments.processes import Processes
from echelon.reproduce.machinery.claims import Claims, Point
from echelon.reproduce.machinery.listing import consistency_listing
from echelon.reproduce.machinery.published_study import PublishedStudy
from echelon.reproduce.machinery.study import Reproduction
from echelon.reproduce.multicluster import claims_clusters, claims_estimates, claims_queues, claims_spanning
from echelon.reproduce.multicluster import listings as tables_of_ours
from echelon.reproduce.multicluster.claims_clusters import same_as_tat
from echelon.reproduce.multicluster.consistency import consistency
from echelon.reproduce.multicluster.experiments import (
    Experiments,
    MulticlusterSettings,
    experiments,
)
from echelon.reproduce.multicluster.fit import fit_listing, search_listing
from echelon.reproduce.multicluster.pictures import pictures
from echelon.reproduce.multicluster.setups import BARE, BURST, DECISION, FITTED, ONE_SLOPE, PERIOD
from echelon.reproduce.multicluster.speed import speed_listings
from echelon.reproduce.multicluster.tables import estimate_tables, text_figures

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.reproduce.machinery.claims import Claim
    from echelon.reproduce.machinery.experiments import Parts, Step
    from echelon.reproduce.machinery.listing import Listing
    from echelon.reproduce.multicluster.evidence import Evidence


CLAIMS: Claims[Evidence] = Claims(
    claims_estimates.CLAIMS, claims_clusters.CLAIMS, claims_queues.CLAIMS, claims_spanning.CLAIMS
)
"""What it claims, C1 to C26; the texts are ours."""

_FIXED = (
    "The thesis measured laboratories; a simulation cannot reproduce its digits, so agreement is by order, "
    "direction and claim. Its figures of E2 to E4 are lost, so the text on them is used.",
    f"The world in which jobs run is {FITTED.spec}; contracts leave tasks all memory. Tasks share "
    "processors by what they use of them; a job loses 0.4 times its communication time to each further "
    "parallel task in its fullest node; the same program varies by 1.25 %, and its profile is off by a "
    "lognormal factor; an owner costs tasks 2.25 times the processor time that he uses. No estimator knows "
    "of the last four. They were fitted to twelve printed numbers on the world itself (listing fit); all "
    "else follows.",
    "Predictions take the time of table 3.11: a job of E1 joins the queue 3.48, 8.95 or 9.05 s after the one "
    f"before it at the earliest, and each choice of TAT and PTT in E2 and E3 takes {DECISION:g} s, one "
    "after the other. Round robin and first fit take no time. Turnaround from delivery, which the thesis "
    "reports for E2, does not count the wait for a decision; that from submission does, and stands beside "
    "it.",
    "A limit of a queue in E3 counts the jobs that run in the cluster, too. Read as a limit of waiting jobs "
    "alone, as in the other worlds, it hardly ever binds.",
    f"The world of earlier versions, {ONE_SLOPE.spec} with contracts of 65 % of memory, decisions that take "
    "no time and limits of waiting jobs, was set by one slope (SDPN's, table 3.5). It is run and judged "
    "beside, with fewer seeds and cases, and so is one in which jobs run as SDPN believes.",
    f"Owners use 15 % of a processor, 35 % of the memory and 0.5 MB/s on average, in bursts of {BURST:g} s "
    f"(ours); moving ones are at other nodes every {PERIOD:g} s (ours).",
    "Jobs are drawn uniformly from the 18 applications. Jobs of eight tasks fit into no cluster of 555; "
    "there only the other twelve are drawn, but for co-allocation.",
    "The history has as many runs of each load as of the others, with seeds of their own; each load's jobs "
    "go to the queue that the thesis names, BASIC or FCFS. Corrected estimators and the Decisor are "
    "replayed from the forecasts of the others: they do not affect a run.",
    "FFIT is read literally, as our first-site: the first cluster that is large enough, however busy, so "
    "that all jobs of 555 go to one. Clusters stand by size here, the smallest first.",
    "E0, the baselines, other estimators and co-allocation are run with decisions that take no time, as "
    "they were not measured.",
)


def notes(results: Experiments, settings: MulticlusterSettings) -> list[str]:
    """Return the notes, in the order of a reader's questions."""
    same, runs = same_as_tat(results.evidence)
    equal = (
        "PTT with w = 1 ranks clusters by the square of what TAT ranks by, so the two must choose alike: "
        f"in {same} of {runs} runs here every measure is the same. The thesis' 5.4 % between them are from "
        "run to run, or of a formula other than the printed one."
    )
    few = "" if settings.seeds >= 30 and not settings.quick else _preview_note(settings)
    return [*([few] if few else []), *_FIXED, equal]


def _preview_note(settings: MulticlusterSettings) -> str:
    short = ", fewer jobs, a shorter history and fewer cases" if settings.quick else ""
    return f"A preview only: {settings.seeds} seeds instead of 30{short}."


def _listings(results: Experiments, claims: Sequence[Claim]) -> list[Listing]:
    evidence = results.evidence
    worlds = {FITTED: evidence, ONE_SLOPE: results.one_slope, BARE: results.bare}
    return [
        consistency_listing(consistency(), "Recomputed from the printed tables."),
        fit_listing({world.name: evidence for world, evidence in worlds.items()}),
        search_listing(results.search),
        tables_of_ours.accuracy_listing(evidence),
        tables_of_ours.unequal_listing(results.unequal),
        tables_of_ours.selection_listing(evidence),
        tables_of_ours.brokers_listing(evidence),
        tables_of_ours.queueing_listing(evidence),
        tables_of_ours.central_listing(evidence),
        tables_of_ours.arrangements_listing(
            "baselines",
            "Baselines of the literature and other rules, owners on 30 % of nodes",
            "Turnaround is from submission. Gains are on TAT with a queue in each cluster.",
            results.baselines,
        ),
        tables_of_ours.arrangements_listing(
            "predictors",
            "TAT by other estimators, owners on 30 % of nodes",
            "They have no history before the run. Gains are on SDPN.",
            results.predictors,
        ),
        tables_of_ours.arrangements_listing(
            "co-allocation",
            "Two-phase meta-scheduling (algorithm 4.5) and Jones's rule, owners on 30 % of nodes",
            "Announced by the thesis, never run there. One phase: only jobs that no cluster can hold are "
            "co-allocated. Gains are on the first of each platform.",
            results.co_allocations,
        ),
        tables_of_ours.program_listing(evidence),
        tables_of_ours.scaling_listing(evidence),
        tables_of_ours.worlds_listing(
            {FITTED.name: claims} | {world.name: CLAIMS.judge(worlds[world]) for world in (ONE_SLOPE, BARE)}
        ),
    ]


POINTS = (
    Point(
        ("C10",),
        "A choice of clusters by prediction beats round robin and first fit, if turnaround begins when a job "
        "is delivered; the findings say how much of it is left if turnaround begins at submission.",
        "A choice of clusters by prediction does not beat round robin and first fit in every respect.",
        "Whether a choice of clusters by prediction beats round robin and first fit in every respect is not "
        "settled.",
    ),
    Point(
        ("C13", "C25"),
        "Larger limits of the clusters' queues make turnarounds shorter and forecasts worse.",
        "The effects of the clusters' queue limits and of blocking agree with the thesis only in part.",
        "That larger limits of the clusters' queues make turnarounds shorter and forecasts worse is not "
        "settled.",
    ),
    Point(
        ("C15",),
        "Choosing again without blocking is the best way to dispatch jobs.",
        "That choosing again without blocking is best is not confirmed.",
        "Whether choosing again without blocking is best is not settled.",
    ),
)
"""What a reader may conclude."""


def _experiments(settings: MulticlusterSettings, parts: Parts) -> Experiments:
    with Processes() as processes:
        return experiments(settings, processes, parts)


def _setting(results: Experiments, settings: MulticlusterSettings) -> dict[str, object]:
    return {
        "seeds": settings.seeds,
        "execution": FITTED.spec,
        "experiences": results.evidence.experiences,
        "jobs_of_e1": settings.jobs,
        "seconds": sum(results.seconds.values()),
        "seconds_by_part": dict(results.seconds),
    }


PUBLISHED = PublishedStudy(
    name="multicluster",
    title="Predicting, choosing and co-allocating in non-dedicated multiclusters",
    source="Lérida Monsó, doctoral thesis on predictive meta-scheduling in non-dedicated multiclusters, "
    "Universitat Autònoma de Barcelona, Bellaterra 2009",
    needs="nothing; the extras stats and exact",
    takes="12 min",
    # The thesis measured a laboratory.
    to_the_digit=False,
    options=("seeds", "quick", "speed"),
    settings=MulticlusterSettings.of,
    experiments=_experiments,
    judged=lambda study: CLAIMS.judge(study.evidence),
    points=POINTS,
    setting=_setting,
    figures=lambda study: text_figures(study.evidence),
    tables=lambda study: estimate_tables(study.evidence),
    listings=_listings,
    pictures=lambda study: pictures(study.evidence),
    notes=notes,
)


def _run(
    step: Step | None = None, *, seeds: int | None = None, quick: bool = False, speed: bool = False
) -> Reproduction:
    """Run it; with `speed`, time six estimators and a large multicluster instead."""
    if not speed:
        return PUBLISHED.run(step, seeds=seeds, quick=quick)
    began = perf_counter()
    timed = speed_listings(step, quick=quick)
    return Reproduction(MULTICLUSTER, {"seconds": perf_counter() - began}, (), listings=timed)


MULTICLUSTER = replace(PUBLISHED.study, run=_run)
