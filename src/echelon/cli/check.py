"""``echelon check``: whether a policy of one's own keeps the rules."""

from typing import Annotated

import typer

_Name = Annotated[str, typer.Argument(metavar="FILE.py:NAME", help="An order or a scheduler of your own.")]


def check(name: _Name) -> None:
    """Check that your own order or scheduler keeps the rules, on small cases made for it."""
    from echelon.cli.running import policy_output_apart
    from echelon.cli.terminal import facts, show
    from echelon.errors import InputError
    from echelon.testing import check_policy

    with policy_output_apart():
        found = check_policy(name)
    rows = [
        (_mark(finding.passed, finding.required), f"{finding.name}: {finding.sentence}")
        for finding in found.findings
    ]
    verdict = "keeps the rules" if found.passed else "breaks the rules"
    show(facts(rows), "", f"{found.policy} {verdict}.")
    failed = [finding.name for finding in found.findings if finding.required and not finding.passed]
    if failed:
        raise InputError(f"fails the check of its {' and '.join(failed)}", file=name)


def _mark(passed: bool, required: bool) -> str:
    if not required:
        return "note"
    return "ok" if passed else "FAILED"
