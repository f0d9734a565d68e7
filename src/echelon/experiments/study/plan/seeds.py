"""Seeds of a study: the replications of every combination."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeGuard

from echelon.platforms.files.mistakes import format_got

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.platforms.files.mistakes import Mistakes

SEEDS = "seeds"
"""The axis of replications; ``seed`` means the same."""

MOST_SEEDS = 1_000_000

_EXPECTED = "a number of seeds, a list of different whole numbers >= 0, or a range {low = ..., high = ...}"


def seeds_of(axes: dict[str, Any], fixed: Mapping[str, Any], mistakes: Mistakes) -> tuple[int, ...]:
    """Return the seeds that the axes say, and take them out of there; none if they say none.

    ``30`` means 0 to 29, ``{low = 100, high = 129}`` means these and those between.
    """
    names = [name for name in (SEEDS, "seed") if name in axes]
    entries = [axes.pop(name) for name in names]
    if not entries:
        return ()
    place = ("axes", names[0])
    if len(entries) > 1:
        mistakes.note(("axes", "seed"), f"means the same as {SEEDS}; leave out one of the two")
    if "seed" in fixed:
        mistakes.note(place, "the seed is also in [fixed]; leave out one of the two")
    seeds = _seeds(entries[0])
    if not seeds or len(seeds) > MOST_SEEDS or len(set(seeds)) < len(seeds):
        mistakes.note(place, f"{format_got(entries[0])}, expected {_EXPECTED}")
        return ()
    return tuple(seeds)


def _seeds(entry: object) -> range | list[int]:
    if _is_whole(entry):
        return range(min(entry, MOST_SEEDS + 1))
    if isinstance(entry, list):
        return entry if all(map(_is_whole, entry)) else []
    if isinstance(entry, dict) and set(entry) == {"low", "high"} and all(map(_is_whole, entry.values())):
        return range(entry["low"], entry["high"] + 1)
    return []


def _is_whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
