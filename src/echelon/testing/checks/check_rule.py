"""Check a user's own rule of any family: by the family's check, and by the contract of all rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from echelon.errors import EchelonError, UnknownNameError
from echelon.families import FAMILIES
from echelon.rules.description import parameter_texts
from echelon.rules.parameter import expectations, parameters
from echelon.rules.spec import Spec
from echelon.testing.checks.check import check_policy
from echelon.testing.checks.check_answers import check_shared_node_execution, check_sharing, check_topology
from echelon.testing.checks.check_broker import check_broker
from echelon.testing.checks.check_estimator import check_estimator
from echelon.testing.checks.check_global_queue import check_global_queue
from echelon.testing.checks.check_local_users import check_local_users
from echelon.testing.checks.check_metric import check_metric
from echelon.testing.checks.check_placement import check_placement
from echelon.testing.checks.no_rule import refusal
from echelon.testing.finding import Check, Finding
from echelon.user_file import is_in_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from echelon.rules import Family

_CHECKS: dict[str, Callable[[str], Check]] = {
    "topologies": check_topology,
    "local-users": check_local_users,
    "global-queues": check_global_queue,
    "brokers": check_broker,
    "placements": check_placement,
    "estimators": check_estimator,
    "metrics": check_metric,
    "policies": check_policy,
    "sharings": check_sharing,
    "executions-on-shared-nodes": check_shared_node_execution,
}
"""The families whose rules are tested in runs, in the order in which a rule's family is determined."""


def check_rule(text: str) -> Check:
    """Check the rule of a spec ``FILE.py:NAME:key=value``, or a rule of another package by its name.

    Parameters
    ----------
    text : str
        Its spec.

    Returns
    -------
    Check
        The findings: for policies, brokers, placements, estimators, metrics, global queues and local loads in
        runs; for sharings, topologies and executions on shared nodes by questions; for others, whether they
        satisfy the contract of their family and document their parameters.

    Raises
    ------
    InputError, UnknownNameError
        If the file cannot be loaded, or the rule does not exist.
    """
    if (name := _family_of(text)) is None:
        raise refusal(FAMILIES.named("policies").head(Spec.parse(text))[0])
    if (check := _CHECKS.get(name)) is not None:
        return check(text)
    family = FAMILIES.named(name)
    return Check(family.kind, text, tuple(_findings(family, text)))


def _family_of(text: str) -> str | None:
    """Return the name of the first family that a rule matches; of no file, policies if it matches none."""
    for name in (*_CHECKS, *(name for name in FAMILIES.names if name not in _CHECKS)):
        if FAMILIES.named(name).in_file(text):
            return name
    for name in FAMILIES.names:
        head = Spec.parse(text).names[:1]
        if head and FAMILIES.named(name).declares(head[0]):
            return name
    return None if is_in_file(text) else "policies"


def _findings(family: Family[Any], text: str) -> Iterator[Finding]:
    rule = family.find(family.head(family.spec(text))[0])
    try:
        family.parse(text)
    except UnknownNameError:
        raise
    except EchelonError as error:
        yield Finding("rule", False, str(error))
        return
    yield Finding("rule", True, f"satisfies the contract of {family.kind} rules")
    silent = [word for word, one in parameters(rule).items() if one.name not in parameter_texts(rule)]
    kinds = expectations(rule, family.named_types())
    parameter_kinds = ", ".join(f"{word} ({kind})" for word, kind in kinds.items()) or "none"
    yield Finding("parameters", True, parameter_kinds, required=False)
    if silent:
        yield Finding("docstring", False, f"does not describe {', '.join(silent)}", required=False)
