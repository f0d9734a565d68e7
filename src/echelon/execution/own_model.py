"""A user's own memory or network model: asked, and its answers seen to be possible."""

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
    """A memory model of the user's own.

    Parameters
    ----------
    name : str
        The words that name it: ``"my.py:Model:width=3"``.
    model : MemoryModel
        What is asked.

    Raises
    ------
    InputError
        If its scope is neither a processor nor a node; later, if it fails, or a factor is none.
    """

    name: str
    model: MemoryModel

    @property
    def words(self) -> str:
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
        """Whose tasks slow each other down."""
        return self.model.scope

    def check(self, hardware: Hardware) -> None:
        """Refuse hardware that lacks what the model needs."""
        _asked(self.name, "check", lambda: self.model.check(hardware))

    def factors(self, loads: Sequence[Load], part: Processor | Node) -> Sequence[float]:
        """Return the factor of each load's tasks, 0 < factor <= 1."""
        found = list(_asked(self.name, "factors", lambda: list(self.model.factors(loads, part))))
        if len(found) != len(loads):
            raise _wrong(self.name, f"one factor for each of {len(loads)} loads", len(found))
        return [_factor(self.name, factor) for factor in found]


@dataclass(frozen=True, slots=True)
class OwnNetworkModel:
    """A network model of the user's own.

    Parameters
    ----------
    name : str
        The words that name it.
    model : NetworkModel
        What is asked.

    Raises
    ------
    InputError
        Later, if it fails, or a factor is none.
    """

    name: str
    model: NetworkModel

    @property
    def words(self) -> str:
        """The words that name it."""
        return self.name

    @property
    def local(self) -> bool:
        """Whether the factors in a node depend on nothing but the jobs with tasks in that very node."""
        return bool(self.model.local)

    def check(self, hardware: Hardware) -> None:
        """Refuse hardware that lacks what the model needs."""
        _asked(self.name, "check", lambda: self.model.check(hardware))

    def factors(self, traffic: Sequence[Traffic], hardware: Hardware) -> Sequence[Mapping[int, float]]:
        """Return for each job the factor of its communication in each of its nodes, 0 < factor <= 1."""
        found = _asked(
            self.name, "factors", lambda: [dict(one) for one in self.model.factors(traffic, hardware)]
        )
        nodes = [set(job.tasks) for job in traffic]
        if [set(one) for one in found] != nodes:
            raise _wrong(self.name, "a factor for each node of each job", found)
        return [{node: _factor(self.name, factor) for node, factor in one.items()} for one in found]


def _asked(name: str, method: str, ask: Callable[[], Any]) -> Any:  # noqa: ANN401  (what a user's code says)
    with Guard(lambda said: InputError(f"{method} fails with {said}", field=f"model {name}")):
        return ask()


def _factor(name: str, factor: object) -> float:
    number = isinstance(factor, int | float | np.number) and not isinstance(factor, bool)
    if not number or not math.isfinite(found := float(factor)) or not 0 < found <= 1:  # type: ignore[arg-type]
        raise _wrong(name, "factors above 0 and at most 1", factor)
    return found


def _wrong(name: str, expected: str, got: object) -> InputError:
    return InputError(f"must return {expected}, got {got!r:.60}", field=f"model {name}")
