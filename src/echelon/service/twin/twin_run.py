"""A twin of a scenario: the service's rules over its jobs and its clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from echelon.backends.simulated import KnownJobs, Simulation
from echelon.engine.tree.queues.membership import drop_misplaced
from echelon.service.records import JobRecord, JobSpec, JobState
from echelon.service.twin.twin import Twin

if TYPE_CHECKING:
    from echelon.engine.contract import Scenario
    from echelon.model import Instance, Schedule
    from echelon.service.rules import Rules
    from echelon.service.twin.twin import TwinDay


class TwinRun(NamedTuple):
    """A twin that has run.

    Attributes
    ----------
    day : TwinDay
        What the service has of it.
    schedule : Schedule
        What its clusters have of it, as of a simulation.
    """

    day: TwinDay
    schedule: Schedule


def run_twin(scenario: Scenario, rules: Rules) -> TwinRun:
    """Run a service by these rules over the clusters and jobs of a scenario.

    Parameters
    ----------
    scenario : Scenario
        Its clusters, with their policies, are simulated; its controllers count for nothing, except that jobs
        that its queues keep out are left out. Times of submissions are >= 0. Delays after predecessors count
        for nothing, as the service has none.
    rules : Rules
        By which the service decides; its clusters are the sites, in the same order.

    Returns
    -------
    TwinRun
        If the rules are those of the scenario, the schedule is that of `echelon.simulate`, to the last bit.

    Raises
    ------
    InputError
        If the rules cannot be served, or no job is left.
    """
    roster, jobs = submit_all(scenario)
    simulation = Simulation(roster)
    day = Twin(rules, simulation, roster, jobs).run()
    for job in day.jobs.values():
        if job.state is JobState.REJECTED:
            simulation.reject(job.number - 1, job.reason)
    return TwinRun(day, simulation.schedule())


def submit_all(scenario: Scenario) -> tuple[KnownJobs, list[JobRecord]]:
    """Return the jobs that the queues of a scenario take, for simulated clusters and for a service."""
    model: Any = scenario.system_model
    scenario = drop_misplaced(scenario, model.controllers, model.rules)
    jobs = _records_of(scenario.instance)
    return KnownJobs(scenario, {job.tag: place for place, job in enumerate(jobs)}), jobs


def _records_of(instance: Instance) -> list[JobRecord]:
    """Return the jobs of an instance as a store has them when they are submitted.

    Their time limits are the times that they are planned with.
    """
    user = instance.workload.user[instance.kept].tolist()
    names = instance.workload.names.get("user", ())
    after = _predecessors(instance)
    rows = zip(
        instance.submit_time.tolist(), instance.size.tolist(), instance.planned_time.tolist(), strict=True
    )
    return [
        JobRecord(
            id=_id(position),
            number=position + 1,
            owner=names[user[position] - 1] if 0 < user[position] <= len(names) else str(user[position]),
            spec=JobSpec(processors=size, time_limit=planned, after=after[position]),
            submitted_at=submit,
        )
        for position, (submit, size, planned) in enumerate(rows)
    ]


def _predecessors(instance: Instance) -> list[tuple[str, ...]]:
    """Return the ids of the jobs that each job follows."""
    if (dependencies := instance.dependencies) is None:
        return [()] * len(instance)
    before, first = dependencies.predecessor.tolist(), dependencies.first.tolist()
    return [
        tuple(_id(one) for one in before[first[position] : first[position + 1]])
        for position in range(len(instance))
    ]


def _id(position: int) -> str:
    return f"{position + 1:032x}"
