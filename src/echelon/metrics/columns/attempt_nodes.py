"""The nodes of each attempt, and which attempts a node took with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.metrics.columns.attempt_times import LOSSES
from echelon.metrics.columns.held_units import held_units
from echelon.model import NodeUnits
from echelon.model.schedules.features import Feature, features_of
from echelon.model.schedules.number_sets import number_sets

if TYPE_CHECKING:
    from echelon.metrics.columns.held_units import HeldUnits
    from echelon.model import Attempts, Schedule
    from echelon.model.jobs.columns import IntColumn


FIRST_NUMBER = 1
"""The number of the first node of a site in tables of changes, as in the files that users write."""


def attempt_nodes(schedule: Schedule) -> list[str] | None:
    """Return the nodes of each attempt as text, ``"1-3 5"``, numbered from 1 in each site.

    Of an attempt with nodes in several sites it is ``"north: 1-3; south: 1"``. None where it is not known
    which nodes jobs held; empty of an attempt of which it is not. Cost: O(n log n) for n nodes held in all.
    """
    units = NodeUnits.of(schedule.instance)
    if (taken := held_units(schedule, units)) is None:
        return None
    attempts = schedule.attempts
    owner, node = _pairs(attempts, taken, units)
    site = np.searchsorted(units.first_node, node, side="right") - 1
    number = node - units.first_node[site] + FIRST_NUMBER
    several = np.zeros(len(attempts), dtype=np.bool_)
    if Feature.SITES not in features_of(schedule):
        return number_sets(owner, number, len(attempts)).texts()
    several[owner[site != attempts.site[owner]]] = True
    plain = ~several[owner]
    texts = number_sets(owner[plain], number[plain], len(attempts)).texts()
    names = schedule.instance.sites.names
    for row in np.flatnonzero(several).tolist():
        mine = owner == row
        sets = number_sets(site[mine], number[mine], len(names)).texts()
        texts[row] = "; ".join(f"{name}: {text}" for name, text in zip(names, sets, strict=True) if text)
    return texts


def killed_at(schedule: Schedule, units: NodeUnits, held: HeldUnits) -> list[tuple[int, float]]:
    """Return node, numbered through all sites, and end, in seconds, of what nodes took with them."""
    attempts = schedule.attempts
    owner, node = _pairs(attempts, held, units)
    lost = np.isin(attempts.reason[owner], LOSSES)
    pairs = np.unique(np.stack((owner[lost], node[lost])), axis=1)
    return list(zip(pairs[1].tolist(), attempts.end[pairs[0]].tolist(), strict=True))


def _pairs(attempts: Attempts, held: HeldUnits, units: NodeUnits) -> tuple[IntColumn, IntColumn]:
    """Return the attempt and the node of each unit that is held."""
    unit, row = held.rows(np.arange(len(held.job)))
    return _attempt_of(attempts, held)[row], units.node_of_units(unit)


def _attempt_of(attempts: Attempts, held: HeldUnits) -> IntColumn:
    """Return the attempt of each row: the last one of its job that had begun by then."""
    job, start = (np.concatenate(pair) for pair in ((attempts.job, held.job), (attempts.start, held.start)))
    kind = np.repeat((0, 1), (len(attempts), len(held.job)))
    order = np.lexsort((kind, start, job))
    latest = np.maximum.accumulate(np.where(kind[order] == 0, order, -1))
    found = np.empty(len(order), dtype=np.int64)
    found[order] = latest
    return found[len(attempts) :]
