"""``echelon check``: test whether a user's own rule, of any family, satisfies its contract."""

from typing import TYPE_CHECKING, Annotated

import typer

from echelon.cli.terminal import facts, show
from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from echelon.testing import Finding

_Name = Annotated[
    str,
    typer.Argument(
        metavar="FILE.py:NAME",
        help="Your own rule, of any family: an order, scheduler, placement, metric, estimator, broker, "
        "dispatcher, decentralized protocol, global queue, local load ...; or a rule of an installed "
        "package.",
    ),
]


def check(name: _Name) -> None:
    """Check your own order, scheduler, placement, metric, estimator, broker ... against its contract."""
    from echelon.cli.run_steps import compiling, policy_output_apart
    from echelon.testing import check_rule

    if name.endswith(".py"):
        raise InputError(f"name a rule of the file: {name}:NAME", file=name)
    with policy_output_apart(), compiling(None, quiet=False):
        checked = check_rule(name)
    failed = [finding.name for finding in checked.findings if finding.required and not finding.passed]
    show(_table(checked.findings), "", f"{checked.name} {'breaks' if failed else 'keeps'} the rules.")
    if failed:
        raise InputError(f"fails the check of its {' and '.join(failed)}", file=name)


def _table(findings: "Sequence[Finding]") -> "str | Table":
    return facts(
        (_mark(finding.passed, finding.required), f"{finding.name}: {finding.sentence}")
        for finding in findings
    )


def _mark(passed: bool, required: bool) -> str:
    if not required:
        return "note"
    return "ok" if passed else "FAILED"
