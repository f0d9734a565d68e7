"""Runs of the reference engine and their comparison, for the checks of users' own rules."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.compiled import supports
from echelon.engine.reference import simulate
from echelon.errors import EchelonError
from echelon.model import Instance, Schedule
from echelon.policies import Decentralized
from echelon.testing.finding import Finding

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence

    from echelon.engine.contract import Scenario
    from echelon.model import Workload
    from echelon.model.jobs.columns import FloatColumn, IntColumn


def run(scenario: Scenario) -> Schedule | str:
    """Return the schedule, or the error message."""
    try:
        return simulate(scenario)
    except EchelonError as error:
        return f"{_setting(scenario)}: {error}"


def finding_of(
    name: str, outcomes: Iterable[Schedule | str | None], holds: str, *, required: bool = True
) -> Finding:
    """Return the finding of one check in many runs; an outcome that is a string is a fault."""
    seen = list(outcomes)
    faults = [outcome for outcome in seen if isinstance(outcome, str)]
    if faults:
        more = f" (and in {len(faults) - 1} more of {len(seen)} runs)" if len(faults) > 1 else ""
        return Finding(name, False, faults[0] + more, required)
    return Finding(name, True, f"{holds}, in {len(seen)} runs", required)


def run_all(name: str, scenarios: Iterable[Scenario], holds: str) -> Generator[Finding, None, list[Schedule]]:
    """Yield the finding that all of `scenarios` run, and return their schedules; none if a run fails."""
    ran = [run(scenario) for scenario in scenarios]
    yield finding_of(name, ran, holds)
    schedules = [outcome for outcome in ran if isinstance(outcome, Schedule)]
    return schedules if len(schedules) == len(ran) else []


def compiled_engine(scenario: Scenario) -> Finding:
    """Return the note whether the compiled engine can run `scenario`."""
    reason = supports(scenario)
    return Finding("compiled engine", reason is None, reason or "can run it", required=False)


def difference(schedule: Schedule, again: Schedule | str, factor: float = 1.0) -> str | None:
    """Return where `again` is not `schedule` with every time multiplied by `factor`; None if nowhere."""
    # The site comes first: times depend on it.
    if isinstance(again, str) or (elsewhere := site_difference(schedule, again)):
        return again if isinstance(again, str) else elsewhere
    for event, before, after in (
        ("starts", schedule.start_time, again.start_time),
        ("ends", schedule.end_time, again.end_time),
    ):
        if len(moved := np.flatnonzero(after != factor * before)):
            first = int(moved[0])
            return f"{where(schedule, first)} {event} at {before[first]:g} s, but then at {after[first]:g} s"
    return None


def site_difference(schedule: Schedule, again: Schedule | str) -> str | None:
    """Return the job that runs at another site in `again`; None if there is none, or no sites."""
    if isinstance(again, str):
        return again
    if schedule.site is None or again.site is None:
        return None
    moved = np.flatnonzero(schedule.site != again.site)
    if not len(moved):
        return None
    first = int(moved[0])
    before, after = schedule.site[first], again.site[first]
    return f"{where(schedule, first)} goes to site {before}, but then to site {after}"


def differences(
    schedules: Sequence[Schedule], scenarios: Sequence[Scenario], factor: float = 1.0
) -> list[str | None]:
    """Return the `difference` of each schedule to a run of each scenario."""
    pairs = zip(schedules, scenarios, strict=True)
    return [difference(schedule, run(scenario), factor) for schedule, scenario in pairs]


def repeat_runs(
    schedules: Sequence[Schedule],
    scenarios: Sequence[Scenario],
    same: str = "the same seed gives the same schedule",
) -> Iterator[Finding]:
    """Yield whether runs give the same again, in the other order, and by other job numbers."""
    for name, before, again, sentence in (
        ("same again", schedules, scenarios, same),
        # What runs before a run must not matter.
        ("fresh start", schedules[::-1], scenarios[::-1], "the order of runs does not matter"),
        ("job numbers", schedules, list(map(renumber, scenarios)), "other job numbers change nothing"),
    ):
        yield finding_of(name, differences(before, again), sentence)


def where(schedule: Schedule, position: int) -> str:
    """Return the workload and the job, for messages."""
    return f"{schedule.instance.workload.name}: job {schedule.instance.label(position)}"


def renumber(scenario: Scenario) -> Scenario:
    """Return `scenario` with new random job numbers."""
    ids = scenario.instance.workload.job_id
    numbers = np.random.default_rng(scenario.seed).permutation(len(ids)) + ids.max() + 1
    return with_columns(scenario, job_id=numbers)


def double_times(scenario: Scenario) -> Scenario:
    """Return `scenario` with every time doubled; unknown requests stay unknown."""
    workload = scenario.instance.workload
    request = workload.requested_time
    return with_columns(
        scenario,
        submit_time=2 * workload.submit_time,
        run_time=2 * workload.run_time,
        requested_time=np.where(request > 0, 2 * request, request),
    )


def recode_partitions(scenario: Scenario) -> Scenario:
    """Return `scenario` with other codes for the same partitions: its jobs keep their homes."""
    workload = scenario.instance.workload
    names = workload.names.get("partition", ())
    code = workload.int_column("partition")
    changed = replace(workload, names={**workload.names, "partition": names[::-1]})
    # Codes count from 1.
    turned = np.where((code > 0) & (code <= len(names)), len(names) + 1 - code, code)
    return _with_workload(scenario, changed.with_columns(partition=turned))


def _setting(scenario: Scenario) -> str:
    """Describe the run: the rule of cycles on one machine, policy and admissibility under a broker."""
    name = scenario.instance.workload.name
    if scenario.broker is None:
        return f"{name}, cycles {scenario.cycles}"
    if isinstance(scenario.broker, Decentralized):
        return name
    return f"{name}, a={scenario.admissible}, {scenario.policy.name}"


def with_columns(scenario: Scenario, **columns: IntColumn | FloatColumn) -> Scenario:
    """Return `scenario` with other values in these columns of its jobs."""
    return _with_workload(scenario, scenario.instance.workload.with_columns(**columns))


def _with_workload(scenario: Scenario, workload: Workload) -> Scenario:
    old = scenario.instance
    machine = old.platform or old.processors
    return replace(scenario, instance=Instance.of(workload, machine, estimates=old.estimates))
