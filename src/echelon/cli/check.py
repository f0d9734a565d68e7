"""``echelon check``: whether a rule of one's own, of whatever kind, keeps the rules."""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from echelon.testing import Check, Finding

_Name = Annotated[
    str,
    typer.Argument(
        metavar="FILE.py:NAME",
        help="An order, scheduler, placement, metric, estimator, broker, dispatcher, arrangement of sites, "
        "upper queue or local users of your own.",
    ),
]


def check(name: _Name) -> None:
    """Check that your own order, scheduler, placement, metric, estimator, broker ... keeps the rules."""
    from echelon.cli.running import compiling, policy_output_apart
    from echelon.cli.terminal import show
    from echelon.errors import InputError

    if name.endswith(".py"):
        raise InputError(f"say which rule of the file, {name}:NAME", file=name)
    with policy_output_apart(), compiling(None, quiet=False):
        checked = _check(name)
    failed = [finding.name for finding in checked.findings if finding.required and not finding.passed]
    show(_table(checked.findings), "", f"{checked.name} {'breaks' if failed else 'keeps'} the rules.")
    if failed:
        raise InputError(f"fails the check of its {' and '.join(failed)}", file=name)


def _check(name: str) -> "Check":
    from echelon.metrics import names_metric
    from echelon.policies import names_broker, names_estimator, names_placement
    from echelon.policies.upper_queue import names_upper_queue
    from echelon.testing import (
        check_broker,
        check_estimator,
        check_local_users,
        check_metric,
        check_placement,
        check_policy,
        check_upper_queue,
    )
    from echelon.workloads.local_users import names_local_users

    if names_local_users(name):
        return check_local_users(name)
    if names_upper_queue(name):
        return check_upper_queue(name)
    if names_broker(name):
        return check_broker(name)
    if names_placement(name):
        return check_placement(name)
    if names_estimator(name):
        return check_estimator(name)
    return check_metric(name) if names_metric(name) else check_policy(name)


def _table(findings: "Sequence[Finding]") -> "str | Table":
    from echelon.cli.terminal import facts

    return facts(
        (_mark(finding.passed, finding.required), f"{finding.name}: {finding.sentence}")
        for finding in findings
    )


def _mark(passed: bool, required: bool) -> str:
    if not required:
        return "note"
    return "ok" if passed else "FAILED"
