"""compare: one workload under several policies, on a grid under several brokers, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from echelon.engine.contract import Scenario
from echelon.errors import InputError
from echelon.experiments.decision_time import decision_time as decision_time_given
from echelon.experiments.grid import (
    Choice,
    choice_of,
    choice_words,
    label_of_scenario,
    machine_of,
    run_label,
)
from echelon.experiments.history import opened, recorded, with_past
from echelon.experiments.immediate import ImmediateChoice, check_local_policy, immediate_rules_of
from echelon.experiments.inputs import read_input
from echelon.experiments.multicluster import (
    MulticlusterChoice,
    multicluster_rules_of,
    multicluster_words,
    upper_label,
)
from echelon.experiments.nodes import NodeChoice, node_rules_of, node_words
from echelon.experiments.notebook import comparison_table
from echelon.experiments.scenario import DEFAULT_POLICY, instance_of, planned_by
from echelon.experiments.simulation import run_scenario
from echelon.experiments.unused_choices import refuse_unasked, refuse_unused
from echelon.metrics import own_metrics
from echelon.policies import Admissible, Decentralized
from echelon.policies import estimator as as_estimator
from echelon.policies import policy as as_policy

if TYPE_CHECKING:
    from collections.abc import Callable

    import polars as pl

    from echelon.engine.contract import Progress
    from echelon.engine.immediate.rules import ImmediateRules
    from echelon.engine.multicluster.rules import MulticlusterRules
    from echelon.engine.nodes.rules import NodeRules
    from echelon.experiments.decision_time import DecisionTimeGiven
    from echelon.experiments.grid import AdmissibleGiven, BrokerGiven, PlatformGiven
    from echelon.experiments.immediate import MonitoringGiven
    from echelon.experiments.multicluster import (
        CoAllocationGiven,
        LocalUsersGiven,
        QueueLimitGiven,
        UpperQueueGiven,
        WatchGiven,
    )
    from echelon.experiments.nodes import ExecutionGiven, NetworkGiven, PlacementGiven, SharingGiven
    from echelon.experiments.result import Result
    from echelon.metrics import Metric
    from echelon.model import Workload
    from echelon.policies import Estimator, Order, Policy, Scheduler


class Way(NamedTuple):
    """One way to run the jobs: the local policy, the broker, and rules of the machines it is run on."""

    policy: Policy
    choice: Choice
    nodes: NodeRules | None
    multicluster: MulticlusterRules | None
    immediate: ImmediateRules | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Results of one workload on one machine or grid, one a way to run it, in the order asked for.

    Parameters
    ----------
    results : tuple of Result
        At least one.
    """

    results: tuple[Result, ...]

    def _repr_html_(self) -> str:
        """Return the policies side by side as a table, which a notebook shows."""
        return comparison_table(self.results)

    def to_frame(self) -> pl.DataFrame:
        """Return one row a run: its words, every metric of `echelon.metrics.METRICS`, one's own.

        The words are in ``policy``; on a grid also in ``run`` (all of them), ``broker`` and ``admissible``,
        on nodes in ``run`` and ``place``, on a multicluster in ``run``, ``broker``, ``upper_queue`` and
        ``queue_limit``.
        """
        # A heavy library that only tables need.
        import polars as pl

        return pl.DataFrame([{**_words(result), **result.metrics} for result in self.results])


def _words(result: Result) -> dict[str, str | float | None]:
    scenario = result.scenario
    if scenario.nodes is not None:
        return {"run": result.label, "policy": result.policy, "place": node_words(scenario.nodes)["place"]}
    if scenario.broker is None:
        return {"policy": result.policy}
    if scenario.multicluster is not None:
        words = multicluster_words(scenario.multicluster)
        upper = {name: words[name] for name in ("upper_queue", "queue_limit")}
        return {"run": result.label, "policy": result.policy, "broker": result.broker, **upper}
    lone = isinstance(scenario.broker, Decentralized) or scenario.immediate is not None
    return {
        "run": result.label,
        "policy": None if lone else result.policy,
        "broker": result.broker,
        "admissible": float(scenario.admissible.factor),
    }


