"""The compiled engine: which scenarios it can run, and one machine from arrays back to a schedule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.engine.compiled.arrays import (
    AT_RELEASE,
    COUNTS,
    DYNAMIC,
    REFUSAL,
    candidate_order,
    counts_of,
    is_dependent,
    jobs_of,
    numbers_of,
    rules_of,
    set_submit_times,
    submissions_of,
)
from echelon.engine.compiled.kinds import KINDS
from echelon.engine.compiled.shapes import why_no_library
from echelon.engine.system_model import NodeLevelMachine, OneMachine, TreeOfSites
from echelon.errors import UnsupportedError
from echelon.model import ESTIMATES, Schedule

if TYPE_CHECKING:
    from echelon.engine.contract import Progress, Scenario
    from echelon.policies import Broker, Scheduler

_IN_PYTHON = "is a scheduler written in Python"


def supports(scenario: Scenario) -> str | None:
    """Return None if the compiled engine can run `scenario`, else the reason why not.

    A user's order is tried on the first jobs to see whether it reads the view. One that reads it for a
    later job only is found out by `simulate`, which then raises `UnsupportedError`.
    """
    if scenario.machine_changes:
        from echelon.engine.compiled.dynamic_machine.support import supports_dynamic

        return supports_dynamic(scenario) or why_no_library(scenario)
    return _why_not(scenario) or why_no_library(scenario)


def _why_not(scenario: Scenario) -> str | None:  # noqa: PLR0911  (one line a reason)
    """Return why kernels cannot run `scenario`, on a machine that does not change; None if they can."""
    if (reason := _why_not_shape(scenario)) is not None:
        return reason
    model = scenario.system_model
    if not isinstance(model, NodeLevelMachine) and scenario.instance.estimates not in ESTIMATES:
        return "run times beyond their requests are in the reference engine only"
    if scenario.learns:
        return f"the estimator {scenario.estimator.name!r} learns during the run"
    if isinstance(model, TreeOfSites):
        from echelon.engine.compiled.shapes import flat_rule
        from echelon.policies import Decentralized

        rule = flat_rule(scenario)
        if isinstance(rule, Decentralized):
            from echelon.engine.compiled.decentralized.simulate import supports_decentralized

            return supports_decentralized(scenario, rule)
        if rule is not None and (reason := _why_not_under(rule, scenario)):
            return reason
    scheduler = scenario.policy.scheduler
    if type(scheduler) not in KINDS:
        return f"{scheduler.name!r} {_why_not_scheduler(scheduler)}"
    if scenario.observers:
        return "observers watch the reference engine only"
    if reason := _why_not_in_order(scenario):
        return reason
    if isinstance(model, NodeLevelMachine):
        from echelon.engine.compiled.nodes.simulate import supports_nodes

        if reason := supports_nodes(scenario, model.rules):
            return reason
    return None


def _why_not_shape(scenario: Scenario) -> str | None:
    """Return why no kernel has the shape of a scenario's system; None if it is one of those that are known.

    Known are one machine, of counted processors or of nodes; and counted processors at sites right below one
    broker or protocol, which decide once an instant. Whatever else there is, now or later, is none of them.
    """
    if isinstance(scenario.system_model, OneMachine | NodeLevelMachine):
        return None
    from echelon.engine.compiled.shapes import flat_rule

    if flat_rule(scenario) is not None:
        decides_once = scenario.cycles == "instant"
        return (
            None if decides_once else "kernels know sites of counted processors that decide once an instant"
        )
    if scenario.multicluster is not None:
        return "clusters of a multicluster decide in the reference engine; kernels predict their queues"
    if scenario.instance.sites.is_immediate:
        return "time-shared machines share their cores in the reference engine only"
    return "trees of sites of several kinds or levels are in the reference engine only"


def _why_not_in_order(scenario: Scenario) -> str | None:
    """Return why kernels cannot sort the queue of `scenario`, or its candidates, or None if they can."""
    instance = scenario.instance
    from echelon.engine.compiled.dynamic_orders import has_kernel
    from echelon.engine.queue.ranking import before_release, reads_view

    queue, candidates = scenario.policy.order, candidate_order(scenario)
    for order in (queue,) if candidates is queue else (queue, candidates):
        if has_kernel(order):
            continue
        if reads_view(instance, order, scenario.seed):
            return DYNAMIC.format(order.name)
        if is_dependent(instance) and reads_view(before_release(instance), order, scenario.seed):
            return AT_RELEASE.format(order.name)
    return None


def _why_not_scheduler(scheduler: Scheduler) -> str:
    from echelon.policies import BACKFILLS, capabilities

    if capabilities(scheduler).preempts:
        return "preempts jobs, and here they run to their end"
    return "is in the reference engine only" if type(scheduler) in BACKFILLS else _IN_PYTHON


def _why_not_under(broker: Broker, scenario: Scenario) -> str | None:
    """Return why kernels cannot run `scenario` under `broker`, or None if they can."""
    from echelon.engine.compiled.grid.brokers import numbers_of as broker_as_numbers

    if broker_as_numbers(broker) is None:
        return f"{broker.name!r} is a broker written in Python"
    from echelon.engine.queue.look_ahead import unsupported_reason
    from echelon.policies import Information

    if broker.information >= Information.SCHEDULES and (
        reason := unsupported_reason(scenario, scenario.policy)
    ):
        return f"{broker.name!r} needs planned schedules, but {reason}"
    return None


def simulate(scenario: Scenario, progress: Progress | None = None) -> Schedule:
    """Run `scenario` in the compiled engine.

    Parameters
    ----------
    scenario : Scenario
        What to run.
    progress : callable, optional
        Called ten times a second with (jobs ended, jobs in all), from the calling thread.

    Returns
    -------
    Schedule
        One start a job, and on a grid its site. Its counts: ``events``, ``passes``, jobs (and blocks of
        jobs) ``examined`` by backfilling, ``segments``, the boundaries of the availability profile read or
        changed, and on a grid schedules ``foreseen``.

    Raises
    ------
    UnsupportedError
        If `supports` gives a reason.
    Cancelled
        If the person interrupts it (Ctrl-C).

    Notes
    -----
    Cost: O(log n) per event, and for each backfilling cycle one step per waiting job that may start or per
    block of 64 that cannot. The kernel holds no Python lock, so runs in threads go side by side.
    """
    if reason := supports(scenario):
        raise UnsupportedError(REFUSAL.format(reason))
    if scenario.machine_changes:
        from echelon.engine.compiled.dynamic_machine.simulate import simulate_dynamic

        return simulate_dynamic(scenario, progress)
    match scenario.system_model:
        case OneMachine():
            return _simulate_machine(scenario, progress)
        case NodeLevelMachine(rules):
            from echelon.engine.compiled.nodes.simulate import simulate_nodes

            return simulate_nodes(scenario, rules, progress)
        case TreeOfSites():
            return _simulate_sites(scenario, progress)


def _simulate_sites(scenario: Scenario, progress: Progress | None) -> Schedule:
    """Run counted processors under one broker or protocol."""
    from echelon.engine.compiled.shapes import flat_rule
    from echelon.policies import Decentralized

    sites, rule = scenario.instance.sites, flat_rule(scenario)
    assert rule is not None
    if isinstance(rule, Decentralized):
        from echelon.engine.compiled.decentralized.simulate import simulate_decentralized

        return simulate_decentralized(scenario, rule, sites, progress)
    from echelon.engine.compiled.grid.simulate import simulate_grid

    return simulate_grid(scenario, rule, sites, progress)


def _simulate_machine(scenario: Scenario, progress: Progress | None) -> Schedule:
    """Run one machine of identical processors."""
    from echelon.engine.compiled.kernel_thread import run_watched
    from echelon.engine.compiled.machine.run import run
    from echelon.engine.compiled.machine.state import fresh_state
    from echelon.engine.contract import CYCLES

    instance, rank = scenario.instance, numbers_of(scenario)
    jobs, submissions = jobs_of(scenario, rank), submissions_of(instance, rank)
    state = fresh_state(submissions.arrivals, instance.processors, rules_of(scenario, rank))
    cycles = CYCLES.index(scenario.cycles)
    run_watched(lambda: run(state, jobs, submissions, cycles), state.watch, len(jobs), progress)
    counts = counts_of(state.machine, *COUNTS)
    return Schedule(set_submit_times(instance, jobs["submit"][rank]), jobs["start"][rank], counts)
