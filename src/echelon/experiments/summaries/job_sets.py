"""Which runs are of the same jobs, as numbers and as a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Run = TypeVar("Run")


def number_runs(runs: Sequence[Run], are_equal: Callable[[Run, Run], bool]) -> tuple[int, ...]:
    """Return for each run the number of the first one that is equal to it, the distinct ones counted."""
    firsts: list[Run] = []
    numbers = []
    for run in runs:
        number = next((place for place, one in enumerate(firsts, 1) if are_equal(run, one)), 0)
        if not number:
            firsts.append(run)
        numbers.append(number or len(firsts))
    return tuple(numbers)


def set_sentences(
    runs: Sequence[Run], numbers: Sequence[int], completed: Sequence[int], called: Callable[[list[Run]], str]
) -> list[str]:
    """Return sentences that say which runs have the same jobs, if not all have or have completed them.

    Parameters
    ----------
    runs : sequence
        At least one.
    numbers, completed : sequence of int
        Numbers of the jobs that each was given, and of those that it completed.
    called : callable
        Gives the phrase for runs of the same jobs.
    """
    if len(set(numbers)) < 2:
        if len(set(completed)) < 2:
            return []
        return ["Not all runs completed the same jobs: their waits and slowdowns are not of the same jobs."]
    groups = [
        called([run for run, one in zip(runs, numbers, strict=True) if one == number])
        for number in dict.fromkeys(numbers)
    ]
    return [f"{DIFFER}; compare values only within {', and within '.join(groups)}."]


DIFFER = "The jobs of these runs differ"
"""How the sentence begins."""
