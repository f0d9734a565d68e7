"""The name of another package's rule: the one that the package declares, whatever the rule calls itself."""

from __future__ import annotations

from contextlib import suppress
from copy import copy
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, TypeVar, cast

from echelon.rules.parameter import own_spec, settings_of
from echelon.rules.spec import format_spec, plain
from echelon.user_file import is_in_file

if TYPE_CHECKING:
    from echelon.rules.spec import Spec

R = TypeVar("R")


def as_declared(rule: R, spec: Spec | None) -> R:
    """Return the rule of a spec; if a package declares it, under the name that the spec begins with.

    Parameters
    ----------
    rule : rule
        Made from the spec. One without a place for another name stays as it is.
    spec : Spec or None
        None for a rule given as an object, which keeps its name; so does one of a file.
    """
    if spec is None or is_in_file(spec.text):
        return rule
    name, own = plain(spec.names[0]), own_spec(rule)
    said = own if isinstance(own, str) else str(getattr(rule, "name", ""))
    if plain(said.partition(":")[0].partition("(")[0]) == name:
        return rule
    if is_dataclass(rule) and any(field.name == "name" for field in fields(rule)):
        return cast("R", replace(rule, name=name))  # type: ignore[type-var]
    made = copy(rule)
    with suppress(AttributeError):
        object.__setattr__(made, "name", name)
        object.__setattr__(made, "spec", format_spec(name, settings_of(rule)))
    return made
