"""Energy: what a run's parts drew, and whom it is charged to."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.errors import InputError
from echelon.metrics.columns.sweep import summed
from echelon.metrics.power.power_layers import awake_after, layers_of, sleep_of
from echelon.model.schedules.holdings import held_nodes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.metrics.power.power_layers import Layer
    from echelon.model import Hardware, Schedule
    from echelon.model.jobs.columns import FloatColumn


class Energy(NamedTuple):
    """What a run drew from the first submission to the last end, in J.

    Attributes
    ----------
    total : float
        All of it.
    per_node : FloatColumn, shape (n_nodes,)
        By node; adds up to the total.
    per_job : FloatColumn, shape (n_jobs,)
        By job, in the instance's order.
    idle : float
        What no job is charged for: idle processors and nodes, nodes off or waking up. Jobs and this add up to
        the total.
    """

    total: float
    per_node: FloatColumn
    per_job: FloatColumn
    idle: float


class NodeTimes(NamedTuple):
    """Seconds of the run that each node was on, off, and on its way from off to on, shape (n_nodes,)."""

    on: FloatColumn
    off: FloatColumn
    waking: FloatColumn


def energy(
    schedule: Schedule, *, unused_is_off: bool = False, layers: Sequence[Layer] | None = None
) -> Energy:
    """Return the energy of a run: the integral of the machine's power from first submission to last end.

    A node draws

    * while it is off, its sleep's power, and while it wakes up, its wake power, whatever is held in it;
    * with a power curve, pidle while no task is in it, else p00 + p10 Q + p20 Q^2 + p01 N + p02 N^2 + p11 Q N
      for N tasks in it that ask memory for Q GB/s together;
    * else its own power and that of its processors: each draws its idle share of its static power while no
      core of it is held, otherwise its static power and for each core held the core's dynamic power times
      the power of its frequency level.

    A core is held until it is given back: also while its task has ended but its MPI job has not. A job is
    charged for what its cores draw, and at each instant for an equal share, by cores held, of the static
    power of their processors and of their nodes' own power; in a node with a curve for an equal share, by
    tasks, of all the node draws.

    Parameters
    ----------
    schedule : Schedule
        Of a run on nodes, with its holdings.
    unused_is_off : bool, default False
        A processor draws nothing until the first of its cores is held: a defect of IRMASim's public code,
        which works power out before it has cores. For comparisons with it only; not where nodes sleep.
    layers : sequence of Layer, optional
        What the machine's parts draw, if it has been worked out already.

    Raises
    ------
    InputError
        If the run has no holdings, or sleeps while `unused_is_off`.

    Notes
    -----
    Cost: O(n log n) in holdings. Source: public code of IRMASim 0.1, modelV1 and modelV2; how shared power is
    charged: ours.
    """
    hardware = held_nodes(
        schedule, "energy needs a run on nodes, with the cores that its tasks held"
    ).hardware
    if unused_is_off and schedule.sleeps is not None and len(schedule.sleeps):
        raise InputError("unused_is_off applies to runs in which no node sleeps")
    first, times = _first_submission(schedule), node_times(schedule)
    sleeps = sleep_of(hardware)
    idle = times.off * [sleep.power for sleep in sleeps] + times.waking * [s.wake_power for s in sleeps]
    layers = layers_of(schedule) if layers is None else layers
    for number, layer in enumerate(layers):
        busy = layer.sweep.by_part(layer.held.astype(np.float64), len(layer.node))
        free = np.maximum(0.0, times.on[layer.node] - busy)
        if unused_is_off and number == 0:
            free -= _unused(layer, free, first)
        idle += summed(layer.node, layer.idle * free, len(hardware.nodes))
    busy = sum((_busy(layer, hardware) for layer in layers), np.zeros(len(hardware.nodes)))
    per_node = idle + busy
    return Energy(float(per_node.sum()), per_node, _per_job(schedule, layers), float(idle.sum()))


def node_times(schedule: Schedule) -> NodeTimes:
    """Return how long each node was on, off and waking up between first submission and last end."""
    hardware, sleeps = held_nodes(schedule).hardware, schedule.sleeps
    begin, end, nodes = _first_submission(schedule), float(schedule.end_time.max()), len(hardware.nodes)
    if sleeps is None or not len(sleeps):
        return NodeTimes(np.full(nodes, end - begin), np.zeros(nodes), np.zeros(nodes))
    start, wake = sleeps.start.clip(begin, end), sleeps.wake.clip(begin, end)
    awake = awake_after(sleeps, hardware).clip(begin, end)
    off, waking = (summed(sleeps.node, span, nodes) for span in (wake - start, awake - wake))
    return NodeTimes(end - begin - off - waking, off, waking)


def _first_submission(schedule: Schedule) -> float:
    return float(schedule.instance.submit_time.min())


def _busy(layer: Layer, hardware: Hardware) -> FloatColumn:
    """Return the energy of a layer's parts by node while something is held in them."""
    energy = layer.sweep.by_part(layer.draw, len(layer.node))
    return summed(layer.node, energy, len(hardware.nodes))


def _unused(layer: Layer, free: FloatColumn, begin: float) -> FloatColumn:
    """Return for how long each part was idle before it was first held."""
    over = layer.sweep
    parts, at = np.unique(over.part, return_index=True)
    before = free.copy()
    before[parts] = over.time[at] - begin
    return before


def _per_job(schedule: Schedule, layers: Sequence[Layer]) -> FloatColumn:
    holdings, jobs = held_nodes(schedule).holdings, len(schedule.instance)
    charged = np.zeros(jobs)
    for layer in layers:
        over, rows = layer.sweep, len(layer.row)
        up_to = over.integral(layer.shared)
        enter, leave = over.place[:rows], over.place[rows : 2 * rows]
        held = over.time[leave] - over.time[enter]
        energy = layer.weight * (up_to[leave] - up_to[enter]) + layer.own * held
        charged += summed(holdings.job[layer.row], energy, jobs)
    return charged
