"""OwnModel: a user's own memory or network model, whose results are checked."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from echelon.errors import InputError
from echelon.rules.own_rule import Guard

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from echelon.execution.contract import Load, MemoryModel, NetworkModel, Traffic
    from echelon.model import Hardware, Node, Processor

SCOPES = ("processor", "node")


@dataclass(frozen=True, slots=True)
class OwnMemoryModel:
    """A user's own memory model.

    Parameters
    ----------
    name : str
        Its spec: ``"my.py:Model:width=3"``.
    model : MemoryModel
        The model.

    Raises
    ------
    InputError
        If its scope is neither a processor nor a node; later, if it fails or a factor is invalid.
    """

    name: str
    model: MemoryModel

    @property
    def spec(self) -> str:
        """The words that name it."""
        return self.name

    def __post_init__(self) -> None:
        if self.model.scope not in SCOPES:
            raise InputError(
                f"scope must be 'processor' or 'node', got {self.model.scope!r:.60}",
                field=f"execution {self.name}",
            )

    @property
    def scope(self) -> Literal["processor", "node"]:
        """The scope of contention: whose tasks slow each other down."""
        return self.model.scope

    def check(self, hardware: Hardware) -> None:
        """Refuse hardware that lacks what the model needs."""
        _ask(self.name, "check", lambda: self.model.check(hardware))

    def factors(self, loads: Sequence[Load], part: Processor | Node) -> Sequence[float]:
        """Return the factor of each load's tasks, 0 < factor <= 1."""
        factors = list(_ask(self.name, "factors", lambda: list(self.model.factors(loads, part))))
        if len(factors) != len(loads):
            raise _wrong(self.name, f"one factor for each of {len(loads)} loads", len(factors))
        return [_factor(self.name, factor) for factor in factors]


@dataclass(frozen=True, slots=True)
class OwnNetworkModel:
    """A user's own network model.

    Parameters
    ----------
    name : str
        Its spec.
    model : NetworkModel
        The model.

    Raises
    ------
    InputError
        Later, if it fails or a factor is invalid.
    """

    name: str
    model: NetworkModel

    @property
    def spec(self) -> str:
        """The words that name it."""
        return self.name

    @property
    def local(self) -> bool:
        """Whether the factors in a node depend only on the jobs with tasks in that node."""
        return bool(self.model.local)

    def check(self, hardware: Hardware) -> None:
        """Refuse hardware that lacks what the model needs."""
        _ask(self.name, "check", lambda: self.model.check(hardware))

    def factors(self, traffic: Sequence[Traffic], hardware: Hardware) -> Sequence[Mapping[int, float]]:
        """Return for each job the factor of its communication in each of its nodes, 0 < factor <= 1."""
        factors = _ask(
            self.name, "factors", lambda: [dict(one) for one in self.model.factors(traffic, hardware)]
        )
        nodes = [set(job.tasks) for job in traffic]
        if [set(one) for one in factors] != nodes:
            raise _wrong(self.name, "a factor for each node of each job", factors)
        return [{node: _factor(self.name, factor) for node, factor in one.items()} for one in factors]


def _ask(name: str, method: str, ask: Callable[[], Any]) -> Any:  # noqa: ANN401  (what a user's code says)
    with Guard(lambda failure: InputError(f"{method} fails with {failure}", field=f"model {name}")):
        return ask()


def _factor(name: str, factor: object) -> float:
    number = isinstance(factor, int | float | np.number) and not isinstance(factor, bool)
    if not number or not math.isfinite(value := float(factor)) or not 0 < value <= 1:  # type: ignore[arg-type]
        raise _wrong(name, "factors above 0 and at most 1", factor)
    return value


def _wrong(name: str, expected: str, got: object) -> InputError:
    return InputError(f"must return {expected}, got {got!r:.60}", field=f"model {name}")
