"""Estimated load: a published load average, corrected for jobs that started or ended recently.

Times may be in any one unit; the paper's are milliseconds, with a window of 60,000.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from echelon.model.machines.monitoring import Ended

WINDOW = 60_000.0
"""Of a one-minute load average, in milliseconds."""


def exec_ratio(elapsed: float, *, window: float = WINDOW) -> float:
    """Return the share of a process that a load average does not show `elapsed` after its start, 0 to 1.

    The average is assumed to rise linearly, by 1 / window per unit of time.

    Parameters
    ----------
    elapsed : float
        Since its start, >= 0.
    window : float, default 60000
        Of the load average, in the same unit, > 0.

    Notes
    -----
    **Source**: Rodrigues, Ishii, Gomes & dos Reis, about 2014, equation 7.
    """
    return (window - elapsed) / window if elapsed <= window else 0.0


def fin_ratio(elapsed: float, ran: float, *, window: float = WINDOW, ended: Ended = "ran") -> float:
    """Return the share of a process that a load average still shows `elapsed` after its end, 0 to 1.

    Parameters
    ----------
    elapsed : float
        Since its end, >= 0.
    ran : float
        How long it had run, >= 0.
    window : float, default 60000
        Of the load average, in the same unit, > 0.
    ended : {"ran", "full", "none"}, default "ran"
        See `echelon.model.machines.monitoring.Ended`.

    Notes
    -----
    **Source**: the inverse of equation 7, which the paper mentions without a formula; a process that ran for
    less than the window is visible only in proportion to its run.
    """
    if elapsed > window or ended == "none":
        return 0.0
    return (min(window - elapsed, ran) if ended == "ran" else window - elapsed) / window


def estimated_load(
    published: float,
    running: Iterable[tuple[float, int]],
    ended: Iterable[tuple[float, float, int]],
    *,
    now: float,
    window: float = WINDOW,
    ended_share: Ended = "ran",
) -> float:
    """Return the estimated present load of a site (ce_i), in processes.

    Parameters
    ----------
    published : float
        Sum of the load averages that the site's daemons published last (c_s).
    running : iterable of (start, processes)
        Running jobs; those that started before the window may be omitted.
    ended : iterable of (start, end, processes)
        Ended jobs; those that ended before the window may be omitted.
    now : float
        The present time.
    window : float, default 60000
        Of the load average, in the unit of all times.
    ended_share : {"ran", "full", "none"}, default "ran"
        How ended jobs are subtracted; see `echelon.model.machines.monitoring.Ended`.

    Notes
    -----
    Each process of a job counts. The published value may be older than `now`, the time of the corrections:
    recent jobs then count too little, as in the paper. **Cost**: O(jobs given). **Source**: Rodrigues et al.,
    equation 6.
    """
    more = sum(count * exec_ratio(now - start, window=window) for start, count in running)
    less = sum(
        count * fin_ratio(now - end, end - start, window=window, ended=ended_share)
        for start, end, count in ended
    )
    return published + more - less
