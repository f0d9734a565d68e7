"""Which estimates users give, and how often: twenty popular values, and a long tail of rare ones.

Users round: in the four logs the model was made from, 20 values stand for nearly nine of ten jobs, and the
longest allowed is the most popular. The constants are those of the authors' own program.

Source: Tsafrir, Etsion and Feitelson, JSSPP 2005.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.model.jobs.columns import FloatColumn, IntColumn

TOP = 20
HEAD_SHARE = 0.89
"""Share of the jobs whose estimate is one of the twenty."""

_MINUTE, _HOUR = 60, 3600
_COMMON = (
    *(_MINUTE * minutes for minutes in (5, 10, 15, 20, 30)),
    *(_HOUR * hours for hours in (1, 2, 3, 4, 5, 6, 8, 10, 12, 18)),
)
"""The fifteen values popular in all four logs, in seconds."""

_LONGEST = 1e9
"""The longest estimate that can be allowed, in seconds: as for run times of models."""

_ROUND = (
    *(_HOUR * hours for hours in (200, 100, 50, 10, 5, 2, 1)),
    *(_MINUTE * minutes for minutes in (20, 10, 5)),
)
"""Their multiples fill up the twenty, the longest first."""

_NUMBER_OF_JOBS = (0, 20, 200, 1000, 10_000, 70_000, 250_000)
_NUMBER_OF_VALUES = (0, 10, 20, 35, 90, 340, 565)

_RANK_IN_LOGS = np.array(
    [
        *((3, 1, 1, 1), (1, 3, 4, 6), (4, 4, 10, 5), (17, 2, 14, 3), (13, 12, 20, 7), (7, 9, 2, 2)),
        *((8, 8, 3, 18), (18, 18, 7, 19), (2, 6, 12, 4), (6, 7, 6, 11), (16, 11, 19, 20), (10, 20, 5, 9)),
        *((5, 16, 18, 10), (15, 5, 16, 14), (14, 14, 9, 13), (19, 13, 17, 16), (11, 10, 15, 15)),
        *((12, 15, 13, 17), (9, 17, 8, 8), (20, 19, 11, 12)),
    ]
)
"""Rank by popularity of the longest value and then of the others, ascending, in SDSC, CTC, KTH and Blue."""

_OFFSETS = (0, 30, -30, 20, -20, 10, -10)
"""Seconds by which a rare value steps aside from one that is taken."""


class Values(NamedTuple):
    """Estimates in seconds, ascending, and how many jobs have each."""

    time: IntColumn
    jobs: IntColumn


def popular_values(
    jobs: int,
    longest: int,
    random: np.random.Generator,
    *,
    head: float = HEAD_SHARE,
    known: Mapping[int, float] | None = None,
) -> Values:
    """Return the estimates of `jobs` jobs, >= 1; arguments and errors as of `popular_estimates`.

    Notes
    -----
    Where the original rounds each value's share to whole jobs and then evens out the difference, here every
    value gets one job, as long as there are enough, and the rest is shared out by largest remainders.

    Ties: of equal remainders the more popular value is first. Cost: O(n) for n values, at most 565.
    """
    known = dict(known or {})
    _check(longest, head, known)
    total = max(1, round(float(np.interp(jobs, _NUMBER_OF_JOBS, _NUMBER_OF_VALUES))))
    popular = _head(longest, head, known, random)
    rare = _tail(longest, max(0, total - len(popular)), set(popular), random)
    shares = {**popular, **{time: (1 - sum(popular.values())) * share for time, share in rare.items()}}
    time = np.array(sorted(shares), dtype=np.int64)
    return Values(time, _share_out_jobs(jobs, np.array([shares[each] for each in time.tolist()])))


def _check(longest: int, head: float, share_by_time: Mapping[int, float]) -> None:
    if not _HOUR <= longest <= _LONGEST:
        raise InputError(
            f"must be between an hour, 3600 s, and {_LONGEST:g} s, got {longest:g}", field="longest"
        )
    if not 0 <= head <= 1:
        raise InputError(f"must be between 0 and 1, got {head:g}", field="head")
    most = TOP if longest in share_by_time else TOP - 1
    if len(share_by_time) > most:
        raise InputError(f"must be at most {most} values, got {len(share_by_time)}", field="known")
    if any(not 0 < time <= longest for time in share_by_time):
        raise InputError(f"must be times > 0 and <= {longest} s, got {sorted(share_by_time)}", field="known")
    if any(share < 0 for share in share_by_time.values()) or sum(share_by_time.values()) > 1 + 1e-9:
        raise InputError("must be shares >= 0 that sum to 1 or less", field="known")


def _head(
    longest: int, head: float, share_by_time: Mapping[int, float], random: np.random.Generator
) -> dict[int, float]:
    """Return the popular values, each with its share of all jobs."""
    times = _insert_known(_own_times(longest), share_by_time, longest)
    shares = _own_shares(len(times), head, share_by_time.get(longest))
    shares, rank = _known_shares(shares, head, share_by_time, longest)
    fixed = {place: rank[time] for place, time in enumerate(times) if time in rank}
    ranks = _popularity(len(times), fixed, random)
    return {time: float(shares[place]) for time, place in zip(times, ranks, strict=True)}


def _own_times(longest: int) -> list[int]:
    """Return up to twenty values: the longest, those common to all logs, then multiples of round times."""
    times = [longest, *(time for time in _COMMON if time < longest)][:TOP]
    for step in _ROUND:
        for multiple in range(longest // step * step, 0, -step):
            if len(times) < TOP and multiple not in times:
                times.append(multiple)
    return [times[0], *sorted(times[1:])]


def _insert_known(times: list[int], share_by_time: Mapping[int, float], longest: int) -> list[int]:
    """Put the known values in, each in place of the nearest own one, those not common to all logs first."""
    new = sorted(set(share_by_time) - set(times))
    kept, free = list(times), TOP - len(times)
    pool = [time for time in times if time not in share_by_time and time != longest]
    for value in new[free:] if free > 0 else new:
        odd = [time for time in pool if time not in _COMMON] or pool
        nearest = min(odd, key=lambda time: (abs(time - value), time))
        kept[kept.index(nearest)] = value
        pool.remove(nearest)
    kept += new[: max(0, free)]
    return [longest, *sorted(time for time in kept if time != longest)]


def _own_shares(count: int, head: float, of_longest: float | None) -> FloatColumn:
    """Return the shares by rank: exponential from the second on, and the first has what is left."""
    rank = np.arange(1, count + 1)
    shares: FloatColumn = (14.0491 * np.exp(-0.177531 * rank) + 0.462513) / 100
    rest = float(shares[1:].sum())
    if of_longest is None and rest < head:
        shares[0] = head - rest
    else:
        shares[0] = of_longest or 0.0
        shares[1:] *= max(0.0, head - shares[0]) / rest if rest else 0.0
    return shares


def _known_shares(
    shares: FloatColumn, head: float, share_by_time: Mapping[int, float], longest: int
) -> tuple[FloatColumn, dict[int, int]]:
    """Put each known share in place of the nearest one; return them by rank, and the known values' ranks."""
    place: dict[int, int] = {}
    for time, share in sorted(share_by_time.items(), key=lambda item: (-item[1], item[0])):
        free = [k for k in range(len(shares)) if k not in place.values() and (k > 0) == (time != longest)]
        place[time] = min(free, key=lambda k: (abs(shares[k] - share), k))
    result = shares.copy()
    for time, k in place.items():
        result[k] = share_by_time[time]
    own = np.setdiff1d(np.arange(len(shares)), list(place.values()))
    left = max(0.0, head - sum(share_by_time.values()))
    result[own] *= left / result[own].sum() if result[own].sum() > 0 else 0.0
    order = np.concatenate(([0], 1 + np.argsort(-result[1:], kind="stable")))
    new_place = {int(old): new for new, old in enumerate(order)}
    return result[order], {time: new_place[k] for time, k in place.items()}


