"""Layers of power: parts of one kind in a machine, what they draw idle and held, and which jobs pay."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.metrics.columns.sweep import Sweep, sweep
from echelon.model import Sleep
from echelon.model.machines.power import BYTES_PER_GB
from echelon.model.schedules.holdings import held_nodes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.model import Hardware, Schedule, Sleeps
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.model.schedules.holdings import Holdings


class Layer(NamedTuple):
    """Parts of one kind: processors, nodes without their processors, or nodes that draw by a curve.

    Attributes
    ----------
    node : IntColumn, shape (n_parts,)
        Node of each part.
    idle : FloatColumn, shape (n_parts,)
        W that each draws while nothing is held in it; 0 for those that another layer counts.
    sweep : Sweep
        What is held in each part over time.
    held : ndarray of bool, shape (n_changes,)
        Whether anything is, from each change of the sweep on.
    draw : FloatColumn, shape (n_changes,)
        W that the part draws from then on; 0 where nothing is held.
    row : IntColumn, shape (n_rows,)
        The holdings in these parts.
    weight : FloatColumn, shape (n_rows,)
        By what the power shared in a part is divided: cores, or tasks.
    shared : FloatColumn, shape (n_changes,)
        W for each unit of weight.
    own : FloatColumn, shape (n_rows,)
        W that each holding draws by itself.
    """

    node: IntColumn
    idle: FloatColumn
    sweep: Sweep
    held: NDArray[np.bool_]
    draw: FloatColumn
    row: IntColumn
    weight: FloatColumn
    shared: FloatColumn
    own: FloatColumn


class Powered(NamedTuple):
    """Holdings as the counts of power see them, shape (n_rows,): they draw once their node is awake."""

    node: IntColumn
    processor: IntColumn
    cores: FloatColumn
    dynamic: FloatColumn
    tasks: FloatColumn
    bandwidth: FloatColumn
    start: FloatColumn
    end: FloatColumn
    release: FloatColumn

    def at(self, row: IntColumn) -> Powered:
        """Return some of them."""
        return Powered._make(column[row] for column in self)


def layers_of(schedule: Schedule) -> list[Layer]:
    """Return all layers of a machine, the processors' first; every W of it is in one of them.

    Cost: O(n log n) in holdings.
    """
    hardware, rows = held_nodes(schedule).hardware, powered_holdings(schedule)
    curved = np.array([node.power_curve is not None for node in hardware.nodes])
    plain = np.flatnonzero(~curved[rows.node])
    layers = [_processors(hardware, curved, rows, plain)]
    if any(node.power for node in hardware.nodes):
        layers.append(_nodes(hardware, curved, rows, plain))
    if curved.any():
        layers.append(_curves(hardware, curved, rows, np.flatnonzero(curved[rows.node])))
    return layers


def powered_holdings(schedule: Schedule) -> Powered:
    """Return the holdings of a schedule with what they draw."""
    held, sleeps = held_nodes(schedule), schedule.sleeps
    hardware, holdings, node = held.hardware, held.holdings, held.node
    start = holdings.start
    if sleeps is not None and len(sleeps):
        start = np.minimum(np.maximum(start, awake_from(node, start, sleeps, hardware)), holdings.release)
    return Powered(
        node,
        holdings.processor,
        holdings.held.astype(np.float64),
        _dynamic(hardware, holdings),
        holdings.tasks.astype(np.float64),
        # Tasks beyond the cores wait for their turn.
        np.minimum(holdings.tasks, holdings.held) * holdings.bandwidth,
        start,
        np.maximum(holdings.end, start),
        holdings.release,
    )


def sleep_of(hardware: Hardware) -> list[Sleep]:
    """Return how each node can be switched off; one of which nothing is said draws nothing while off."""
    return [node.sleep or Sleep() for node in hardware.nodes]


def awake_after(sleeps: Sleeps, hardware: Hardware) -> FloatColumn:
    """Return when a node was on again after each of its sleeps, in seconds; infinity if it never was.

    One whose job is cut while it wakes up may be switched off before it has.
    """
    wake_time = np.array([sleep.wake_time for sleep in sleep_of(hardware)])
    awake: FloatColumn = sleeps.wake + wake_time[sleeps.node]
    order = np.lexsort((sleeps.start, sleeps.node))
    now, then = order[:-1], order[1:]
    again = sleeps.node[now] == sleeps.node[then]
    awake[now[again]] = np.minimum(awake[now[again]], sleeps.start[then[again]])
    return awake


def awake_from(node: IntColumn, start: FloatColumn, sleeps: Sleeps, hardware: Hardware) -> FloatColumn:
    """Return when each node had woken up for the last time by the start of a holding in it; -inf if never.

    Cost: O(n log n) in holdings and sleeps.
    """
    nodes, times = np.concatenate((sleeps.node, node)), np.concatenate((sleeps.wake, start))
    is_row = np.repeat((False, True), (len(sleeps), len(node)))
    order = np.lexsort((is_row, times, nodes))
    last = np.maximum.accumulate(np.where(is_row[order], -1, np.arange(len(order))))
    woken = order[last]
    has_woken = (last >= 0) & (nodes[woken] == nodes[order])
    ready = np.append(awake_after(sleeps, hardware), start)
    awake = np.where(has_woken, ready[woken], -np.inf)
    awake_by_row = np.empty(len(order))
    awake_by_row[order] = awake
    return awake_by_row[len(sleeps) :]


def _dynamic(hardware: Hardware, holdings: Holdings) -> FloatColumn:
    """Return the dynamic power of the cores of each holding at its frequency level, in W."""
    if not len(holdings):
        return np.zeros(0)
    most = int(holdings.level.max()) + 1
    # A processor with fewer levels than the machine's governor may choose from is at its last one.
    shares: FloatColumn = np.array(
        [
            [p.levels[min(level, len(p.levels) - 1)].power for level in range(most)]
            for p in hardware.processors
        ]
    )
    full = np.add.reduceat(hardware.core_power[holdings.cores], holdings.first_core[:-1])
    return full * shares[holdings.processor, holdings.level]


def _sweep_of(part: IntColumn, rows: Powered, *weights: FloatColumn) -> Sweep:
    """Return the sums of weights over what is held in each part: changes are all starts, then all ends."""
    change = np.array(weights).reshape(len(weights), len(part))
    return sweep(np.tile(part, 2), np.append(rows.start, rows.release), np.hstack((change, -change)))


def _processors(hardware: Hardware, curved: NDArray[np.bool_], rows: Powered, row: IntColumn) -> Layer:
    rows = rows.at(row)
    static = np.array([processor.static_power for processor in hardware.processors])
    share = np.array([processor.idle_share for processor in hardware.processors])
    node = hardware.node_of_processor
    over = _sweep_of(rows.processor, rows, rows.cores, rows.dynamic)
    cores, dynamic = over.sums
    held = cores > 0
    return Layer(
        node,
        np.where(curved[node], 0.0, share * static),
        over,
        held,
        np.where(held, static[over.part] + dynamic, 0.0),
        row,
        rows.cores,
        _divide(static[over.part], cores),
        rows.dynamic,
    )


def _nodes(hardware: Hardware, curved: NDArray[np.bool_], rows: Powered, row: IntColumn) -> Layer:
    rows = rows.at(row)
    power = np.where(curved, 0.0, [node.power for node in hardware.nodes])
    over = _sweep_of(rows.node, rows, rows.cores)
    (cores,) = over.sums
    held = cores > 0
    return Layer(
        np.arange(len(power)),
        power,
        over,
        held,
        np.where(held, power[over.part], 0.0),
        row,
        rows.cores,
        _divide(power[over.part], cores),
        np.zeros(len(row)),
    )


def _curves(hardware: Hardware, curved: NDArray[np.bool_], rows: Powered, row: IntColumn) -> Layer:
    rows = rows.at(row)
    names = ("pidle", "p00", "p10", "p20", "p01", "p02", "p11")
    figures = np.array([[getattr(node.power_curve, name, 0.0) for node in hardware.nodes] for name in names])
    none = np.zeros(len(row))
    # A task that has ended is still there until its job ends, but asks memory for nothing.
    over = sweep(
        np.tile(rows.node, 3),
        np.concatenate((rows.start, rows.release, rows.end)),
        np.array(
            [
                np.concatenate((rows.tasks, -rows.tasks, none)),
                np.concatenate((rows.bandwidth, none, -rows.bandwidth)),
            ]
        ),
    )
    n, q = over.sums[0], over.sums[1] / BYTES_PER_GB
    held = n > 0
    _, p00, p10, p20, p01, p02, p11 = figures[:, over.part]
    fitted = np.maximum(0.0, p00 + q * (p10 + q * p20) + n * (p01 + n * p02) + p11 * q * n)
    draw = np.where(held, fitted, 0.0)
    idle = np.where(curved, figures[0], 0.0)
    weight, own = rows.tasks, np.zeros(len(row))
    return Layer(np.arange(len(curved)), idle, over, held, draw, row, weight, _divide(draw, n), own)


def _divide(power: FloatColumn, among: FloatColumn) -> FloatColumn:
    """Return the power for each of those that share it; 0 where none does."""
    return np.divide(power, among, out=np.zeros(len(power)), where=among > 0)
