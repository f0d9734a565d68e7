"""Sentences on a study: its progress, and what its intervals are computed from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.quantities import duration, figure

if TYPE_CHECKING:
    from echelon.experiments.study.results.results import StudyResults
    from echelon.experiments.study.run.pace import Pace


def headline(results: StudyResults) -> str:
    """Return the name and state of a study in one line."""
    return f"{results.outline.name}: {pace_sentence(results.pace)}" if results.pace else results.outline.name


def pace_sentence(pace: Pace) -> str:
    """Return the progress of a study: ``12 of 24 runs done, 1 failed; 3.2 runs/s, 4 s left``."""
    total = "" if pace.cases is None else f" of {pace.cases:,}"
    noun = "run" if (pace.cases if pace.cases is not None else pace.done) == 1 else "runs"
    counts = [f"{pace.done:,}{total} {noun} done"]
    if pace.failed:
        counts.append(f"{pace.failed:,} failed")
    if pace.left:
        counts.append(f"{pace.left:,} left")
    text = ", ".join(counts)
    if pace.left == 0 or not pace.rate:
        return text
    if not pace.is_running:
        return f"{text}; not running" if pace.left else text
    rest = f", {duration(pace.seconds_left)} left" if pace.seconds_left else ""
    return f"{text}; {figure(pace.rate, 3)} runs/s{rest}"


def interval_sentence(results: StudyResults, axis: str, *, is_cut: bool = False) -> str:
    """Return a sentence on what the means and intervals of an axis's table are computed over.

    With `is_cut` some of them are shown by their bounds.
    """
    from echelon.reports.study.replication import replication_name

    others = results.others(axis)
    replication_axes = [name for name in others if name in results.replicated]
    fixed = [name for name in others if name not in replication_axes]
    if results.is_certain:
        over = f"means over {' × '.join(fixed)}" if fixed else "one run each"
        return f"By {axis}: {over}; no randomness, so no intervals."
    if not others:
        return f"By {axis}: one run each, so no intervals."
    over = replication_name(results, replication_axes) if replication_axes else " × ".join(fixed)
    each = f", each the mean over {' and '.join(fixed)}" if replication_axes and fixed else ""
    if not results.can_test:
        return f"By {axis}: means over {over}{each}, without intervals."
    shown = "means ± half widths, or [bounds] within a metric's range," if is_cut else "means ± half widths"
    return f"By {axis}: {shown} at {100 * results.outline.level:g} % over {over}{each}."
