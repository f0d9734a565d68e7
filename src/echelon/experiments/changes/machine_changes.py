"""Changes of a machine during a run: the settings of `settings.availability` made `Changes`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from echelon.availability import NO_CHANGES, Changes, CheckpointRule, Requeueing
from echelon.availability.exposure import UNEXPOSED, exposure_to_process, measure_exposure
from echelon.errors import InputError
from echelon.experiments.changes.idle_changes import NAMES, idle_changes
from echelon.experiments.settings.availability import IN_TIME, NONE
from echelon.quantities import duration, tally

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from echelon.availability.calendar import Calendar
    from echelon.availability.calendar_entry import CalendarEntry
    from echelon.availability.exposure import Exposure
    from echelon.availability.log_clock import LogClock
    from echelon.availability.machine_nodes import MachineNodes
    from echelon.experiments.changes.outage_input import FoundOutages
    from echelon.experiments.changes.planned_changes import PlannedChanges
    from echelon.model import Instance
    from echelon.model.machines.outages import Outages

_CHANGING = {"outages", "failures", "maintenance", "reservations"}
"""Settings that change the machine; the others say what becomes of jobs then."""
_A_DAY = 86400.0


def changes_of(
    settings: Mapping[str, Any], read: Callable[[str, Mapping[str, Any]], Any], instance: Instance, seed: int
) -> Changes:
    """Return what changes of a machine in a run.

    Parameters
    ----------
    settings : mapping of str to object
        What was asked for, by setting.
    read : callable (name, given) -> value
        Returns a setting as the engine takes it.
    instance : Instance
        Jobs and machine.
    seed : int
        Of the failures drawn.

    Returns
    -------
    Changes
        `NO_CHANGES` if nothing was asked for, else `PlannedChanges`. What has no natural end, failures by a
        law and repeated maintenance, is there up to a horizon: twice the time that the jobs would take one
        after the other on the whole machine after their submission.

    Raises
    ------
    InputError, UnknownNameError
        If a setting is wrong, has no use without another, or does not fit the machine.
    """
    asked = {name: _read(name, read, settings) for name in NAMES if name in settings}
    asked = {name: value for name, value in asked.items() if value is not None}
    if not asked:
        return NO_CHANGES
    for error in idle_changes(settings).values():
        raise error
    from echelon.availability.log_clock import LogClock
    from echelon.availability.machine_nodes import MachineNodes

    header = instance.workload.header
    clock = LogClock(header.unix_start_time, header.time_zone)
    if not asked.keys() & _CHANGING:
        return NO_CHANGES
    nodes = MachineNodes.of(instance.machine)
    reported = _place_outages(asked, nodes, clock, _end_of_log(instance))
    return _Maker(asked, instance, seed, nodes, clock, reported).up_to(first_horizon(instance))


def first_horizon(instance: Instance) -> float:
    """Return twice the time until the last submission, plus the work of all jobs on the whole machine."""
    work = float((instance.run_time * instance.size).sum()) / instance.processors
    longest = float(np.maximum(instance.planned_time, instance.run_time).max(initial=0.0))
    return 2 * (float(instance.submit_time.max(initial=0.0)) + work + longest) + _A_DAY


def _read(name: str, read: Callable[[str, Mapping[str, Any]], Any], settings: Mapping[str, Any]) -> Any:  # noqa: ANN401  (what the engine takes)
    """Return a setting as the engine takes it; an error says which one it is."""
    try:
        return read(name, settings)
    except InputError as error:
        if error.field or error.file or not error.problem.startswith("got "):
            raise
        raise InputError(error.problem, field=name.replace("_", "-")) from error


def _end_of_log(instance: Instance) -> float:
    """Return when the last job would end if all started at once, in seconds."""
    return float((instance.submit_time + instance.run_time).max(initial=0.0))


class _Maker(NamedTuple):
    """Makes the changes of a run up to any horizon."""

    asked: Mapping[str, Any]
    instance: Instance
    seed: int
    nodes: MachineNodes
    clock: LogClock
    reported: FoundOutages

    def up_to(self, horizon: float, first: float | None = None) -> PlannedChanges:
        """Return the changes up to a horizon, in seconds, which is the `first` one unless that is given."""
        from echelon.availability.merging import join_outages
        from echelon.availability.reservations.reservation_overlaps import overlaps
        from echelon.experiments.changes.planned_changes import PlannedChanges
        from echelon.model.streams import record_streams

        first = horizon if first is None else first
        reported = self.reported.outages
        calendar, left = self._calendar()
        with record_streams() as streams:
            failures = self._draw_failures(horizon)
        self._check_gaps(calendar)
        rule = self._checkpoint(reported)
        kept = calendar.expand(self.nodes, self.clock, horizon + self._longest_plan(rule))
        ready = self.asked["reservations"].ready if "reservations" in self.asked else ()
        reservations = (*ready, *kept.reservations)
        self._check_reservations(reservations)
        endless = failures is not None or calendar.is_endless
        outages = join_outages((reported, kept.outages, *(() if failures is None else (failures,))))
        return PlannedChanges(
            outages,
            reservations,
            self._make_requeueing(),
            repair=self.asked.get("repair", "unknown"),
            conflict=self.asked.get("reservation_conflict", "kill"),
            checkpoint=rule,
            limit_per=self.asked.get("limit_per", "attempt"),
            asked={one.name: one.format(self.asked[one.name]) for one in IN_TIME if one.name in self.asked},
            not_modelled=(*self.reported.not_modelled, *left),
            notes=(*self.reported.notes, *overlaps(reservations)),
            streams=tuple(sorted({name.partition("/")[0] for name in streams})),
            horizon=horizon if endless else math.inf,
            first_horizon=first,
            failures_of_an_attempt=self._failures_of_an_attempt(),
            longest_gaps=_longest_gaps(calendar, self.nodes),
            up_to=(lambda longer: self.up_to(longer, first)) if endless else None,
        )

    def _calendar(self) -> tuple[Calendar, tuple[str, ...]]:
        from echelon.availability.calendar import Calendar
        from echelon.availability.maintenance import maintenance_of

        entries: list[CalendarEntry] = []
        left: tuple[str, ...] = ()
        if "maintenance" in self.asked:
            entries += maintenance_of(self.asked["maintenance"], self.clock).entries
        if "reservations" in self.asked:
            calendar, left = self.asked["reservations"].calendar(self.clock)
            entries += calendar.entries
        return Calendar(tuple(entries)), left

    def _check_gaps(self, calendar: Calendar) -> None:
        """Refuse jobs that are planned for longer than repeated maintenance of the whole machine leaves."""
        submit, planned = self.instance.submit_time, self.instance.planned_time
        for entry in calendar.entries:
            gap = entry.period - entry.length
            is_before = submit + planned <= entry.start.seconds
            too_long = np.flatnonzero((planned > gap) & ~is_before).tolist()
            if too_long and entry.takes_everything:
                raise InputError(
                    f"{entry.place} leaves {duration(gap)} between two of its times, but "
                    f"{tally(len(too_long), 'job')}, first job {self.instance.label(too_long[0])}, would "
                    f"never start: planned for up to {duration(float(planned.max()))}; give shorter or rarer "
                    "maintenance, or jobs of shorter requests",
                    field="maintenance",
                )

    def _longest_plan(self, rule: CheckpointRule | None) -> float:
        """Return how far beyond its start a plan looks, in seconds: to the end of the longest attempt."""
        planned, size = self.instance.planned_time, self.instance.size
        if rule is None:
            return float(planned.max(initial=0.0))
        sizes, place = np.unique(size, return_inverse=True)
        longest = np.zeros(len(sizes))
        np.maximum.at(longest, place, planned)
        pairs = zip(sizes.tolist(), longest.tolist(), strict=True)
        return max((rule.of(count).length(work, again=True) for count, work in pairs), default=0.0)

    def _draw_failures(self, horizon: float) -> Outages | None:
        """Return failures drawn by a law up to a horizon; None if there is no law."""
        if "failures" not in self.asked:
            return None
        from echelon.availability.processes import draw_failures

        process, repairs = self.asked["failures"], self.asked["repair_times"]
        return draw_failures(process, repairs, self.nodes, horizon=horizon, seed=self.seed)

    def _make_requeueing(self) -> Requeueing:
        asked = self.asked
        most = asked.get("max_requeues")
        if isinstance(most, bool) or not isinstance(most, int | np.integer | None):
            raise InputError(f"must be a whole number >= 0, got {most!r:.60}", field="max-requeues")
        return Requeueing(
            asked.get("on_failure", "requeue"),
            asked.get("requeue_order", "keep"),
            float(asked.get("requeue_delay", 0.0)),
            None if most is None else int(most),
        )

    def _checkpoint(self, reported: Outages) -> CheckpointRule | None:
        """Return the rule of checkpoints, which knows how often a node fails; None without any."""
        asked = self.asked
        rule = asked.get("checkpoint")
        if rule is None and "restart_cost" not in asked:
            return None
        if not isinstance(rule, CheckpointRule):
            rule = CheckpointRule(
                NONE if rule is None else rule,
                float(asked.get("checkpoint_cost", 0.0)),
                float(asked.get("restart_cost", 0.0)),
                asked.get("checkpoint_mtbf"),
            )
        if rule.needs_exposure:
            exposure = self._exposure_to_law() + measure_exposure(reported, sum(self.nodes.counts))
            rule = rule.with_exposure(exposure) if exposure.hits else rule
            rule.of(1)  # an error now, not in the middle of a run
        return rule

    def _exposure_to_law(self) -> Exposure:
        process = self.asked.get("failures")
        return UNEXPOSED if process is None else exposure_to_process(process, self.nodes)

    def _failures_of_an_attempt(self) -> float:
        """Return how many failures hit the most exposed job in one attempt; see `PlannedChanges`."""
        rule = self.asked.get("checkpoint")
        keeps_work = rule is not None and rule != NONE
        if keeps_work or "max_requeues" in self.asked or self.asked.get("on_failure") == "kill":
            return 0.0
        jobs, exposure = self.instance, self._exposure_to_law()
        if not exposure.hits:
            return 0.0
        sizes, place = np.unique(jobs.size, return_inverse=True)
        nodes = np.ceil(sizes * (sum(self.nodes.counts) / jobs.processors))
        rates = np.array([exposure.rate(count) for count in nodes.tolist()])
        return float((rates[place] * jobs.run_time).max(initial=0.0))

    def _check_reservations(self, reservations: tuple[Any, ...]) -> None:
        """Refuse reservations of time-shared machines, and of nodes that there are not."""
        platform = self.instance.platform
        for one in reservations:
            where = f"reservation {one.name!r:.40}"
            if not 0 <= one.site < len(self.nodes.counts) or one.nodes[-1] >= self.nodes.counts[one.site]:
                raise InputError(f"{where}: the machine has no such nodes", field="reservations")
            if platform is not None and _is_time_shared(platform.sites[one.site].resource):
                raise InputError(
                    f"{where}: site {platform.names[one.site]!r} is a time-shared machine, on which every "
                    "job starts at once; it has no queue that could keep nodes free",
                    field="reservations",
                )


def _place_outages(
    asked: Mapping[str, Any], nodes: MachineNodes, clock: LogClock, last: float
) -> FoundOutages:
    """Return the outages that were given, not drawn.

    Raises
    ------
    InputError
        If one is of a node or site that the machine has not.
    """
    from echelon.experiments.changes.outage_input import FoundOutages
    from echelon.model.machines.outages import NO_OUTAGES

    if "outages" not in asked:
        return FoundOutages(NO_OUTAGES)
    reported: FoundOutages = asked["outages"].outages(nodes, clock, last)
    outages = reported.outages
    site = np.repeat(outages.site, np.diff(outages.first))
    counts = np.array(nodes.counts, dtype=np.int64)
    if wrong := np.flatnonzero((site < 0) | (site >= len(counts))).tolist():
        raise InputError(f"names site {int(site[wrong[0]])} of {len(counts)}, from 0", field="outages")
    if wrong := np.flatnonzero((outages.node < 0) | (outages.node >= counts[site])).tolist():
        number, count = int(outages.node[wrong[0]]) + 1, int(counts[site[wrong[0]]])
        raise InputError(f"names node {number}, but there are {count}", field="outages")
    return reported


def _longest_gaps(calendar: Calendar, nodes: MachineNodes) -> tuple[float, ...]:
    """Return for how long a job can run at each site once all that repeats has begun, in seconds."""
    gaps = [math.inf] * len(nodes.counts)
    for entry in (one for one in calendar.entries if one.takes_its_sites):
        for site in nodes.sites(entry.site):
            gaps[site] = min(gaps[site], entry.period - entry.length)
    return tuple(gaps)


def _is_time_shared(resource: object) -> bool:
    from echelon.model.machines.time_shared import TimeSharedMachine

    return isinstance(resource, TimeSharedMachine)
