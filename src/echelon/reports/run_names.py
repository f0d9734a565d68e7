"""What tells runs apart: their labels, and names short enough for charts."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from echelon.reports.tables import RunTables

LONGEST_NAME = 40
"""Letters of a name that fit a figure."""

LONGEST_ON_PAGE = 120
"""Letters of a name that the page shows whole, in lines; the list of assumptions has longer ones in full."""


def run_labels(runs: Sequence[RunTables]) -> list[str]:
    """Return what tells the runs apart: broker and policy, only the broker where the policy is the same.

    Runs that have names of their own are called by these.

    Decentralized sites have no policy, which then distinguishes no runs.
    """
    if all(run.name for run in runs):
        return [str(run.name) for run in runs]
    policies = {run.policy for run in runs if run.policy}
    if len(runs) < 2 or len(policies) > 1 or not all(run.broker for run in runs):
        return [run.label for run in runs]
    if len({run.broker for run in runs}) == len({run.label for run in runs}):
        return [run.broker for run in runs]
    # Global queues of a multicluster are in the labels alone.
    return [run.label.removesuffix(f" + {run.policy}") for run in runs]


def run_names(runs: Sequence[RunTables], *, longest: int = LONGEST_NAME) -> list[str]:
    """Return a short name for each run: its `run_labels`, numbered from the second of the same name on."""
    return number_names(shorten(label, longest) for label in run_labels(runs))


def number_names(names: Iterable[str]) -> list[str]:
    """Return names with a number from the second of the same name on: ``easy (2)``."""
    seen: Counter[str] = Counter()
    numbered = []
    for name in names:
        seen[name] += 1
        numbered.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return numbered


def shorten(name: str, longest: int) -> str:
    """Return a name of at most so many letters: of a longer one both ends."""
    if len(name) <= longest:
        return name
    half = longest // 2
    return f"{name[: half - 1]}…{name[-half:]}"
