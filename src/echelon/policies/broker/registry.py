"""The metaschedulers by name: brokers, dispatchers and decentralized protocols; a new rule is added here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from echelon.errors import InputError
from echelon.lazy import Rules, by_word
from echelon.policies.broker.contract import (
    STORED_GRID_STATES,
    Broker,
    Information,
    decision_time_of,
    grid_state_of,
)
from echelon.policies.decentralized.contract import Decentralized
from echelon.policies.immediate.contract import Dispatcher
from echelon.rules.family import Family, name_as_declared
from echelon.rules.parameter import own_spec, parameters
from echelon.rules.spec import normalize

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.policies.broker.strategy import Strategy
    from echelon.policies.decentralized.site_protocol import SiteProtocol
    from echelon.policies.immediate.strategy import ImmediateStrategy

STRATEGIES: Rules[type[Strategy]] = Rules(
    __package__,
    {
        "random": "one_formula.Random",
        "round-robin": "one_formula.RoundRobin",
        "first-site": "one_formula.FirstSite",
        "home": "one_formula.HomeSite",
        "ml": "one_formula.MinimumLoad",
        "mlp": "one_formula.MinimumLoadPerProcessor",
        "mpl": "one_formula.MinimumParallelLoad",
        "least-memory": "one_formula.LeastMemory",
        "least-mpl": "one_formula.LeastFullNode",
        "lbal-s": "load_balance.LoadBalanceBySize",
        "lbal-t": "load_balance.LoadBalanceByTime",
        "lbal-w": "load_balance.LoadBalanceByWork",
        "mlb": "one_formula.MinimumLowerBound",
        "mct": "completion.MinimumCompletionTime",
        "mst": "completion.MinimumStartTime",
        "mwt": "mean_times.MinimumWaitingTime",
        "mwwt-s": "mean_times.MinimumSizeWeightedWait",
        "mwwt-t": "mean_times.MinimumTimeWeightedWait",
        "mwwt-w": "mean_times.MinimumWorkWeightedWait",
        "mta": "mean_times.MinimumTurnaround",
        "mwta-s": "mean_times.MinimumSizeWeightedTurnaround",
        "mwct-w": "mean_times.MinimumWorkWeightedCompletion",
        "tat": "turnaround.TurnaroundTime",
        "ptt": "turnaround.WeightedTurnaroundTime",
        "first-fit": "one_formula.FirstFitSite",
        "max-ar": "one_formula.MostAvailable",
    },
)
"""Brokers for any platform, in the sequence of the tables: by information level."""

IMMEDIATE_STRATEGIES: Rules[type[ImmediateStrategy]] = Rules(
    "echelon.policies.immediate",
    {
        "cpu-load": "one_formula.LeastCpuLoad",
        "lottery": "lottery.Lottery",
        "lottery-load": "lottery.LotteryWithLoad",
        "wall-time": "one_formula.EstimatedWallTime",
        "met": "one_formula.MinimumExecutionTime",
        "olb": "one_formula.OpportunisticLoadBalancing",
    },
)
"""Brokers for time-shared machines only: those of the SINAPAD study, then those that plan."""

DISPATCHERS: Rules[type[Dispatcher]] = Rules(
    "echelon.policies.immediate",
    {
        "min-min": "batch_rules.MinMin",
        "max-min": "batch_rules.MaxMin",
        "sufferage": "batch_rules.Sufferage",
        "fpltf": "fpltf.DynamicFPLTF",
        "wqr": "wqr.WorkQueueWithReplication",
    },
)
"""Rules for time-shared machines that let jobs wait, or replicate them."""

DECENTRALIZED: Rules[type[SiteProtocol]] = Rules(
    "echelon.policies.decentralized",
    {
        "exchange": "exchange.Exchange",
        "common-pool": "exchange.CommonPool",
        "stealing": "stealing.Stealing",
    },
)
"""The protocols of decentralized scheduling."""

PROTOCOLS: Mapping[str, type[SiteProtocol]] = by_word(DECENTRALIZED)
"""The protocols by name."""

Metascheduler: TypeAlias = Broker | Decentralized | Dispatcher
"""The rules that choose sites: for one job at a time, among the sites themselves, or for all waiting jobs."""


def _check_broker(broker: Metascheduler) -> Metascheduler:
    """Return `broker` after checking its declarations."""
    if not isinstance(broker.name, str):
        raise InputError(f"must be a string, got {broker.name!r:.60}", field="broker, name")
    if isinstance(broker, Decentralized):
        spec = own_spec(broker)
        if spec is not None and not isinstance(spec, str):
            raise InputError(f"must be a string, got {spec!r:.60}", field=f"{broker.name}, spec")
        return broker
    decision_time_of(broker)
    if isinstance(broker, Dispatcher):
        if broker.dispatches is not True:
            got = f"{broker.dispatches!r:.60}"
            problem = f"must be True, which distinguishes it from a scheduler of a queue, got {got}"
            raise InputError(problem, field=f"{broker.name}, dispatches")
        return broker
    if broker.information not in tuple(Information):
        problem = f"must be a level from 0 to 4, got {broker.information!r:.60}"
        raise InputError(problem, field=f"{broker.name}, information")
    grid_state_of(broker)
    return broker


def _is_broker(thing: Any) -> bool:  # noqa: ANN401  (whatever a file holds)
    waits = hasattr(thing, "homes") or hasattr(thing, "dispatches")
    return hasattr(thing, "choose") or (waits and hasattr(thing, "decide"))


_STATE, _EARLIER = "grid-state", "belief"
_STORED = {f"{_STATE}={state}": f"{_EARLIER}={earlier}" for state, earlier in STORED_GRID_STATES.items()}
_PRESENT = {earlier: state for state, earlier in STORED_GRID_STATES.items()}


def _rename_states(name: str, settings: Mapping[str, str]) -> Mapping[str, str]:
    """Return the settings of the broker `name` with the present names of grid states."""
    present: dict[str, str] = {}
    for key, text in settings.items():
        is_state = normalize(key) in (_STATE, _EARLIER)
        if is_state and _STATE in present:
            raise InputError(f"{_STATE} is set twice; {_EARLIER} is its earlier name", field=f"broker {name}")
        present[_STATE if is_state else key] = _PRESENT.get(normalize(text), text) if is_state else text
    return present


class _BrokerFamily(Family[Metascheduler]):
    """The family of brokers: the parameter `grid_state` and its values have earlier names.

    They are read like the present ones. Canonical specs are written with them, so that the keys of stored
    runs and the labels in their tables stay the same.
    """

    def make(self, name: str, rule_object: object, settings: Mapping[str, str]) -> Any:  # noqa: ANN401
        """Return the broker as `Family.make` does; `settings` may have earlier names."""
        takes = parameters(rule_object)
        if _STATE in takes and _EARLIER not in takes:
            settings = _rename_states(name, settings)
        return super().make(name, rule_object, settings)

    def format(self, rule: Any) -> str:  # noqa: ANN401  (as in `Family`)
        """Return the canonical spec, with the earlier names of grid states."""
        spec = super().format(rule)
        for present, stored in _STORED.items():
            spec = spec.replace(present, stored)
        return spec


BROKER = _BrokerFamily(
    "broker",
    [STRATEGIES, IMMEDIATE_STRATEGIES, DISPATCHERS, DECENTRALIZED],
    example="mct:of=job",
    is_rule=_is_broker,
    is_ready=lambda rule: isinstance(rule, Broker | Decentralized | Dispatcher),
    must="be made with @broker, or have name, information and choose(job, view), or be a protocol (a "
    "subclass of SiteProtocol) with a name and decide(view), or have name, dispatches and decide(view)",
    groups=["echelon.brokers"],
    own=lambda rule, spec: _check_broker(name_as_declared(rule, spec)),
)
broker_named, broker_of, format_broker, names_broker = BROKER.parse, BROKER.of, BROKER.format, BROKER.in_file
