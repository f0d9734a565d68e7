"""Criteria: which sites may run a job at all."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, TypeAlias

from echelon.errors import EchelonError, InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterable

Criteria: TypeAlias = Mapping[str, object] | Callable[[Mapping[str, object]], object]
"""What a site's attributes must be.

A mapping from attributes to what each must be: a value; a set, list or tuple of values; or a function of the
value. Or a function of all attributes. Besides those registered every site has ``site``, its name, and
``cores``.
"""


def check_criteria(criteria: object, known: Iterable[str]) -> None:
    """Refuse criteria of another kind, and of attributes that no site has.

    Raises
    ------
    InputError
        If they are neither a mapping nor a function.
    UnknownNameError
        If no site has an attribute that is asked for.
    """
    if criteria is None or (callable(criteria) and not isinstance(criteria, Mapping)):
        return
    if not isinstance(criteria, Mapping):
        problem = f"must be a mapping from attributes to values, or a function, got {criteria!r:.60}"
        raise InputError(problem, field="criteria")
    names = set(known)
    for name in criteria:
        if name not in names:
            raise UnknownNameError("attribute of a site", str(name), names)


def meets(attributes: Mapping[str, object], criteria: Criteria | None) -> bool:
    """Return whether a site of these attributes meets all criteria.

    Raises
    ------
    InputError
        If a function among them fails, or a value cannot be compared with what it must be.
    """
    if criteria is None:
        return True
    if not isinstance(criteria, Mapping):
        return _asked(criteria, attributes)
    return all(
        name in attributes and _is_wanted(attributes[name], wanted) for name, wanted in criteria.items()
    )


def _is_wanted(value: object, wanted: object) -> bool:
    if callable(wanted):
        return _asked(wanted, value)
    if isinstance(wanted, Collection) and not isinstance(wanted, str | bytes):
        return _asked(wanted.__contains__, value)
    return _asked(lambda one: one == wanted, value)


def _asked(function: Callable[..., object], value: object) -> bool:
    try:
        return bool(function(value))
    except EchelonError:
        raise
    except (Exception, SystemExit) as error:
        raise InputError(f"fail with {type(error).__name__}: {error}", field="criteria") from error
