"""Tables of ours: accuracy with intervals, choice of clusters, rules of queues, the program, and more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.reproduce.machinery.experiments import mean_table, tables_of
from echelon.reproduce.machinery.listing import Listing, listing
from echelon.reproduce.machinery.statement import gain, mean_interval
from echelon.reproduce.multicluster.claims_clusters import mean_of
from echelon.reproduce.multicluster.claims_spanning import growth
from echelon.reproduce.multicluster.evidence import (
    BROKERS,
    DELIVERED,
    DEVIATION,
    LIMITS,
    LOADS,
    MAKESPAN,
    MISSED,
    OWNERS,
    RULES,
    SCATTER,
    SLOPE,
    SPANNED,
    TURNAROUND,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from echelon.model.jobs.columns import FloatColumn
    from echelon.reproduce.machinery.claims import Claim
    from echelon.reproduce.machinery.experiments import FloatTable
    from echelon.reproduce.machinery.listing import Row
    from echelon.reproduce.multicluster.evidence import Evidence


@listing(
    "accuracy",
    "E1: accuracy with 95 % intervals over seeds",
    ("Load", "Of", "Estimator", "Slope", "Ra", "Deviation", "From", "To"),
    "The six of the thesis, two of them corrected while they run, and those that it announces and does "
    "not evaluate. Deviations are shares: 0.12 is 12 %.",
    labels=3,
)
def accuracy_listing(evidence: Evidence) -> Iterator[Row]:
    """Return slope, Ra and deviation of every estimator that was asked, with intervals of the deviation."""
    for (load, quantity, name), values in sorted(evidence.accuracy.items(), key=_by_load):
        slope, scatter = (mean_interval(values[:, column]).mean for column in (SLOPE, SCATTER))
        yield (load, quantity, name, slope, scatter, *mean_interval(values[:, DEVIATION]))


def _by_load(item: tuple[tuple[str, str, str], FloatTable]) -> tuple[int, str]:
    return LOADS.index(item[0][0]), item[0][1]


@listing(
    "selection",
    "E2: mean turnaround from delivery, in s, by platform and owners",
    ("Platform", "Spread", "Owners", *BROKERS),
    "Means over seeds.",
    labels=3,
)
def selection_listing(evidence: Evidence) -> Iterable[Row]:
    """Return every case of E2 by broker: mean turnaround from delivery."""
    cases = dict.fromkeys(case._replace(broker="") for case in evidence.selection)
    return [
        (
            case.platform,
            case.spread if case.owners not in (0, 100) else "",
            f"{case.owners} %",
            *(
                float(evidence.selection[case._replace(broker=broker)][:, DELIVERED].mean())
                for broker in BROKERS
            ),
        )
        for case in cases
    ]


@listing(
    "brokers",
    "E2: brokers over all cases of a platform",
    (
        "Platform",
        "Broker",
        "Turnaround, s",
        "From",
        "To",
        "Since submission, s",
        "Makespan, s",
        "Owners' slowdown",
        "Below RR, %",
        "From",
        "To",
        "Since submission below RR, %",
        "From",
        "To",
        "Below TAT, %",
        "From",
        "To",
    ),
    "Turnaround is from delivery to a cluster, as the thesis measures it, and beside it from submission, "
    "which counts the wait for a decision. Gains are of turnaround, seed by seed.",
    labels=2,
)
def brokers_listing(evidence: Evidence) -> Iterator[Row]:
    """Return the brokers over all cases of a platform, and what they gain on round robin and on TAT."""
    for platform in dict.fromkeys(case.platform for case in evidence.selection):
        took = {broker: mean_of(evidence, broker, DELIVERED, platform) for broker in BROKERS}
        stayed = {broker: mean_of(evidence, broker, TURNAROUND, platform) for broker in BROKERS}
        for broker in BROKERS:
            yield (
                platform,
                broker,
                *mean_interval(took[broker]),
                float(stayed[broker].mean()),
                float(mean_of(evidence, broker, MAKESPAN, platform).mean()),
                float(mean_of(evidence, broker, OWNERS, platform).mean()),
                *gain(took[broker], took["RR"]),
                *gain(stayed[broker], stayed["RR"]),
                *gain(took[broker], took["TAT"]),
            )


@listing(
    "queueing",
    "E3: rules of the global queue and limits of the local queues",
    (
        "Owners",
        "Rule",
        "Limit",
        "Turnaround, s",
        "From",
        "To",
        "Since delivery, s",
        "Deviation",
        "From",
        "To",
    ),
    "Over all percents of nodes with owners; moving: other nodes have them again and again. Turnaround "
    "is from submission, and beside it from delivery to a cluster. A number limits the jobs that a "
    "cluster holds, those that run there included; waiting: as a limit of waiting jobs alone. stable and "
    "stable:predicted are the limit rho < 1, which the thesis never ran.",
    labels=3,
)
def queueing_listing(evidence: Evidence) -> Iterator[Row]:
    """Return turnaround and deviation by rule and limit, of fixed and of moving owners."""
    cases = evidence.queueing
    limits = sorted(dict.fromkeys(case.limit for case in cases), key=_place_of_limit)
    for moving in (False, True):
        for rule in RULES:
            for limit in limits:
                picked = tables_of(cases, rule=rule, limit=limit, moving=moving)
                if picked:
                    mean = np.mean(picked, axis=0)
                    yield (
                        "moving" if moving else "fixed",
                        rule,
                        limit,
                        *mean_interval(mean[:, TURNAROUND]),
                        float(mean[:, DELIVERED].mean()),
                        *mean_interval(mean[:, MISSED]),
                    )


def _place_of_limit(limit: str) -> int:
    return LIMITS.index(limit) if limit in LIMITS else len(LIMITS)


@listing(
    "program",
    "E4: the program on two clusters of ten nodes, by bandwidth of a task",
    ("Variant", "PNBW", "Mean SC", "Milliseconds", "Time over least"),
    "Jobs of 8, 11, 14 and 17 tasks; means over those that have an answer. PNBW in percent of a "
    "cluster's link.",
    labels=2,
)
def program_listing(evidence: Evidence) -> Iterator[Row]:
    """Return what the program answers by variant and bandwidth, over all shares of owners."""
    cases = dict.fromkeys((case.variant, case.bandwidth) for case in evidence.program)
    for variant, bandwidth in cases:
        crossing, seconds, longer = evidence.answers(variant, bandwidth)
        yield (variant, f"{bandwidth} %", crossing, seconds * 1000, longer)


def scaling_listing(evidence: Evidence) -> Listing:
    """Return seconds by number of clusters, and the exponent of the power law that fits them."""
    sizes = sorted({clusters for _, clusters in evidence.scaling})
    rows: list[Row] = []
    for variant in dict.fromkeys(variant for variant, _ in evidence.scaling):
        seconds = np.array([float(evidence.scaling[variant, clusters].mean()) for clusters in sizes])
        rows.append((variant, *(1000 * seconds).tolist(), growth(sizes, seconds)))
    return Listing(
        "scaling",
        "E4: milliseconds of processor time of the program, by number of clusters of eight nodes",
        ("Variant", *map(str, sizes), "Exponent"),
        tuple(rows),
        "A job with a task for every other node, PNBW a quarter of a link, half of the nodes with owners. "
        "The thesis needed about two minutes for 16 clusters.",
    )


def central_listing(evidence: Evidence) -> Listing:
    """Return E0 by setup, over all percents of owners."""
    cases = evidence.central
    return arrangements_listing(
        "central",
        "E0: a queue in each cluster, or one central queue",
        "Turnaround is from submission, means over all percents of nodes with owners. Gains are on the "
        "first.",
        {
            (platform, arrangement): mean_table(cases, platform=platform, arrangement=arrangement)
            for platform in dict.fromkeys(case.platform for case in cases)
            for arrangement in dict.fromkeys(case.arrangement for case in cases)
        },
    )


def arrangements_listing(
    name: str, title: str, note: str, cases: Mapping[tuple[str, str], FloatTable]
) -> Listing:
    """Return named setups with their measures, each gain on the first one of its group."""
    return Listing(
        name,
        title,
        (
            "On",
            "Setup",
            "Turnaround, s",
            "From",
            "To",
            "Makespan, s",
            "Co-allocated, %",
            "Below first, %",
            "From",
            "To",
        ),
        tuple(_arrangement_rows(cases.items())),
        note,
        labels=2,
    )


def _arrangement_rows(cases: Iterable[tuple[tuple[str, str], FloatTable]]) -> Iterator[Row]:
    first: dict[str, FloatColumn] = {}
    for (group, setup), values in cases:
        took = values[:, TURNAROUND]
        yield (
            group,
            setup,
            *mean_interval(took),
            float(values[:, MAKESPAN].mean()),
            100 * float(np.nan_to_num(values[:, SPANNED]).mean()),
            *gain(took, first.setdefault(group, took)),
        )


@listing(
    "unequal",
    "SDPN and Hanzich under sharing, on equal and on unequal nodes",
    ("Nodes", "Of", "Estimator", "Slope", "Ra", "Deviation", "From", "To"),
    "The test that the thesis names as missing. Of the unequal nodes half have half the power and a tenth "
    "of the bandwidth of the others.",
    labels=3,
)
def unequal_listing(tables: Mapping[tuple[str, str, str], FloatTable]) -> Iterable[Row]:
    """Return the accuracy of SDPN and Hanzich on equal and unequal nodes."""
    return [
        (*key, *values.mean(axis=0)[[SLOPE, SCATTER]].tolist(), *mean_interval(values[:, DEVIATION]))
        for key, values in tables.items()
    ]


def worlds_listing(judged: Mapping[str, Sequence[Claim]]) -> Listing:
    """Return the verdicts of claims in each world, and how many of their statements hold there."""
    claims = list(zip(*judged.values(), strict=True))
    rows: list[Row] = [(here[0].name, here[0].text, *(one.summary for one in here)) for here in claims]
    return Listing(
        "worlds",
        "Claims in each world",
        ("Claim", "", *judged),
        tuple(rows),
        "In brackets: statements that hold, of how many. The other worlds are run with fewer seeds and "
        "cases, so that more is not decided there. C17 and C18 do not depend on the world.",
        labels=2 + len(judged),
    )
