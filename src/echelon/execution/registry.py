"""The models of execution and of the network by name; a new model is added here."""

from __future__ import annotations

from typing import Any

from echelon.errors import InputError
from echelon.execution.contract import MemoryModel, NetworkModel
from echelon.execution.execution import Execution
from echelon.execution.own_model import OwnMemoryModel, OwnNetworkModel
from echelon.execution.time_shared import OwnTimeShared, TimeShared
from echelon.lazy import Rules
from echelon.rules.family import Family

MEMORY_MODELS: Rules[type[MemoryModel]] = Rules(
    __package__,
    {
        "memory-v1": "memory_v1.MemoryV1",
        "memory-v2": "memory_v2.MemoryV2",
        "memory-share": "memory_share.MemoryShare",
    },
)
"""Every built-in memory model."""

NETWORK_MODELS: Rules[type[NetworkModel]] = Rules(
    __package__, {"constant": "constant.Constant", "proportional": "proportional.Proportional"}
)
"""Every built-in network model."""

TIME_SHARED: Rules[type[TimeShared]] = Rules(__package__, {"time-shared": "time_shared.TimeShared"})
"""Every execution on shared nodes."""


def _none() -> None:
    """No network model: jobs do not slow each other down between nodes."""


NETWORK_MODEL: Family[NetworkModel | None] = Family(
    "network model",
    [NETWORK_MODELS],
    example="constant:factor=0.7",
    is_rule=lambda thing: hasattr(thing, "factors") and hasattr(thing, "local"),
    is_ready=lambda rule: isinstance(rule, NetworkModel),
    must="have name, local, check(hardware) and factors(traffic, hardware)",
    groups=["echelon.network_models"],
    own=OwnNetworkModel.of,
    nothing={"none": _none},
)
network_named, network_of, format_network = NETWORK_MODEL.parse, NETWORK_MODEL.of, NETWORK_MODEL.format


class _Executions(Family[Execution]):
    """What the speed of a task depends on: its core, and a memory model joined by a plus sign."""

    def parse(self, text: str) -> Execution:
        """Return the execution people mean by ``fixed``, ``speed``, a memory model, or ``speed+MODEL``."""
        parts: list[Any] = [super(_Executions, self).parse(part) for part in text.split("+")]
        bare = [part for part in parts if isinstance(part, Execution)]
        models = [part for part in parts if not isinstance(part, Execution)]
        if len(models) > 1 or len(bare) > 1:
            raise InputError(
                "may join speed and one memory model by +, as in speed+memory-v1", field=f"execution {text!r}"
            )
        return Execution(bare == [Execution(fixed=True)], *models)

    def of(self, rule: object) -> Execution:
        """Return `rule` as an execution: a spec, a memory model, or an execution itself."""
        if isinstance(rule, MemoryModel) and not isinstance(rule, type):
            return Execution(memory=rule)
        return super().of(rule)

    def find(self, name: str) -> Any:  # noqa: ANN401  (as of any family)
        """Return the memory model of that name."""
        if TIME_SHARED_NODES.has(name):
            problem = "is for shared nodes; choose a platform that is a multicluster"
            raise InputError(problem, field=f"execution {name}")
        return super().find(name)


def _fixed() -> Execution:
    """Let a job run for its run time everywhere."""
    return Execution(fixed=True)


def _speed() -> Execution:
    """Let each task execute its operations at the speed of its core."""
    return Execution()


EXECUTION: Family[Execution] = _Executions(
    "execution",
    [MEMORY_MODELS],
    example="memory-v1:steep=formula",
    is_rule=lambda thing: hasattr(thing, "factors") and hasattr(thing, "scope"),
    is_ready=lambda rule: isinstance(rule, MemoryModel | Execution),
    must="have name, scope, check(hardware) and factors(loads, part)",
    groups=["echelon.memory_models"],
    own=OwnMemoryModel.of,
    nothing={"fixed": _fixed, "speed": _speed},
)
execution_named, execution_of = EXECUTION.parse, EXECUTION.of


class _TimeShared(Family[TimeShared]):
    """The execution on shared nodes: one that is built in, with parameters, and those that derive from it."""

    def of(self, rule: object) -> TimeShared:
        """Return `rule` as an execution on shared nodes: a spec, one itself, or None for the usual one."""
        return TimeShared() if rule is None else super().of(rule)


TIME_SHARED_NODES: Family[TimeShared] = _TimeShared(
    "execution on shared nodes",
    [TIME_SHARED],
    example="time-shared:interference=0.2",
    is_rule=lambda thing: (
        isinstance(thing, TimeShared) or (isinstance(thing, type) and issubclass(thing, TimeShared))
    ),
    is_ready=lambda rule: isinstance(rule, TimeShared),
    must="derive from TimeShared",
    groups=["echelon.shared_node_executions"],
    own=OwnTimeShared.of,
)
time_shared_named, time_shared_of = TIME_SHARED_NODES.parse, TIME_SHARED_NODES.of
format_time_shared = TIME_SHARED_NODES.format
