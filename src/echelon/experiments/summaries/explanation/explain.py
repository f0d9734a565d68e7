"""explain: why a job started when it did, by a run of the reference engine under observation."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import DeadlockError, InputError
from echelon.experiments.history import open_past, with_past
from echelon.experiments.inputs import read_jobs
from echelon.experiments.scenario import KEYWORDS, ScenarioMaker
from echelon.experiments.settings.signature import check_keywords, with_settings
from echelon.experiments.summaries.explanation.explanation import Explanation, OtherJob, Predecessor
from echelon.experiments.summaries.explanation.witness import HasEnded, Witness
from echelon.experiments.systems.grid import broker_text
from echelon.model import Instance, Platform
from echelon.policies import capabilities
from echelon.quantities import tally

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Unpack

    from echelon.engine.contract import Progress, Scenario
    from echelon.experiments.settings.keywords import RunSettings
    from echelon.model import Schedule, Workload
    from echelon.model.instance import Dropped


@with_settings(KEYWORDS.values())
def explain(
    workload: Workload | str | Path,
    job: int | str,
    *,
    progress: Progress | None = None,
    **settings: Unpack[RunSettings],
) -> Explanation:
    """Say why a job started when it did: the jobs ahead, what was planned for others, which jobs overtook it.

    A setting that is left out, or None, has its default.

    Parameters
    ----------
    workload : Workload, str or Path
        Jobs, or what `echelon.read_workload` takes.
    job : int or str
        The job, by its number or name in the log; of several with one number, the first that is simulated.
    **settings : RunSettings
        Those of `echelon.simulate`; the reference engine runs, whatever `engine` says.
    progress : callable, optional
        Called now and then with (jobs ended, jobs in all).

    Returns
    -------
    Explanation
        What was seen of the job, as values; as text, its sentences.

    Raises
    ------
    InputError
        If no job has this name, or as `echelon.simulate`.
    UnknownNameError, PolicyError, TypeError
        As `echelon.simulate`.

    Notes
    -----
    Nothing is worked out from the policy's name: the reference engine runs, and an observer looks at the
    queue after each scheduling cycle in which the job waits. Where no local queue decides (below a
    decentralized protocol, on time-shared machines), the times and the site are all that is known.

    **Cost**: that of a run of the reference engine until the job has ended, and O(queue + running) a cycle.

    Examples
    --------
    >>> import echelon as ec
    >>> two = ec.Workload.from_columns(submit_time=[0, 1], run_time=[100, 50], processors=[3, 2])
    >>> ec.explain(two, 2, processors=4, policy="easy").sentences[3]
    'At 100 s job 1 ended, and job 2 started, with 4 processors free.'
    """
    jobs, options = read_jobs(workload, check_keywords("explain", settings, KEYWORDS))
    scenario = ScenarioMaker(jobs).scenario(options)
    with open_past(options.get("history")) as past:
        return explain_scenario(with_past(scenario, past), job, progress=progress)


def explain_scenario(
    scenario: Scenario, job: int | str, *, is_settled: bool = False, progress: Progress | None = None
) -> Explanation:
    """Return why a job of `scenario` started when it did; see `explain`.

    Parameters
    ----------
    scenario : Scenario
        What is run; its own observers see nothing.
    job : int or str
        The job's number or name in the log.
    is_settled : bool, default False
        Whether a run of the scenario has shown that its changes last until its end.
    progress : callable, optional
        See `explain`.
    """
    row, position = _find_job(scenario.instance, job)
    if position is None:
        return _explain_left_out(scenario, row)
    if scenario.has_changes and not is_settled:
        from echelon.experiments.simulation import run_scenario

        scenario = run_scenario(scenario).scenario
    instance = scenario.instance
    # Where more than a request can end a job, the whole run says what became of it.
    can_be_cut = instance.estimates == "kill" and not isinstance(instance.machine, int)
    witness = Witness(scenario, position, stops=not (scenario.machine_changes or can_be_cut))
    schedule, failure = _observe(replace(scenario, observers=(witness,)), progress)
    site = witness.waits[-1].site if witness.waits else ""
    policy = scenario.policy.at(site)
    return Explanation(
        job=_other(instance, position),
        policy=policy.name,
        preempts=capabilities(policy.scheduler).preempts,
        broker=broker_text(scenario),
        planned_time=float(instance.planned_time[position]),
        logged_submit=float(instance.submit_time[position]),
        predecessors=_predecessors(instance, position, witness),
        waits=tuple(witness.waits),
        end=witness.end,
        status=failure or _status(scenario, schedule, position, row),
        unix_start_time=instance.workload.header.unix_start_time,
        time_zone=instance.workload.header.time_zone,
    )


def _observe(scenario: Scenario, progress: Progress | None) -> tuple[Schedule | None, str | None]:
    """Return the schedule, None if the run was stopped when the job had ended, and why the run failed."""
    from echelon.engine import reference

    try:
        return reference.simulate(scenario, progress), None
    except HasEnded:
        return None, None
    except DeadlockError as error:
        return None, f"the run ended with an error: {error}"


def _find_job(instance: Instance, job: int | str) -> tuple[int, int | None]:
    """Return the row of a job in the workload, and its position in the instance, None if it is left out."""
    workload, name = instance.workload, str(job)
    rows = _rows_named(workload, name)
    if not rows:
        first, last = (workload.label(row) for row in (0, len(workload) - 1))
        raise InputError(
            f"there is no job {name!r} in {workload.name}; it has {tally(len(workload), 'job')}, "
            f"from {first} to {last}",
            field="job",
        )
    places = np.flatnonzero(np.isin(instance.kept, rows))
    return (int(instance.kept[places[0]]), int(places[0])) if len(places) else (rows[0], None)


def _rows_named(workload: Workload, name: str) -> list[int]:
    """Return the rows of the jobs of this number or name."""
    if workload.labels is not None:
        return [row for row, label in enumerate(workload.labels) if label == name]
    try:
        rows: list[int] = np.flatnonzero(workload.job_id == int(name)).tolist()
    except ValueError:
        return []
    return rows


def _explain_left_out(scenario: Scenario, row: int) -> Explanation:
    """Return the explanation of a job that is not simulated."""
    workload = scenario.instance.workload
    submit = float(workload.submit_time[row])
    job = OtherJob(workload.label(row), -1, int(workload.processors[row]), submit)
    status = _why_left_out(scenario.instance, row)
    return Explanation(job, scenario.policy.name, False, None, 0.0, submit, (), (), None, status)


def _why_left_out(instance: Instance, row: int) -> str:
    """Return why the job in a row of the workload is not simulated."""
    if len(instance.dropped) == 1:
        return instance.dropped[0].reason
    alone: tuple[Dropped, ...] = ()
    if isinstance(machine := instance.machine, int | Platform):
        # Beside one job that is simulated, the reasons are those of this job alone.
        pair = instance.workload.take(np.sort(np.array([row, int(instance.kept[0])])))
        with suppress(InputError):
            alone = Instance.of(pair, machine, estimates=instance.estimates).dropped
    drops = alone if len(alone) == 1 and alone[0].count == 1 else instance.dropped
    return " or ".join(drop.reason for drop in drops)


def _other(instance: Instance, position: int) -> OtherJob:
    size, submit = int(instance.size[position]), float(instance.submit_time[position])
    return OtherJob(instance.label(position), position, size, submit)


def _predecessors(instance: Instance, position: int, witness: Witness) -> tuple[Predecessor, ...]:
    if (edges := instance.dependencies) is None:
        return ()
    here = slice(int(edges.first[position]), int(edges.first[position + 1]))
    pairs = zip(edges.predecessor[here].tolist(), edges.delay[here].tolist(), strict=True)
    return tuple(Predecessor(_other(instance, k), witness.ends.get(k), delay) for k, delay in pairs)


def _status(scenario: Scenario, schedule: Schedule | None, position: int, row: int) -> str:
    """Return what became of the job as a phrase or a clause."""
    if schedule is None:
        return "killed" if bool(scenario.instance.killed[position]) else "completed"
    happened = schedule.instance
    for drop in happened.dropped:
        if row in drop.positions:
            return drop.reason
    places = {kept: place for place, kept in enumerate(happened.kept.tolist())}
    if row not in places:
        return "it was left out of the schedule"
    if schedule.status is not None:
        from echelon.experiments.tables.change_tables import STATUSES

        return STATUSES[int(schedule.status[places[row]])]
    return "killed" if bool(happened.killed[places[row]]) else "completed"
