"""Criteria: which sites may run a job at all."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, TypeAlias

from echelon.errors import InputError, UnknownNameError
from echelon.rules.own_rule import Guard

if TYPE_CHECKING:
    from collections.abc import Iterable

Criteria: TypeAlias = Mapping[str, object] | Callable[[Mapping[str, object]], object]
"""What a site's attributes must be.

A mapping from attributes to what each must be: a value; a set, list or tuple of values; or a function of the
value. Or a function of all attributes. In addition to registered attributes, every site has ``site``, its
name, and ``cores``.
"""


def check_criteria(criteria: object, attributes: Iterable[str]) -> None:
    """Refuse criteria of the wrong type, and attributes that no site has.

    Raises
    ------
    InputError
        If they are neither a mapping nor a function.
    UnknownNameError
        If no site has one of the attributes.
    """
    if criteria is None or (callable(criteria) and not isinstance(criteria, Mapping)):
        return
    if not isinstance(criteria, Mapping):
        problem = f"must be a mapping from attributes to values, or a function, got {criteria!r:.60}"
        raise InputError(problem, field="criteria")
    names = set(attributes)
    for name in criteria:
        if name not in names:
            raise UnknownNameError("attribute of a site", str(name), names)


def meets(attributes: Mapping[str, object], criteria: Criteria | None) -> bool:
    """Return whether a site of these attributes meets all criteria.

    Raises
    ------
    InputError
        If a function among them fails, or a value cannot be compared.
    """
    if criteria is None:
        return True
    if not isinstance(criteria, Mapping):
        return _evaluate(criteria, attributes)
    return all(
        name in attributes and _is_wanted(attributes[name], wanted) for name, wanted in criteria.items()
    )


def _is_wanted(value: object, wanted: object) -> bool:
    if callable(wanted):
        return _evaluate(wanted, value)
    if isinstance(wanted, Collection) and not isinstance(wanted, str | bytes):
        return _evaluate(wanted.__contains__, value)
    return _evaluate(lambda one: one == wanted, value)


def _evaluate(function: Callable[..., object], value: object) -> bool:
    with Guard(lambda failure: InputError(f"fail with {failure}", field="criteria")):
        return bool(function(value))
