"""Measured: the columns of one schedule that metrics share, each worked out once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from echelon.errors import InputError
from echelon.metrics.columns import job_values
from echelon.metrics.schedule import schedule_values
from echelon.model.schedules.attempts import EndReason
from echelon.model.schedules.features import Feature, features_of, sites_with_power, there
from echelon.model.schedules.holdings import held_nodes
from echelon.model.schedules.status import JobStatus

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.metrics.columns.attempt_times import AttemptTimes
    from echelon.metrics.columns.closures import Closures
    from echelon.metrics.columns.down_time import DownTime
    from echelon.metrics.columns.shared_nodes import SharedNodes
    from echelon.metrics.power.energy import Energy, PowerTrace
    from echelon.metrics.power.power_layers import Layer
    from echelon.metrics.schedule.allocation_quality import AllocationQuality
    from echelon.metrics.schedule.fairness import UserMeans
    from echelon.model import Schedule
    from echelon.model.jobs.columns import FloatColumn, IntColumn

Column = TypeVar("Column", bound=np.ndarray[Any, Any])

WAIT_SHARES = (0.5, 0.9, 0.95, 0.99)
BOUNDED_SLOWDOWN_SHARES = (0.5, 0.95)


@dataclass(frozen=True, eq=False)
class Measured:
    """A schedule as its metrics see it: columns, each worked out once, when first asked for.

    Columns have shape (n_jobs,), in the workload's order, and cannot be changed; times are in seconds.

    Parameters
    ----------
    schedule : Schedule
        Of at least one job.

    Raises
    ------
    InputError
        If the schedule has no job, or a job of it never started.
    """

    # Not slotted: each derived column is kept in the instance's dictionary when first asked for.
    schedule: Schedule

    def __post_init__(self) -> None:
        if not len(self.schedule.start_time):
            raise InputError("a schedule without jobs has no metrics")
        never = np.isnan(self.schedule.start_time)
        if never.any():
            name = self.schedule.instance.label(int(never.argmax()))
            raise InputError(f"metrics need a schedule in which every job started, but job {name} never did")

    @cached_property
    def has(self) -> Feature:
        """What the schedule has, on which it depends which metrics and columns there are."""
        return features_of(self.schedule)

    @property
    def submit(self) -> FloatColumn:
        """Submit times, in seconds."""
        return self.schedule.instance.submit_time

    @property
    def start(self) -> FloatColumn:
        """Start times, in seconds."""
        return self.schedule.start_time

    @cached_property
    def end(self) -> FloatColumn:
        """End times, in seconds."""
        return _freeze(self.schedule.end_time)

    @cached_property
    def by_start(self) -> IntColumn:
        """Positions of the jobs by start; equal starts in the workload's order."""
        return _freeze(np.argsort(self.start, kind="stable"))

    @cached_property
    def by_end(self) -> IntColumn:
        """Positions of the jobs by end; equal ends in the workload's order."""
        return _freeze(np.argsort(self.end, kind="stable"))

    @property
    def spans(self) -> tuple[FloatColumn, FloatColumn]:
        """All times at which jobs got processors, and all at which they gave them back, in seconds.

        Each ascends, if no job was preempted.
        """
        if self.schedule.interrupted:
            return self.schedule.holding[1:]
        return self.start[self.by_start], self.end[self.by_end]

    @cached_property
    def run(self) -> FloatColumn:
        """Run times, after any kill, in seconds; of jobs that failed or were canceled all that they held."""
        return _freeze(self.schedule.run_time)

    @property
    def planned(self) -> FloatColumn:
        """What the scheduler planned with when each job was submitted, in seconds."""
        return self.schedule.planned_time

    @property
    def size(self) -> IntColumn:
        """Processors of each job."""
        return self.schedule.instance.size

    @cached_property
    def served_size(self) -> IntColumn | FloatColumn:
        """Processors of each job, of those that it shared only its part."""
        if Feature.CPU_TIME not in self.has:
            return self.size
        part = there(self.schedule.cpu_time) * self.size / self.run
        # Jobs beside time-shared machines have their processors to themselves.
        return _freeze(np.where(np.isnan(part), self.size, part))

    @cached_property
    def mean_size(self) -> IntColumn | FloatColumn:
        """Processors that each job held in the mean of its run: fewer if given back early, or shared."""
        if Feature.CORES not in self.has:
            return self.served_size
        from echelon.metrics.columns.job_places import held_core_time

        held = held_nodes(self.schedule).holdings
        # A job that paid switches held its cores for longer than it ran.
        sizes = job_values.mean_size(
            self.served_size, self.schedule.held_time, row=held.job, core_time=held_core_time(held)
        )
        return _freeze(sizes)

    @property
    def processors(self) -> int:
        """Processors of the machine; on a multicluster the tasks that its nodes may hold at once."""
        return self.schedule.instance.processors

    @property
    def immediate(self) -> bool:
        """Whether it is on time-shared machines, whose cores jobs share."""
        return Feature.TIME_SHARING in self.has

    @cached_property
    def speeds(self) -> FloatColumn:
        """Speed of a core of each site; 1 where there are queues."""
        if Feature.SITES not in self.has:
            return _freeze(np.ones(1))
        from echelon.metrics.columns.shared_machines import speeds

        return _freeze(speeds(self.schedule.instance.sites))

    @cached_property
    def capacity(self) -> float:
        """Processors, each as its speed where they are time-shared: what `work` can be done a second."""
        if Feature.TIME_SHARING not in self.has:
            return float(self.processors)
        from echelon.metrics.columns.shared_machines import capacity

        return capacity(self.schedule.instance.sites)

    @cached_property
    def work(self) -> FloatColumn:
        """What each job had of the processors, in seconds of one of speed 1."""
        held = self.area if self.mean_size is self.served_size else self.run * self.mean_size
        if Feature.TIME_SHARING in self.has:
            held = held * self.speeds[there(self.schedule.site)]
        return _freeze(held)

    @cached_property
    def shortest(self) -> FloatColumn:
        """Least time that each job can run, in seconds: where speeds differ, on the fastest machine."""
        if Feature.TIME_SHARING not in self.has:
            return self.run
        return _freeze(self.work / self.size / float(self.speeds.max()))

    @cached_property
    def processes(self) -> tuple[FloatColumn, IntColumn]:
        """Mean number of processes of each site while it had some, and the most; only on a grid."""
        from echelon.metrics.columns.shared_machines import copies_of, mean_processes

        return mean_processes(copies_of(self.schedule), len(self.schedule.instance.sites))

    @cached_property
    def area(self) -> FloatColumn:
        """Processor-seconds of each job: run * size, of a shared core only its part."""
        return _freeze(self.run * self.served_size)

    @cached_property
    def user(self) -> IntColumn:
        """Codes of the users; -1 where unknown."""
        instance = self.schedule.instance
        return instance.once("user", lambda: _freeze(instance.workload.user[instance.kept]))

    @cached_property
    def wait(self) -> FloatColumn:
        """All time in the queue, in seconds; an InputError if a job starts before its submission."""
        suspended = self.suspended if self.schedule.interrupted else None
        return _freeze(job_values.wait_time(self.submit, self.start, suspended))

    @cached_property
    def response(self) -> FloatColumn:
        """Time from submission to the first start, in seconds."""
        if not self.schedule.interrupted:
            return self.wait
        return _freeze(job_values.response_time(self.submit, self.start))

    @cached_property
    def turnaround(self) -> FloatColumn:
        """Turnaround times, in seconds."""
        return _freeze(job_values.turnaround_time(self.submit, self.end))

    @cached_property
    def delay(self) -> FloatColumn:
        """Turnaround minus run time: the wait, and the time for context switches, in seconds."""
        if not self.schedule.interrupted:
            return self.wait
        return _freeze(job_values.delay_time(self.schedule))

    @cached_property
    def switching(self) -> FloatColumn:
        """Time in which each job held processors without progress, in seconds."""
        return _freeze(job_values.switch_time(self.schedule))

    @cached_property
    def suspended(self) -> FloatColumn:
        """Time between start and end in which each job held no processors, in seconds."""
        return _freeze(job_values.suspended_time(self.schedule))

    @cached_property
    def slowdown(self) -> FloatColumn:
        """Slowdowns, ratios."""
        return _freeze(job_values.slowdown(self.delay, self.run))

    @cached_property
    def bounded_slowdown(self) -> FloatColumn:
        """Bounded slowdowns with tau = 10 s, ratios."""
        return _freeze(np.maximum(1.0, self.grid_bounded_slowdown))

    @cached_property
    def grid_bounded_slowdown(self) -> FloatColumn:
        """Bounded slowdowns of the grid study with tau = 10 s, ratios."""
        return _freeze(job_values.grid_bounded_slowdown(self.delay, self.run))

    @cached_property
    def makespan(self) -> float:
        """Makespan, in seconds."""
        return schedule_values.makespan(self.submit, self.end)

    @cached_property
    def lower_bound(self) -> float:
        """Lower bound of C_max, in seconds."""
        longest = float((self.earliest_submit + self.shortest).max())
        return max(longest, schedule_values.total(self.work) / self.capacity)

    @cached_property
    def earliest_submit(self) -> FloatColumn:
        """When each job would be submitted if all it waits for ran at once, in seconds.

        The submit time, if it waits for none.
        """
        instance = self.schedule.instance
        if instance.dependencies is None:
            return self.submit
        from echelon.metrics.schedule.dependency_metrics import earliest_releases

        jobs = replace(instance, run_time=self.shortest)
        return _freeze(earliest_releases(jobs, instance.dependencies, self.end))

    @property
    def killed(self) -> NDArray[np.bool_]:
        """Whether each job was cut at its request; where its status is known, one that got so far."""
        status = self.schedule.status
        return self.schedule.instance.killed if status is None else status == JobStatus.KILLED

    @cached_property
    def held(self) -> FloatColumn | None:
        """How long each job was held by others before it joined the queue, in seconds; None without such."""
        if Feature.DEPENDENCIES not in self.has:
            return None
        instance = self.schedule.instance
        return _freeze(self.submit - instance.workload.submit_time[instance.kept])

    @cached_property
    def held_work(self) -> FloatColumn:
        """What each job had of the processors, what was lost included, in seconds of one of speed 1."""
        if Feature.ATTEMPTS not in self.has:
            return self.work
        held = (self.schedule.held_time - self.switching) * self.mean_size
        if Feature.TIME_SHARING in self.has:
            held = held * self.speeds[there(self.schedule.site)]
        if Feature.COPIES | Feature.CPU_TIME in self.has:
            attempts = self.schedule.attempts
            # Of jobs that may have copies each copy says what it had; spare ones are counted elsewhere.
            length = np.where(attempts.ended_by(EndReason.CANCELED), 0.0, attempts.end - attempts.start)
            of_copies = np.bincount(attempts.job, length * self.attempt_size, len(held))
            held = np.where(np.isfinite(there(self.schedule.cpu_time)), of_copies, held)
        return _freeze(held)

    @cached_property
    def attempt_size(self) -> FloatColumn:
        """Processors of speed 1 that each attempt held in the mean of it, shape (n_attempts,)."""
        if Feature.TIME_SHARING not in self.has:
            return self.attempt_share
        return _freeze(self.attempt_share * self.speeds[self.schedule.attempts.site])

    @cached_property
    def attempt_share(self) -> FloatColumn:
        """Processors that each attempt held in the mean of it, of those that it shared its part."""
        attempts = self.schedule.attempts
        size = np.asarray(self.mean_size, dtype=np.float64)[attempts.job]
        return _freeze(attempts.held_sizes(self.size[attempts.job], size))

    def utilization(self, seconds: float) -> float:
        """Return the share of what the processors could do in so many seconds that jobs had."""
        return schedule_values.total(self.held_work) / (self.capacity * seconds)

    @cached_property
    def attempts(self) -> AttemptTimes:
        """What each attempt left: useful and lost time; only of a schedule with `Feature.ATTEMPTS`."""
        from echelon.metrics.columns.attempt_times import attempt_times

        return attempt_times(self.schedule.attempts)

    @cached_property
    def down(self) -> DownTime:
        """What was down, and when, from the first submission to the last end; nothing without outages."""
        return self._down_within(float(self.submit.min()), float(self.end.max()))

    def down_within(self, low: float, high: float) -> DownTime:
        """Return what was down from one time to another, in seconds."""
        if (self.down.low, self.down.high) == (low, high):
            return self.down
        return self._down_within(low, high)

    def _down_within(self, low: float, high: float) -> DownTime:
        from echelon.metrics.columns.down_time import down_time

        return down_time(self.schedule, low=low, high=high)

    @cached_property
    def closures(self) -> Closures:
        """How the nodes of maintenance and of reservations were used during them, and just before."""
        from echelon.metrics.columns.closures import closures

        return closures(self.schedule)

    @property
    def requested(self) -> FloatColumn:
        """What users asked for, in seconds; <= 0 where unknown."""
        instance = self.schedule.instance
        return instance.once(
            "requested_time", lambda: _freeze(instance.workload.requested_time[instance.kept])
        )

    @property
    def dedicated(self) -> FloatColumn:
        """Run times as the log has them, on a multicluster those on dedicated nodes, in seconds."""
        instance = self.schedule.instance
        return instance.workload.run_time[instance.kept]

    @property
    def inside(self) -> bool:
        """Whether it is known which cores of a machine each task held."""
        return Feature.CORES in self.has

    @cached_property
    def energy(self) -> Energy | None:
        """The energy of the run, in J; None if cores are not modeled individually or power is unknown.

        Of several sites it is that of the sites whose power is known.
        """
        if Feature.POWER not in self.has:
            return None
        from echelon.metrics.power.energy import energy

        return energy(self.schedule, layers=self._layers)

    @cached_property
    def _layers(self) -> list[Layer]:
        from echelon.metrics.power.power_layers import layers_of

        return layers_of(self.schedule)

    @cached_property
    def power(self) -> PowerTrace | None:
        """What the machine drew over time, in W; None where `energy` is."""
        if Feature.POWER not in self.has:
            return None
        from echelon.metrics.power.energy import power_trace

        return power_trace(self.schedule, layers=self._layers)

    @cached_property
    def in_nodes(self) -> NDArray[np.bool_]:
        """Whether it is known which cores each job held; only where it is known of some."""
        held = held_nodes(self.schedule).holdings
        return np.bincount(held.job, minlength=len(self.start)) > 0

    @cached_property
    def powered_nodes(self) -> NDArray[np.bool_]:
        """Whether the power of each node is known: of all nodes of a site, or none. Only of known nodes."""
        nodes = held_nodes(self.schedule).hardware.nodes
        if Feature.SITES not in self.has:
            return np.full(len(nodes), Feature.POWER in self.has)
        platform = self.schedule.instance.sites
        return np.repeat(sites_with_power(platform), np.diff(platform.first_node))

    @cached_property
    def is_charged(self) -> NDArray[np.bool_]:
        """Whether it is known what energy each job is charged for; only where it is known of some."""
        held = held_nodes(self.schedule)
        rows = held.holdings.job[self.powered_nodes[held.node]]
        return np.bincount(rows, minlength=len(self.start)) > 0

    @cached_property
    def speed_factor(self) -> FloatColumn:
        """How fast each job ran of what its cores could do, ratios up to 1; only where those are known."""
        from echelon.metrics.columns.job_places import speed_factors

        return _freeze(speed_factors(self.schedule))

    @cached_property
    def allocation(self) -> AllocationQuality | None:
        """How near to each other the cores of each job were; None if cores are not modeled individually."""
        if Feature.CORES not in self.has:
            return None
        from echelon.metrics.schedule.allocation_quality import AllocationQuality

        return AllocationQuality.of(self.schedule)

    @cached_property
    def shared_nodes(self) -> SharedNodes | None:
        """How nodes that have owners were used; None where there are none."""
        if Feature.PLACES not in self.has:
            return None
        from echelon.metrics.columns.shared_nodes import SharedNodes

        return SharedNodes(self.schedule)

    @cached_property
    def users(self) -> UserMeans:
        """Means of each known user."""
        from echelon.metrics.schedule.fairness import user_means

        return user_means(self.user, self.wait, self.bounded_slowdown, area=self.area)

    @cached_property
    def wait_quantiles(self) -> dict[float, float]:
        """Quantiles of the waiting time, in seconds, by share."""
        return dict(zip(WAIT_SHARES, schedule_values.quantiles(self.wait, WAIT_SHARES), strict=True))

    @cached_property
    def bounded_slowdown_quantiles(self) -> dict[float, float]:
        """Quantiles of the bounded slowdown, by share."""
        quantiles = schedule_values.quantiles(self.bounded_slowdown, BOUNDED_SLOWDOWN_SHARES)
        return dict(zip(BOUNDED_SLOWDOWN_SHARES, quantiles, strict=True))


def _freeze(column: Column) -> Column:
    """Return `column`, made read-only, as several metrics share it."""
    column.flags.writeable = False
    return column