def compare(
    workload: Workload | str | Path,
    *,
    policies: Sequence[str | Order | Scheduler | Policy] | None = None,
    processors: int | None = None,
    platform: PlatformGiven | None = None,
    brokers: Sequence[BrokerGiven] | None = None,
    admissible: AdmissibleGiven | Sequence[AdmissibleGiven] | None = None,
    places: Sequence[PlacementGiven] | None = None,
    execution: ExecutionGiven | None = None,
    network: NetworkGiven | None = None,
    sharing: SharingGiven | None = None,
    power_cap: float | None = None,
    governor: str | None = None,
    sleep_after: float | None = None,
    release: str | None = None,
    sequential: str | None = None,
    upper_queue: UpperQueueGiven | Sequence[UpperQueueGiven] | None = None,
    queue_limit: QueueLimitGiven | Sequence[QueueLimitGiven] | None = None,
    co_allocate: CoAllocationGiven | None = None,
    two_phase: bool | None = None,
    longest_stay: float | None = None,
    local_users: LocalUsersGiven | None = None,
    watch: WatchGiven | None = None,
    history: str | Path | None = None,
    monitoring: MonitoringGiven | None = None,
    decision_time: DecisionTimeGiven | None = None,
    experience: str | None = None,
    cpu_use: str | None = None,
    estimates: str = "raise",
    dependencies: str = "keep",
    estimator: str | Estimator = "request",
    passes: str = "instant",
    engine: str = "auto",
    seed: int = 0,
    strict: bool = False,
    metrics: Sequence[str | Metric] = (),
    progress: Callable[[str], Progress | None] | None = None,
) -> Comparison:
    """Run one workload under several policies; all else as in `echelon.simulate`.

    On a platform every broker is run with every policy and every admissibility. An arrangement of sites
    without a broker is run once: it has neither. Policies or admissibilities that no run would use are
    refused.

    Parameters
    ----------
    policies : sequence, optional
        At least one, all different; each as in `echelon.simulate`. Default: ``"fcfs"`` alone, if there are
        several brokers or admissibilities to compare.
    brokers : sequence, optional
        At least one, all different; each as ``broker`` in `echelon.simulate`. Default with a platform:
        ``"mpl"`` alone; on a multicluster ``"tat"``, on machines without queues ``"wall-time"``.
    admissible : float, str, Admissible or sequence of these, optional
        One, or several to compare, all different. Default with a platform: 1, all sites.
    places : sequence, optional
        At least one, all different; each as ``place`` in `echelon.simulate`. Each is run with every policy.
    upper_queue, queue_limit : as in `echelon.simulate`, or a sequence of these, optional
        One, or several to compare, all different; each is run with every broker and policy.
    history : str or Path, optional
        As in `echelon.simulate`; no run learns from another of the comparison.
    decision_time : float or str, optional
        As in `echelon.simulate`; ``"equal"`` makes every broker take as long as the slowest of them.
    progress : callable, optional
        Called with a run's words before it runs; returns the progress callable of that run, or None.

    Raises
    ------
    InputError
        If there is nothing to compare, or the same twice; and as `echelon.simulate`.
    """
    if isinstance(workload, str | Path):
        workload = read_input(workload, platform)
    own = own_metrics(metrics)
    # What is for sites or nodes is refused before anybody asks for the size of a machine without them.
    machine = None if platform is None else machine_of(workload, processors, platform)
    choices = _choices(machine, brokers, admissible)
    inside = NodeChoice(
        *(None, execution, network, sharing, power_cap, governor, sleep_after, release, sequential)
    )
    rules = _rules(machine, workload, inside, places)
    upper = MulticlusterChoice(None, None, co_allocate, two_phase, longest_stay, local_users, watch, history)
    guess = as_estimator(estimator)
    shared = _upper_rules(machine, upper, upper_queue, queue_limit, execution=execution, estimator=guess)
    desk = ImmediateChoice(monitoring, decision_time, experience, cpu_use)
    immediate = _immediate_rules(machine, desk, choices)
    compared = [choice.broker for choice in choices]
    if machine is None:
        machine = machine_of(workload, processors, None)
    if not policies and (policies is not None or platform is None):
        raise InputError("needs at least one policy, got none", field="policies")
    brokers_named = [choice.broker for choice in choices]
    if brokers is not None:
        refuse_unasked("brokers", brokers, shared)
    if policies is not None:
        refuse_unused("policies", policies, brokers_named)
    if admissible is not None:
        refuse_unused("admissible", admissible, brokers_named)
    local = [as_policy(given) for given in ((DEFAULT_POLICY,) if policies is None else policies)]
    _check_different([policy.name for policy in local], "policies")
    for policy in local:
        check_local_policy(machine, policy, DEFAULT_POLICY)
    taken = instance_of(
        workload, machine, rules[0], shared[0], estimates=estimates, strict=strict, dependencies=dependencies
    )
    instance = planned_by(guess, taken)
    with opened(history) as past:
        known = [with_past(one, past, machine) for one in shared]
        results = []
        for policy, choice, inner, above, desks in _ways(local, immediate, rules, known):
            scenario = Scenario(
                instance,
                policy,
                passes=passes,
                seed=seed,
                estimator=guess,
                broker=choice.broker,
                admissible=choice.admissible,
                nodes=inner,
                multicluster=above
                and replace(
                    above, decision_time=decision_time_given(decision_time, choice.broker, compared=compared)
                ),
                immediate=desks,
            )
            step = progress and progress(label_of_scenario(scenario))
            results.append(run_scenario(scenario, engine=engine, metrics=own, progress=step))
        return Comparison(tuple(recorded(past, result) for result in results))


