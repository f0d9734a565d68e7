"""Power over time: what a machine draws, exact, as a step function."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.metrics.columns.sweep import summed
from echelon.metrics.power.power_layers import awake_after, layers_of, sleep_of
from echelon.model.schedules.holdings import held_nodes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.metrics.power.power_layers import Layer
    from echelon.model import Hardware, Schedule
    from echelon.model.jobs.columns import FloatColumn


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
        (summed(layer.node, layer.idle, len(hardware.nodes)) for layer in layers),
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
