"""Replications of a study: what its axes say of seeds, of shaken copies of a log, of blocks of one run."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeGuard

from echelon.experiments.study.run.workload_spec import is_drawn
from echelon.metrics import BLOCK_METRICS
from echelon.platforms.files.mistakes import format_got
from echelon.quantities import is_number, is_whole
from echelon.workloads.transform.shaking import SHAKEN_BY

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from echelon.experiments.study.plan.point import Point
    from echelon.platforms.files.key_lines import Place
    from echelon.platforms.files.mistakes import Mistakes

SEEDS = "seeds"
"""The axis of replications; ``seed`` means the same."""

MOST_SEEDS = 1_000_000

SHAKE, BLOCKS = "shake", "blocks"
KINDS = (SEEDS, "seed", SHAKE, BLOCKS)
"""Keys of the axes that say what is a replication; one of them at most."""

UNITS = {"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86_400.0, "w": 604_800.0}

_LENGTH = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*")
_SEEDS_EXPECTED = (
    "a number of seeds, a list of different whole numbers >= 0, or a range {low = ..., high = ...}"
)
_SHAKE_EXPECTED = "a number of copies, a whole number >= 2, or a table {copies = 30, seconds = 30}"
_BLOCKS_EXPECTED = 'a length of time > 0 such as "30d", with s, min, h, d or w, or a number of seconds'


@dataclass(frozen=True, slots=True)
class Replications:
    """What repetitions of each combination a study has.

    Parameters
    ----------
    seeds : tuple of int, default empty
        Of the runs of each combination; those of shaken copies are 0, 1, 2 ...
    shake : int, optional
        Most seconds that each submit time of a copy is moved by, >= 1; None where nothing is shaken.
    blocks : float, optional
        Length of the blocks that each run is cut into, in s, > 0; None for whole runs.
    """

    seeds: tuple[int, ...] = ()
    shake: int | None = None
    blocks: float | None = None


def replications_of(axes: dict[str, Any], fixed: dict[str, Any], mistakes: Mistakes) -> Replications:
    """Return the replications that the axes say, and take them out of there; note what is wrong with them.

    Shaken copies are seeds with the setting ``shake_by``, which is put among what all runs share.
    """
    kinds = [kind for kind in (SHAKE, BLOCKS) if kind in axes]
    if kinds and (others := [kind for kind in KINDS if kind in axes and kind != kinds[0]]):
        mistakes.note(
            ("axes", others[-1]),
            f"defines the replications, and so does {kinds[0]}; leave out one of the two",
        )
    copies, shift = _shake(axes.pop(SHAKE), mistakes) if SHAKE in axes else (0, None)
    length = length_of(axes.pop(BLOCKS), mistakes) if BLOCKS in axes else None
    seeds = seeds_of(axes, fixed, mistakes)
    if shift is None:
        return Replications(seeds, None, length)
    for where, table in (("fixed", fixed), ("axes", axes)):
        for key in ("shake_by", "seed", "workload_seed"):
            if key in table:
                mistakes.note(
                    (where, key), f"is set by {SHAKE} in [axes] for each copy; leave out one of them"
                )
    fixed["shake_by"] = shift
    return Replications(tuple(range(copies)), shift, length)


def length_of(length: object, mistakes: Mistakes, place: Place = ("axes", BLOCKS)) -> float | None:
    """Return a length of time in seconds: ``"30d"``, ``"1w"``, or a number; None if it is none, noted."""
    seconds: float | None = None
    if is_number(length):
        seconds = float(length)
    elif isinstance(length, str) and (match := _LENGTH.fullmatch(length)) and match[2] in UNITS:
        seconds = float(match[1]) * UNITS[match[2]]
    if seconds is None or not 0 < seconds < float("inf"):
        mistakes.note(place, f"{format_got(length)}, expected {_BLOCKS_EXPECTED}")
        return None
    return seconds


def note_misfits(
    replications: Replications, points: Iterable[Point], measures: Sequence[str], mistakes: Mistakes
) -> None:
    """Note jobs that cannot be shaken with reason, and measures that a block has not."""
    if replications.shake is not None:
        spec = next((p.settings["workload"] for p in points if is_drawn(p.settings["workload"])), None)
        if spec is not None:
            mistakes.note(
                ("axes", SHAKE),
                f"{spec!r:.60} is drawn from a model, for which replications are other samples, not shifted "
                f"submit times; give {SEEDS} instead",
            )
    if replications.blocks is not None:
        for name in dict.fromkeys(measures):
            if name not in BLOCK_METRICS:
                mistakes.note(
                    ("axes", BLOCKS),
                    f"{name} measures a whole run, not a block; the measures of blocks are "
                    f"{', '.join(BLOCK_METRICS)}",
                )


def _shake(content: object, mistakes: Mistakes) -> tuple[int, int | None]:
    """Return how many copies of a log there are, and the most seconds that submit times are moved by."""
    entries: Mapping[str, object] = content if isinstance(content, dict) else {"copies": content}
    copies, seconds = entries.get("copies"), entries.get("seconds", SHAKEN_BY)
    is_right = entries.keys() <= {"copies", "seconds"}
    if not (
        is_right and _is_whole(copies, 2) and _is_whole(seconds, 1) and max(copies, seconds) <= MOST_SEEDS
    ):
        mistakes.note(("axes", SHAKE), f"{format_got(content)}, expected {_SHAKE_EXPECTED}")
        return 0, None
    return copies, seconds


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
        mistakes.note(place, f"{format_got(entries[0])}, expected {_SEEDS_EXPECTED}")
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


def _is_whole(value: object, least: int = 0) -> TypeGuard[int]:
    return is_whole(value) and value >= least
