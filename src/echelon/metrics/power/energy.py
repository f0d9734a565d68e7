"""Energy: what a run's parts drew over time, and whom it is charged to."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.errors import InputError
from echelon.metrics.columns.sweep import sum_by_part
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
    nodes = len(hardware.nodes)
    busy_energy = np.zeros(nodes)
    for number, layer in enumerate(layers):
        busy = layer.sweep.by_part(layer.held.astype(np.float64), len(layer.node))
        free = np.maximum(0.0, times.on[layer.node] - busy)
        if unused_is_off and number == 0:
            free -= _time_before_use(layer, free, first)
        idle += sum_by_part(layer.node, layer.idle * free, nodes)
        drawn_by_part = layer.sweep.by_part(layer.draw, len(layer.node))
        busy_energy += sum_by_part(layer.node, drawn_by_part, nodes)
    per_node = idle + busy_energy
    return Energy(float(per_node.sum()), per_node, _per_job(schedule, layers), float(idle.sum()))


def node_times(schedule: Schedule) -> NodeTimes:
    """Return how long each node was on, off and waking up between first submission and last end."""
    hardware, sleeps = held_nodes(schedule).hardware, schedule.sleeps
    begin, end, nodes = _first_submission(schedule), float(schedule.end_time.max()), len(hardware.nodes)
    if sleeps is None or not len(sleeps):
        return NodeTimes(np.full(nodes, end - begin), np.zeros(nodes), np.zeros(nodes))
    start, wake = sleeps.start.clip(begin, end), sleeps.wake.clip(begin, end)
    awake = awake_after(sleeps, hardware).clip(begin, end)
    off, waking = (sum_by_part(sleeps.node, span, nodes) for span in (wake - start, awake - wake))
    return NodeTimes(end - begin - off - waking, off, waking)


def _first_submission(schedule: Schedule) -> float:
    return float(schedule.instance.submit_time.min())


def _time_before_use(layer: Layer, free: FloatColumn, begin: float) -> FloatColumn:
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
        charged += sum_by_part(holdings.job[layer.row], energy, jobs)
    return charged


class PowerTrace(NamedTuple):
    """Power as a step function: ``power[k]`` from ``time[k]`` to the next time; the last holds to `end`.

    Attributes
    ----------
    time : FloatColumn, shape (n_steps,)
        In seconds, strictly ascending; the first is the first submission.
    power : FloatColumn, shape (n_steps,)
        Of the whole machine, in W.
    end : float
        The last end of a job, in seconds.
    idle : FloatColumn, shape (n_steps,)
        Of the power, what parts draw that no job holds, and nodes that are off or wake up, in W.
    """

    time: FloatColumn
    power: FloatColumn
    end: float
    idle: FloatColumn

    @property
    def peak(self) -> float:
        """The most that is drawn for any time, in W; 0 for a run that takes none."""
        return float(self.power.max(initial=0.0, where=self._spans > 0))

    @property
    def energy(self) -> float:
        """The integral, in J; that of `echelon.metrics.energy` up to rounding."""
        return float(self.power @ self._spans)

    @property
    def _spans(self) -> FloatColumn:
        return np.diff(np.append(self.time, self.end))


def power_trace(schedule: Schedule, *, layers: Sequence[Layer] | None = None) -> PowerTrace:
    """Return what a machine draws from the first submission to the last end.

    Parameters
    ----------
    schedule : Schedule
        Of a run on nodes, with its holdings.
    layers : sequence of Layer, optional
        What the machine's parts draw, if it has been worked out already.

    Raises
    ------
    InputError
        If it has none.

    Notes
    -----
    Ties: a value holds after all that changes at its instant. Cost: O(n log n) in holdings.
    """
    hardware = held_nodes(schedule, "power needs a run on nodes, with the cores that its tasks held").hardware
    layers = layers_of(schedule) if layers is None else layers
    idle = sum(
        (sum_by_part(layer.node, layer.idle, len(hardware.nodes)) for layer in layers),
        np.zeros(len(hardware.nodes)),
    )
    changes = [_changes(layer) for layer in layers] + [_of_sleeps(schedule, hardware, idle)]
    begin, end = float(schedule.instance.submit_time.min()), float(schedule.end_time.max())
    time = np.concatenate((np.array([begin]), *(time for time, _ in changes)))
    change = np.concatenate((np.full((1, 2), idle.sum()), *(change for _, change in changes)))
    # What happened before the first submission holds at it; what comes after the last end is not drawn.
    time = np.maximum(time, begin)
    order = np.argsort(time, kind="stable")
    order = order[time[order] < end] if end > begin else order[:1]
    times, (power, unheld) = time[order], np.cumsum(change[order], axis=0).T
    last = np.append(np.diff(times) > 0, np.ones(1, dtype=np.bool_))
    return PowerTrace(times[last], power[last], end, np.clip(unheld[last], 0.0, power[last]))


def _changes(layer: Layer) -> tuple[FloatColumn, FloatColumn]:
    """Return when the power of a layer's parts changes, and by how many W: all of it, and what is idle."""
    over, idle = layer.sweep, layer.idle[layer.sweep.part]
    power = np.stack((np.where(layer.held, layer.draw, idle), np.where(layer.held, 0.0, idle)), axis=1)
    first = np.append(np.ones(min(1, len(power)), dtype=np.bool_), np.diff(over.part) != 0)
    before = np.where(first[:, None], idle[:, None], np.roll(power, 1, axis=0))
    return over.time, power - before


def _of_sleeps(schedule: Schedule, hardware: Hardware, idle: FloatColumn) -> tuple[FloatColumn, FloatColumn]:
    """Return when nodes go off, begin to wake up and are on again, and by how many W that changes power."""
    sleeps = schedule.sleeps
    if sleeps is None or not len(sleeps):
        return np.zeros(0), np.zeros((0, 2))
    of = sleep_of(hardware)
    off, waking = (
        np.array([getattr(one, name) for one in of])[sleeps.node] for name in ("power", "wake_power")
    )
    on = idle[sleeps.node]
    awake = awake_after(sleeps, hardware)
    change = np.concatenate((off - on, waking - off, on - waking))
    return np.concatenate((sleeps.start, sleeps.wake, awake)), np.stack((change, change), axis=1)
