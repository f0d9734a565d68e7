"""A rule named by a table in TOML, such as ``{ name = "multifactor", qos = { high = 1.0 } }``, as a spec."""

from __future__ import annotations

from typing import Any

from echelon.errors import InputError
from echelon.policies.order.priorities import PARTING
from echelon.rules import text_of

NAME = "name"


def rule_spec(rule: Any) -> Any:  # noqa: ANN401  (what a TOML file says)
    """Return the spec for a table of a ``name`` and parameters; anything else as it is.

    Raises
    ------
    InputError
        If a name in a table among the parameters cannot be part of a specification.
    """
    if not isinstance(rule, dict) or not isinstance(rule.get(NAME), str):
        return rule
    settings = (f"{key}={format_parameter(value)}" for key, value in rule.items() if key != NAME)
    return ":".join([rule[NAME], *settings])


def format_parameter(value: object) -> str:
    """Return a parameter's value as people type it; a table of numbers as ``high=1+low=0.2``."""
    if isinstance(value, dict):
        for key in value:
            if set(key) & set(PARTING):
                raise InputError(f"names in a table must be without any of {PARTING}, got {key!r}")
        return "+".join(f"{key}={format_parameter(part)}" for key, part in value.items())
    return text_of(value)
