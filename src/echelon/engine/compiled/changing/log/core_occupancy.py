"""Held cores: from the log of a run on nodes to rows of equal tasks in one processor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.compiled.nodes.simulate import levels_of
from echelon.engine.worlds import NodeLevelMachine
from echelon.model import EndReason, Holdings
from echelon.model.jobs.columns import ranges

if TYPE_CHECKING:
    from echelon.engine.compiled.changing.inputs.layout import Layout
    from echelon.engine.compiled.changing.log.rows import Rows
    from echelon.engine.contract import Scenario
    from echelon.model import Attempts, Hardware
    from echelon.model.jobs.columns import IntColumn


def holdings_of(scenario: Scenario, attempts: Attempts, rows: Rows, layout: Layout) -> Holdings:
    """Return what each attempt held: nothing of one that was cut short at its start.

    Notes
    -----
    Cost: O(c log c) for c cores of all attempts together, O(c) where cores are in the order of their numbers.
    """
    world, hardware = scenario.world, scenario.instance.node_level.hardware
    assert isinstance(world, NodeLevelMachine)
    ended = np.isin(attempts.reason, (EndReason.COMPLETED, EndReason.KILLED))
    kept = np.flatnonzero(ended | (attempts.start < attempts.end))
    attempt, core = _cores(kept, rows, layout)
    kind = _kinds(hardware)[core]
    attempt, core, first = _in_rows(attempt, core, kind)
    of = kept[attempt[first]]
    start, end = attempts.start[of], attempts.end[of]
    level, _ = levels_of(hardware, world.rules)
    return Holdings(
        job=attempts.job[of],
        group=np.zeros(len(of), dtype=np.int64),
        processor=hardware.processor_of_core[core[first]],
        tasks=np.diff(first, append=len(core)),
        first_core=np.append(first, len(core)),
        cores=core,
        start=start,
        begin=start,
        end=end,
        release=end,
        level=level[core[first]],
        speed=np.broadcast_to(1.0, len(of)),
        bandwidth=np.broadcast_to(0.0, len(of)),
    )


def _cores(kept: IntColumn, rows: Rows, layout: Layout) -> tuple[IntColumn, IntColumn]:
    """Return the cores of the attempts in some rows, and the place of each attempt in `kept`."""
    chosen = ranges(rows.offsets[kept], rows.offsets[kept + 1])
    low, high = rows.low[chosen], rows.high[chosen]
    attempt = np.repeat(np.arange(len(kept)), np.diff(rows.offsets)[kept])
    return np.repeat(attempt, high - low + 1), layout.core[ranges(low, high + 1)]


def _kinds(hardware: Hardware) -> IntColumn:
    """Return a number for each core, equal for those of one processor and speed, by the first of them."""
    pairs = np.stack((hardware.processor_of_core, hardware.core_speed))
    _, first, which = np.unique(pairs, axis=1, return_index=True, return_inverse=True)
    place = np.empty(len(first), dtype=np.int64)
    place[np.argsort(first)] = np.arange(len(first))
    kinds: IntColumn = place[which.reshape(-1)]
    return kinds


def _in_rows(attempt: IntColumn, core: IntColumn, kind: IntColumn) -> tuple[IntColumn, IntColumn, IntColumn]:
    """Return attempts and cores by row, and where rows begin: by attempt, then by the lowest core."""
    kinds = int(kind.max(initial=0)) + 1
    row = attempt * kinds + kind
    if ((np.diff(row) < 0) | ((np.diff(row) == 0) & (np.diff(core) < 0))).any():
        order = np.lexsort((core, row))
        attempt, core, row = attempt[order], core[order], row[order]
    first = np.flatnonzero(np.diff(row, prepend=-1))
    if ((np.diff(attempt[first]) == 0) & (np.diff(core[first]) < 0)).any():
        lowest = np.lexsort((core[first], attempt[first]))
        order = ranges(first[lowest], np.append(first[1:], len(core))[lowest])
        attempt, core, row = attempt[order], core[order], row[order]
        first = np.flatnonzero(np.diff(row, prepend=-1))
    return attempt, core, first
