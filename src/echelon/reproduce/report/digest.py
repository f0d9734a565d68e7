"""Digest: the summary of a reproduced study for the documentation, without its long tables."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from echelon.reproduce.report.differences import differences

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.reproduce.machinery.figure import Figure
    from echelon.reproduce.machinery.printed_table import PrintedTable
    from echelon.reproduce.machinery.study import Reproduction, Study

MOST_FIGURES = 60
"""Printed numbers shown one by one; of more, only those of tables as wholes."""


def digest(
    reproduction: Reproduction, *, seconds: float, settings: Mapping[str, object] | None = None
) -> dict[str, Any]:
    """Return the outcome in short, as JSON holds it.

    Parameters
    ----------
    reproduction : Reproduction
        The result of the study.
    seconds : float
        How long it took, in seconds.
    settings : mapping of str to object, optional
        What was said of how it is run: ``{"quick": True}``. Default: nothing.

    Returns
    -------
    dict
        Of the study: ``name``, ``title``, ``source``, ``needs``, ``takes``; then ``seconds``, ``settings``,
        ``verdict``, ``conclusion``, ``agrees``, ``printed`` and ``as_printed`` (how many numbers are
        counted), ``apart`` (how many are not), ``rows`` and ``rows_as_printed``, ``independent`` and
        ``independent_agreeing``, ``claims`` (each with its verdict, finding and statements), ``figures``
        (printed beside ours, at most `MOST_FIGURES`), ``tables`` (cells as printed, and how like their
        orders are), ``differences``, ``charts`` (name and title), ``notes``.
    """
    printed = reproduction.counted
    independent = [one for one in reproduction.independent if one.apart is None]
    return {
        **_study(reproduction.study),
        "seconds": round(seconds, 1),
        "settings": dict(settings or {}),
        "verdict": reproduction.verdict,
        "conclusion": reproduction.conclusion,
        "agrees": reproduction.agrees,
        "printed": len(printed),
        "as_printed": sum(one.agreement == "agrees" for one in printed),
        "explained": sum(one.agreement == "explained" for one in printed),
        "apart": len(reproduction.all_printed)
        - len(printed)
        + len(reproduction.independent)
        - len(independent),
        "rows": sum(len(sample.printed) for sample in reproduction.samples),
        "rows_as_printed": sum(len(one.printed) - len(one.differing) for one in reproduction.samples),
        "independent": len(independent),
        "independent_agreeing": sum(one.agreement == "agrees" for one in independent),
        "claims": [claim.to_dict() for claim in reproduction.claims],
        "figures": [_figure(one) for one in reproduction.printed[:MOST_FIGURES]],
        "tables": [_table(one) for one in reproduction.tables],
        "differences": [one._asdict() for one in differences(reproduction)],
        "charts": [
            *(
                {"name": one.quantity.name, "title": f"{one.quantity.label} ({one.where})"}
                for one in reproduction.charts
            ),
            *({"name": one.name, "title": one.title} for one in reproduction.pictures),
        ],
        "notes": list(reproduction.notes),
    }


def run_summary(digest: Mapping[str, Any]) -> str:
    """Return how long a study took and what was said of how it is run: ``36 s, quick``."""
    if "seconds" not in digest:
        return "not run"
    parts = (
        name if value is True else f"{name} {value}" for name, value in digest.get("settings", {}).items()
    )
    return ", ".join((f"{digest['seconds']:,.0f} s", *parts))


VERDICTS = ("holds", "holds in part", "does not hold", "not decided")
"""The verdicts that are counted one by one; the others are `explanation only` and `not testable`."""


def claim_counts(digest: Mapping[str, Any]) -> tuple[int, ...]:
    """Return how many claims hold, hold in part, do not, are not decided, and cannot be tested."""
    verdicts = [claim["verdict"] for claim in digest.get("claims", ())]
    counts = [verdicts.count(verdict) for verdict in VERDICTS]
    return *counts, len(verdicts) - sum(counts)


def failed_digest(study: Study, problem: str) -> dict[str, Any]:
    """Return the digest of a study that could not be run, with the sentence that says why."""
    return {**_study(study), "problem": problem}


def _study(study: Study) -> dict[str, Any]:
    return {name: getattr(study, name) for name in ("name", "title", "source", "needs", "takes")}


def _figure(one: Figure) -> dict[str, Any]:
    return {
        "subject": one.subject,
        "quantity": one.quantity.label,
        "unit": one.quantity.unit,
        "printed": one.printed,
        "ours": one.ours,
        "agreement": one.agreement,
        "apart": "" if one.apart is None else one.apart.kind,
        "where": one.where,
    }


def _table(one: PrintedTable) -> dict[str, Any]:
    tau = one.agreement.kendall
    return {
        "title": one.title,
        "where": one.where,
        "cells": len(one.counted),
        "as_printed": sum(figure.agreement == "agrees" for figure in one.counted),
        "apart": len(one.figures) - len(one.counted),
        "tau": tau if math.isfinite(tau) else None,
        "untested": one.untested,
    }
