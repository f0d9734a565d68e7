"""What is no rule of any family: the name that was meant, or the families that it comes near to."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from echelon.errors import EchelonError, InputError, UnknownNameError
from echelon.families import FAMILIES
from echelon.rules.spec import with_article
from echelon.user_file import open_user_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.rules import Family

_METHOD = re.compile(r"(\w+)\(")


def refusal(text: str) -> EchelonError:
    """Return the error for ``FILE.py:NAME`` that no family takes.

    Parameters
    ----------
    text : str
        The file and the name.

    Returns
    -------
    EchelonError
        A file without the name is answered with the nearest of all its rules; a thing of that name, with
        what the families ask for of whose methods it has most.
    """
    file, name, things = open_user_file(text, kind="rule")
    families: list[Family[Any]] = [FAMILIES.named(one) for one in FAMILIES.names]
    if name not in things:
        return UnknownNameError(
            f"rule in {file}", name, set().union(*(one.rule_names_in(things) for one in families))
        )
    thing = things[name]
    got = thing.__name__ if isinstance(thing, type) else type(thing).__name__
    return InputError(f"{_expectation_of(thing, families)}; got {got}", file=file, field=name)


def _expectation_of(thing: object, families: Sequence[Family[Any]]) -> str:
    """Return what the families ask for that a thing is nearest to."""
    shares = [(_share(thing, family), family) for family in families]
    most = max(share for share, _ in shares)
    if not most:
        return (
            "must be a rule of a family that echelon rules lists, such as an order (use @order) or a class "
            "with a name and decide(view)"
        )
    near = [f"{family.must} to be {with_article(family.kind)}" for share, family in shares if share == most]
    return f"must {', or '.join(near)}"


def _share(thing: object, family: Family[Any]) -> float:
    """Return the share of the methods that a family asks for which a thing has."""
    methods = _METHOD.findall(family.must)
    return sum(callable(getattr(thing, one, None)) for one in methods) / len(methods) if methods else 0.0
