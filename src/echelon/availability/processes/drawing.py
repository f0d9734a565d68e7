"""Drawing failures: a process, a law of repairs, a machine and a seed made outages."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.availability.merging import NodeIntervals, outages_of, unite
from echelon.availability.processes.renewal import BLOCK, Downtimes, draw_alternating, draw_in_sequence
from echelon.errors import InputError
from echelon.model.machines.outages import NO_OUTAGES, OutageKind, Outages
from echelon.model.machines.site_path import above
from echelon.model.streams import stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from echelon.availability.laws.law import Law
    from echelon.availability.machine_nodes import MachineNodes
    from echelon.availability.processes.failure_process import FailureProcess
    from echelon.model.jobs.columns import FloatColumn, IntColumn


class FailingUnit(NamedTuple):
    """What has a process of failures of its own.

    Parameters
    ----------
    name : str
        End of the name of its random streams: ``"uab/7"``; of one machine ``"machine/7"``.
    site : int
        Index of the site of its nodes, or of the first of its sites.
    nodes : tuple of (int, IntColumn)
        Each site and its nodes, from 0, that go down with it.
    """

    name: str
    site: int
    nodes: tuple[tuple[int, IntColumn], ...]


def failing_units(of: str, machine: MachineNodes) -> Iterator[FailingUnit]:
    """Yield what fails by itself: each node, each machine, each site, or each link.

    Parameters
    ----------
    of : {"node", "machine", "site", "link"}
        See `FailureProcess`.
    machine : MachineNodes
        Its nodes by site. The links are those of the tree of its sites: one above each site, and one above
        each inner site but the root.
    """
    paths = machine.paths or ("machine",)
    every = [np.arange(count, dtype=np.int64) for count in machine.counts]
    for site, (path, nodes) in enumerate(zip(paths, every, strict=True)):
        if of == "node":
            for node in nodes.tolist():
                yield FailingUnit(f"{path}/{node}", site, ((site, nodes[node : node + 1]),))
        else:
            yield FailingUnit(path, site, ((site, nodes),))
    if of != "link":
        return
    for path in dict.fromkeys(path for one in machine.paths for path in above(one) if path):
        below = machine.sites(path)
        yield FailingUnit(path, below[0], tuple((site, every[site]) for site in below))


MOST_FAILURES = 20_000_000
"""Failures expected of all parts together above which drawing them is refused."""


def draw_failures(
    process: FailureProcess, repair: Law, machine: MachineNodes, *, horizon: float, seed: int
) -> Outages:
    """Return the failures of a machine that begin before the horizon.

    Parameters
    ----------
    process : FailureProcess
        What fails, and when.
    repair : Law
        Of the time that what failed is down; nodes of one burst come back together.
    machine : MachineNodes
        Its nodes, by site.
    horizon : float
        In seconds, finite. Outages that begin before it keep their ends, which may be later.
    seed : int
        Of the run, >= 0.

    Returns
    -------
    Outages
        Of kind FAIL; overlapping outages of a node are one.

    Raises
    ------
    InputError
        If the horizon is not finite, or more than `MOST_FAILURES` failures are expected.

    Notes
    -----
    Streams: ``failures/SITE/NODE`` and ``repairs/SITE/NODE`` of each node, ``bursts/SITE/NODE`` if there are
    bursts; of a whole site, a machine or a link ``.../SITE``, and ``hits/SITE`` for the nodes that failures
    of a machine hit. So neither more nodes nor a longer horizon change what was before, but for a machine's
    hits, which are spread over all its nodes. Nodes are numbered from 0 in the names.
    Cost: some 20 µs a part that may fail, and O(failures).
    """
    if not math.isfinite(horizon):
        raise InputError(f"must be a finite number of seconds, got {horizon}", field="horizon")
    drawing = _Drawing(process, repair, machine, horizon, seed)
    drawing.check_count()
    units = failing_units(process.of, machine)
    parts = [part for unit in units if len((part := drawing.of_unit(unit)).node)]
    if not parts:
        return NO_OUTAGES
    return outages_of(unite(_concatenate(parts)))


@dataclass(frozen=True, slots=True)
class _Drawing:
    """What is drawn; see `draw_failures`."""

    process: FailureProcess
    repair: Law
    machine: MachineNodes
    horizon: float
    seed: int

    def check_count(self) -> None:
        """Refuse a process of too many failures."""
        counts, process = self.machine.counts, self.process
        units = sum(counts) if process.of == "node" else len(counts)
        together = 0.0 if process.of == "machine" else self.repair.mean
        expected = units * max(self.horizon, 0.0) / (process.law.mean + together)
        if expected > MOST_FAILURES:
            raise InputError(
                f"expects {expected:,.0f} failures in {self.horizon:g} s, of which at most "
                f"{MOST_FAILURES:,} are drawn; give longer times (h and d are hours and days)",
                field="failures",
            )

    def of_unit(self, unit: FailingUnit) -> NodeIntervals:
        """Return the outages of one node, machine, site or link, node by node."""
        if self.process.of == "machine":
            return self._of_machine(unit)
        times = draw_alternating(
            self.process.law,
            self.repair,
            self.horizon,
            stationary=self.process.start == "stationary",
            failures=self._stream("failures", unit),
            repairs=lambda: self._stream("repairs", unit),
        )
        if self.process.of == "node":
            return self._with_bursts(unit, times, np.repeat(unit.nodes[0][1], len(times.down)))
        return _concatenate([_of_site(site, nodes, times) for site, nodes in unit.nodes])

    def _of_machine(self, unit: FailingUnit) -> NodeIntervals:
        """Return the failures of a machine, each of which hits one of its nodes."""
        down = draw_in_sequence(
            self.process.law,
            self.horizon,
            stationary=self.process.start == "stationary",
            failures=self._stream("failures", unit),
        )
        lasting = _first(len(down), lambda rng: self.repair.sample(rng, BLOCK), self._stream("repairs", unit))
        place = _first(len(down), lambda rng: rng.random(BLOCK), self._stream("hits", unit))
        nodes = (place * self.machine.counts[unit.site]).astype(np.int64)
        return self._with_bursts(unit, Downtimes(down, down + lasting), nodes)

    def _with_bursts(self, unit: FailingUnit, times: Downtimes, nodes: IntColumn) -> NodeIntervals:
        """Return failures that hit these nodes, each with the nodes that follow it in a burst."""
        if self.process.burst == 1 or not len(nodes):
            return _intervals(unit.site, nodes, times)
        more = 1.0 / self.process.burst
        bursts = _first(len(nodes), lambda rng: rng.geometric(more, BLOCK), self._stream("bursts", unit))
        sizes = np.minimum(bursts.astype(np.int64), self.machine.counts[unit.site] - nodes)
        place = np.repeat(np.arange(len(nodes)), sizes)
        further = np.arange(len(place)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return _intervals(unit.site, nodes[place] + further, Downtimes(times.down[place], times.up[place]))

    def _stream(self, purpose: str, unit: FailingUnit) -> np.random.Generator:
        kind = "link-" if self.process.of == "link" else ""
        return stream(self.seed, f"{kind}{purpose}/{unit.name}")


def _of_site(site: int, nodes: IntColumn, times: Downtimes) -> NodeIntervals:
    """Return failures that take all these nodes."""
    every = np.tile(nodes, len(times.down))
    repeated = Downtimes(np.repeat(times.down, len(nodes)), np.repeat(times.up, len(nodes)))
    return _intervals(site, every, repeated)


def _intervals(site: int, nodes: IntColumn, times: Downtimes) -> NodeIntervals:
    """Return one failure a row, each of one node of a site."""
    n = len(nodes)
    return NodeIntervals(
        np.full(n, site, dtype=np.int64),
        nodes,
        times.down,
        times.up,
        np.full(n, OutageKind.FAIL, dtype=np.int8),
        np.full(n, -np.inf),
    )


def _concatenate(parts: Sequence[NodeIntervals]) -> NodeIntervals:
    return NodeIntervals(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _first(
    count: int, block: Callable[[np.random.Generator], FloatColumn | IntColumn], rng: np.random.Generator
) -> FloatColumn:
    """Return the first numbers of a stream, always drawn in blocks of one size."""
    blocks = [block(rng) for _ in range(-(-count // BLOCK))]
    return np.concatenate(blocks)[:count].astype(np.float64) if blocks else np.zeros(0)