def _popularity(count: int, fixed: Mapping[int, int], random: np.random.Generator) -> list[int]:
    """Return the rank, from 0, of each value: the longest first, then ascending.

    Each place draws twice from the ranks that this place and those before it had in the logs, and takes the
    more popular; a rank that no later place had in any log must be taken.
    """
    last = {rank: int(np.argwhere(rank + 1 == _RANK_IN_LOGS)[:, 0].max()) for rank in range(TOP)}
    open_ = set(range(count)) - set(fixed.values())
    ranks: list[int] = []
    pool: list[int] = []
    for place in range(count):
        pool += [rank - 1 for rank in _RANK_IN_LOGS[place].tolist()]
        usable = [rank for rank in pool if rank in open_] or sorted(open_)
        due = [rank for rank in sorted(open_) if last[rank] <= place]
        if place in fixed:
            ranks.append(fixed[place])
            continue
        if place == 0 and 0 in open_:
            chosen = 0
        elif due:
            chosen = due[0]
        else:
            chosen = min(usable[draw] for draw in random.integers(len(usable), size=2).tolist())
        open_.remove(chosen)
        ranks.append(chosen)
    return ranks


def _tail(longest: int, count: int, popular: set[int], random: np.random.Generator) -> dict[int, float]:
    """Return up to `count` rare values with their shares of the rare jobs; times and shares go at random."""
    if count == 0:
        return {}
    bend = 1.0 + 12.1039 * (count + TOP) ** -0.6026
    rank = np.arange(1, count + 1) / count
    minutes = np.round((bend - 1) * rank / (bend - rank) * longest / _MINUTE).astype(int)
    times: list[int] = []
    used = set(popular)
    for second in (minutes * _MINUTE).tolist():
        near = (second + offset for offset in _OFFSETS)
        if (
            free := next((time for time in near if 0 < time < longest and time not in used), None)
        ) is not None:
            times.append(free)
            used.add(free)
    shares = np.arange(TOP + 1, TOP + 1 + len(times), dtype=np.float64) ** -2.267
    return dict(zip(times, random.permutation(shares / shares.sum()).tolist(), strict=True))


def _share_out_jobs(jobs: int, shares: FloatColumn) -> IntColumn:
    """Return whole numbers of jobs, `jobs` in all, each at least 1 if there are enough."""
    # With a head of 0 and too few jobs for rare values, all are as popular.
    shares = shares / shares.sum() if shares.sum() > 0 else np.full(len(shares), 1 / len(shares))
    least = int(jobs >= len(shares))
    exact = np.maximum(0.0, shares * jobs - least)
    exact *= (jobs - least * len(shares)) / exact.sum() if exact.sum() else 0.0
    whole = np.floor(exact + 1e-9).astype(np.int64)
    order = np.lexsort((-shares, whole - exact))
    whole[order[: jobs - least * len(shares) - int(whole.sum())]] += 1
    return whole + least
