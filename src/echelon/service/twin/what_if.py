"""What if: rules of a service with some of them changed, as on the command line."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from echelon.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.service.rules import Rules


def change_rules(rules: Rules, changes: Mapping[str, Any], policies: Sequence[str] = ()) -> Rules:
    """Return rules with some of them changed.

    Parameters
    ----------
    rules : Rules
        As they are.
    changes : mapping of str to object
        New values by the names of `Rules`; None: as it is.
    policies : sequence of str, default empty
        Policies that clusters would have, each ``CLUSTER=POLICY``, or one policy of all.

    Raises
    ------
    InputError
        If a value is out of its range.
    UnknownNameError
        If there is no such cluster.
    """
    new_rules = replace(rules, **{name: value for name, value in changes.items() if value is not None})
    for choice in policies:
        new_rules = _with_policy(new_rules, choice)
    return new_rules


def _with_policy(rules: Rules, choice: str) -> Rules:
    name, is_named, policy = choice.partition("=")
    # ``easy:reservations=2`` names no cluster, though it has an equals sign.
    if not is_named or ":" in name:
        name, policy = "", choice
    if name and name not in rules.names:
        raise UnknownNameError("cluster", name, rules.names, where=f"policy {choice!r}")
    if not policy.strip():
        raise InputError("names no policy", field=f"policy {choice!r}")
    return replace(
        rules,
        clusters=tuple(
            replace(one, policy=policy) if name in ("", one.name) else one for one in rules.clusters
        ),
    )