def _upper_rules(
    machine: object,
    choice: MulticlusterChoice,
    upper_queue: UpperQueueGiven | Sequence[UpperQueueGiven] | None,
    queue_limit: QueueLimitGiven | Sequence[QueueLimitGiven] | None,
    *,
    execution: ExecutionGiven | None,
    estimator: Estimator,
) -> list[MulticlusterRules | None]:
    """Return the rules of a multicluster with each upper queue and limit; of another machine, none once."""
    rules = [
        multicluster_rules_of(
            machine,
            choice._replace(upper_queue=queue, queue_limit=limit),
            execution=execution,
            estimator=estimator,
        )
        for queue in _listed(upper_queue, "upper_queue")
        for limit in _listed(queue_limit, "queue_limit")
    ]
    _check_different([str(one and upper_label(one)) for one in rules], "upper_queue")
    return rules


def _immediate_rules(
    machine: object, desk: ImmediateChoice, choices: Sequence[Choice]
) -> list[tuple[Choice, ImmediateRules | None]]:
    """Return every choice with the rules of machines without queues, which may depend on its broker."""
    brokers = [choice.broker for choice in choices]
    return [
        (choice, immediate_rules_of(machine, desk, choice.broker, compared=brokers)) for choice in choices
    ]


def _listed(given: Any, field: str) -> list[Any]:  # noqa: ANN401  (a rule, its words, or several)
    several = isinstance(given, Sequence) and not isinstance(given, str)
    if several and not given:
        raise InputError("needs at least one, got none", field=field)
    return list(given) if several else [given]


def _choices(
    machine: object,
    brokers: Sequence[BrokerGiven] | None,
    admissible: AdmissibleGiven | Sequence[AdmissibleGiven] | None,
) -> list[Choice]:
    """Return every broker with every admissibility; arrangements without a broker once."""
    named: Sequence[BrokerGiven | None] = [None] if brokers is None else list(brokers)
    several = isinstance(admissible, Iterable) and not isinstance(admissible, str)
    ranges: Sequence[Any] = list(admissible) if several else [admissible]  # type: ignore[arg-type]
    if not named or not ranges:
        noun, field = ("admissibility", "admissible") if named else ("broker", "brokers")
        raise InputError(f"needs at least one {noun}, got none", field=field)
    table = [[choice_of(machine, broker, one) for one in ranges] for broker in named]
    _check_different([choice_words(row[0]) for row in table], "brokers")
    _check_different([choice_words(choice) for choice in table[0]], "admissible")
    found: dict[str, Choice] = {}
    for choice in (choice for row in table for choice in row):
        lone = isinstance(choice.broker, Decentralized)
        kept = choice._replace(admissible=Admissible()) if lone else choice
        found.setdefault(choice_words(kept), kept)
    return list(found.values())


def _rules(
    machine: object, workload: Workload, inside: NodeChoice, places: Sequence[PlacementGiven] | None
) -> list[NodeRules | None]:
    """Return the rules inside the machine with each placement; where there are no nodes, none once."""
    named: Sequence[PlacementGiven | None] = [None] if places is None else list(places)
    if not named:
        raise InputError("needs at least one placement, got none", field="places")
    rules = [node_rules_of(machine, workload, inside._replace(place=place)) for place in named]
    _check_different([str(node_words(inner)["place"]) for inner in rules], "places")
    return rules


def _ways(
    policies: Iterable[Policy],
    choices: Iterable[tuple[Choice, ImmediateRules | None]],
    rules: Iterable[NodeRules | None],
    shared: Iterable[MulticlusterRules | None],
) -> list[Way]:
    """Return what is run, in order: by upper queue, then broker, then placement, then policy.

    Sites without a broker have no local policy.
    """
    found: dict[str, Way] = {}
    for above, (choice, desks), inner, policy in product(shared, choices, rules, policies):
        way = Way(policy, choice, inner, above, desks)
        found.setdefault(run_label(*way), way)
    return list(found.values())


def _check_different(words: Sequence[str], field: str) -> None:
    if len(set(words)) < len(words):
        twice = next(word for word in words if words.count(word) > 1)
        raise InputError(f"must all be different, got {twice!r} twice", field=field)
