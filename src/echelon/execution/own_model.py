"""OwnModel: a user's own memory or network model, whose results are checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from echelon.errors import InputError
from echelon.quantities import is_number
from echelon.rules.own_rule import Guard

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from echelon.execution.contract import Load, Traffic
    from echelon.model import Hardware, Node, Processor
    from echelon.rules.spec import Spec

SCOPES = ("processor", "node")


@dataclass(frozen=True, slots=True)
class OwnModel:
    """The common base of users' own models: the spec, and the model whose answers are checked."""

    name: str
    model: Any

    @classmethod
    def of(cls, rule: Any, spec: Spec | None) -> Any:  # noqa: ANN401  (a model of either kind)
        """Return a model of that spec, checked; one given as an object as it is."""
        return rule if spec is None else cls(spec.text.strip(), rule)

    @property
    def spec(self) -> str:
        """Its spec."""
        return self.name

    def check(self, hardware: Hardware) -> None:
        """Refuse hardware that lacks what the model needs."""
        self._ask("check", lambda: self.model.check(hardware))

    def _ask(self, method: str, ask: Callable[[], Any]) -> Any:  # noqa: ANN401  (what a user's code says)
        where = f"model {self.name}"
        with Guard(lambda failure: InputError(f"{method} fails with {failure}", field=where)):
            return ask()

    def _factor(self, factor: object) -> float:
        if not is_number(factor) or not 0 < factor <= 1:
            raise self._refusal("factors above 0 and at most 1", factor)
        return float(factor)

    def _refusal(self, expected: str, got: object) -> InputError:
        return InputError(f"must return {expected}, got {got!r:.60}", field=f"model {self.name}")


@dataclass(frozen=True, slots=True)
class OwnMemoryModel(OwnModel):
    """A user's own memory model; its scope is checked at once."""

    def __post_init__(self) -> None:
        if self.scope not in SCOPES:
            problem = f"scope must be 'processor' or 'node', got {self.scope!r:.60}"
            raise InputError(problem, field=f"execution {self.name}")

    @property
    def scope(self) -> Literal["processor", "node"]:
        """The scope of contention: whose tasks slow each other down."""
        scope: Literal["processor", "node"] = self.model.scope
        return scope

    def factors(self, loads: Sequence[Load], part: Processor | Node) -> Sequence[float]:
        """Return the factor of each load's tasks, 0 < factor <= 1."""
        factors = self._ask("factors", lambda: list(self.model.factors(loads, part)))
        if len(factors) != len(loads):
            raise self._refusal(f"one factor for each of {len(loads)} loads", len(factors))
        return [self._factor(factor) for factor in factors]


@dataclass(frozen=True, slots=True)
class OwnNetworkModel(OwnModel):
    """A user's own network model."""

    @property
    def local(self) -> bool:
        """Whether the factors in a node depend only on the jobs with tasks in that node."""
        return bool(self.model.local)

    def factors(self, traffic: Sequence[Traffic], hardware: Hardware) -> Sequence[Mapping[int, float]]:
        """Return for each job the factor of its communication in each of its nodes, 0 < factor <= 1."""
        factors = self._ask("factors", lambda: [dict(one) for one in self.model.factors(traffic, hardware)])
        nodes = [set(job.tasks) for job in traffic]
        if [set(one) for one in factors] != nodes:
            raise self._refusal("a factor for each node of each job", factors)
        return [{node: self._factor(factor) for node, factor in one.items()} for one in factors]
