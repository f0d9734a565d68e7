"""Parameter: one number of a workload model, with its unit, its bounds and what it means."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from echelon.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

TINIEST = 1e-100
"""Least value of what is divided by: far below any that makes sense, far above where quotients overflow."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One number of a model.

    Parameters
    ----------
    name : str
        As typed: ``uhi``.
    unit : str
        ``"s"``, ``"h"``, ``"processors"`` ... or ``"1"`` for a number without.
    default : float
        What the model takes if nothing is said.
    meaning : str
        One clause.
    least, most : float
        Bounds, both allowed; default none.
    above : float, optional
        A bound that is not allowed itself.
    choices : tuple of str, default none
        Words that stand for the values 0, 1 ..., which alone are allowed then; the default is a place, too.
    """

    name: str
    unit: str
    default: float
    meaning: str
    least: float = -math.inf
    most: float = math.inf
    above: float | None = None
    choices: tuple[str, ...] = ()

    def check(self, value: float | str) -> float:
        """Return `value`, or raise `InputError` if it is out of bounds or not finite, or no choice."""
        if self.choices:
            return self._choose(value)
        if isinstance(value, str):
            raise InputError(f"must be a number, got {value!r}", field=f"parameter {self.name}")
        ok = math.isfinite(value) and self.least <= value <= self.most
        if not ok or (self.above is not None and value <= self.above):
            raise InputError(f"must be {self.bounds}, got {value:g}", field=f"parameter {self.name}")
        return float(value)

    def _choose(self, value: float | str) -> float:
        choice = value.strip().lower() if isinstance(value, str) else value
        if choice in self.choices:
            return float(self.choices.index(str(choice)))
        if isinstance(choice, str) or choice not in range(len(self.choices)):
            raise InputError(f"must be {self.bounds}, got {value!r}", field=f"parameter {self.name}")
        return float(choice)

    def text(self, value: float) -> str:
        """Return a value as people type it."""
        return self.choices[int(value)] if self.choices else repr(value)

    @property
    def usual(self) -> str:
        """The default as a text, to eight digits."""
        return self.choices[int(self.default)] if self.choices else f"{self.default:.8g}"

    @property
    def bounds(self) -> str:
        """The allowed values as a phrase."""
        if self.choices:
            return " or ".join(self.choices)
        if self.above is not None:
            return f"> {self.above:g}" + (f" and <= {self.most:g}" if self.most < math.inf else "")
        if self.least == -math.inf:
            return "any finite number" if self.most == math.inf else f"<= {self.most:g}"
        if self.most == math.inf:
            return f">= {self.least:g}"
        return f"between {self.least:g} and {self.most:g}"

    @property
    def about(self) -> str:
        """Its values, default and meaning, as rules with parameters of other kinds are described."""
        values = self.bounds if self.choices or self.bounds.startswith("any") else f"a number {self.bounds}"
        unit = "" if self.unit == "1" else f" {self.unit}"
        return f"{values}, default {self.usual}{unit}. {self.meaning[:1].upper()}{self.meaning[1:]}."

    def with_prefix(self, prefix: str) -> Parameter:
        """Return this parameter under the name ``prefix_name``."""
        return replace(self, name=f"{prefix}_{self.name}", meaning=f"{prefix} jobs: {self.meaning}")


def settle_values(
    kind: str,
    parameters: Iterable[Parameter],
    *mappings: Mapping[str, float | str],
    besides: Iterable[str] = (),
) -> dict[str, float]:
    """Return a value for every parameter: of the last of `mappings` that names it, else its default.

    Parameters
    ----------
    kind : str
        Whose parameters these are, for messages.
    parameters : iterable of Parameter
        All there are.
    *given : mapping of str to float or str
        Later ones come before earlier ones.
    besides : iterable of str, default empty
        Further names that may occur in the same place, settled elsewhere; a wrong name is compared with them,
        too.

    Raises
    ------
    InputError
        If a value is out of bounds.
    UnknownNameError
        If a name is none of the parameters'.
    """
    parameter_by_name = {parameter.name: parameter for parameter in parameters}
    values = {name: parameter.default for name, parameter in parameter_by_name.items()}
    for settings in mappings:
        for name, value in settings.items():
            if name not in parameter_by_name:
                raise UnknownNameError(f"parameter of {kind}", name, [*parameter_by_name, *besides])
            values[name] = parameter_by_name[name].check(value)
    return values


def check_whole(values: Mapping[str, float], *names: str) -> None:
    """Raise `InputError` unless these parameters are whole numbers."""
    for name in names:
        if values[name] != int(values[name]):
            raise InputError(f"must be a whole number, got {values[name]:g}", field=f"parameter {name}")
