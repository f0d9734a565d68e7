"""What the replications of a study are, what is none, and how far blocks of one run can be taken for some."""

from __future__ import annotations

import math
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING

from echelon.analysis import neighbors_depend
from echelon.experiments.study.results.comparison_table import BLOCK
from echelon.extras import SCIPY
from echelon.quantities import duration, tally

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from echelon.experiments.study.results.results import StudyResults

_MOST_NAMED = 4
"""Values of an axis that are named each."""


def replication_name(results: StudyResults, names: Sequence[str]) -> str:
    """Return what intervals are over, of these axes: ``seed``, ``11 blocks of 30 d`` ..."""
    outline = results.outline
    if outline.blocks is not None and BLOCK in names:
        least, most = _fewest_and_most(results)
        range_of = "" if least == most else f"{least:,} to "
        return range_of + tally(most, "block") + f" of {duration(outline.blocks)}"
    if outline.shake is not None and "seed" in names:
        copies = f"{len(results.values_of('seed')):,} copies of the log"
        return f"{copies} with submit times shifted by up to {outline.shake} s"
    return " and ".join(names)


def experiment_name(results: StudyResults, names: Sequence[str]) -> str:
    """Return what one experiment is, of these axes: ``one seed``, ``one of the 11 blocks of 30 d`` ..."""
    name = replication_name(results, names)
    return f"one {name}" if name == " and ".join(names) else f"one of the {name}"


def replication_notes(results: StudyResults) -> list[str]:
    """Return a sentence for each thing to know of the replications of a study."""
    return [*_certain(results), *_blocks(results), *([] if results.can_test else [no_scipy()])]


@contextmanager
def quiet_about_scipy() -> Iterator[None]:
    """Keep quiet inside about scipy that is not there: the page or the table says it in a sentence."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=SCIPY.sentence[:30])
        yield


def no_scipy() -> str:
    """Return the sentence on intervals and tests that are left out as scipy is not there."""
    return f"{SCIPY.sentence[0].upper()}{SCIPY.sentence[1:]}"


def dependence_notes(results: StudyResults, axis: str, measures: Sequence[str]) -> list[str]:
    """Return how far the blocks of an axis's values depend on their neighbors; nothing without blocks."""
    return [note for measure in measures for note in _dependence(results, axis, measure)]


def _certain(results: StudyResults) -> Iterator[str]:
    count, runs = results.certain, len(results.table)
    if not count:
        return
    if count == runs:
        yield (
            "The runs are not random: another seed would give the same run. So each combination was run "
            "once, has no interval and enters no test; to replicate a log, use blocks or shake instead of "
            "seeds."
        )
        return
    points = len(results.balanced.select(_fixed_axes(results)).unique()) if _fixed_axes(results) else 1
    yield (
        f"No randomness enters {count:,} of {points:,} combinations: each was run once and has no interval, "
        "ranks leave it out, and random combinations are compared with it as with a fixed value."
    )


def _fixed_axes(results: StudyResults) -> list[str]:
    return [axis for axis in results.axes if axis not in results.replicated]


def _blocks(results: StudyResults) -> Iterator[str]:
    length = results.outline.blocks
    if length is None or BLOCK not in results.table.columns:
        return
    yield (
        f"Replications are blocks of {duration(length)} of each run, by the submission of their jobs; all "
        "blocks have the same weight, whatever their number of jobs, and a shorter rest at the end is left "
        "out."
    )
    least, most = _fewest_and_most(results)
    if least < most:
        yield (
            f"Some runs have {least:,} blocks and others up to {most:,}: a mean over several runs covers the "
            "blocks that all of them have, from the first on."
        )


def _fewest_and_most(results: StudyResults) -> tuple[int, int]:
    """Return how many blocks a run has: the fewest and the most."""
    counts = results.table.select("key", BLOCK).unique()["key"].value_counts()["count"].to_list()
    return min(counts), max(counts)


def _dependence(results: StudyResults, axis: str, measure: str) -> Iterator[str]:
    correlations = {value: r for value, r in results.dependence(axis, measure).items() if math.isfinite(r)}
    if not correlations:
        return
    columns = results.experiments(axis, measure)
    high = [value for value, r in correlations.items() if neighbors_depend(r, len(columns.column(value)))]
    least, most = min(correlations.values()), max(correlations.values())
    span = f"{least:.2f}" if len(correlations) == 1 else f"{least:.2f} to {most:.2f}"
    sentence = f"Lag-1 autocorrelation of the blocks' {measure}: {span}"
    if not high:
        yield f"{sentence}, no more than independent blocks would have."
        return
    names = ", ".join(high[:_MOST_NAMED]) + (" ..." if len(high) > _MOST_NAMED else "")
    yield (
        f"{sentence}: each block depends on the one before, of {names}, so that intervals are too narrow; "
        "use longer blocks."
    )
