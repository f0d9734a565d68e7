"""Backends: the conformance suite of back ends: what each must do, checked on a cluster of its kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.errors import UnknownNameError
from echelon.testing import backend_checks, backend_claim_checks
from echelon.testing.backend_case import BackendCase
from echelon.testing.backend_trial import BackendTrial, ViolationError
from echelon.testing.finding import Check, Finding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Part = Callable[[BackendTrial], None]

_PLAIN = (
    backend_checks.description,
    backend_checks.unknown_jobs,
    backend_checks.acceptance,
    backend_checks.refusal,
    backend_checks.completion,
    backend_checks.failure,
    backend_checks.cancel_running,
    backend_checks.cancel_waiting,
    backend_checks.handles,
    backend_checks.time_limit,
    backend_checks.restart,
)
_OF_COMMANDS = (backend_claim_checks.arguments, backend_claim_checks.scripts, backend_claim_checks.signals)
_OF_CLAIMS = (
    backend_claim_checks.twice,
    backend_claim_checks.revoke_waiting,
    backend_claim_checks.revoke_before_submission,
    backend_claim_checks.revoke_running,
)


def _name(part: Part) -> str:
    return part.__name__.replace("_", " ")


_PARTS: dict[str, Part] = {_name(part): part for part in (*_PLAIN, *_OF_COMMANDS, *_OF_CLAIMS)}

_EARLIER = {"words": "arguments"}

BACKEND_CHECKS = tuple(_PARTS)
"""Names of all checks of back ends, in their order."""

HARMLESS_CHECKS = ("description", "unknown jobs")
"""Names of the checks that submit nothing."""


def check_backend(case: BackendCase, only: Sequence[str] = BACKEND_CHECKS) -> Check:
    """Check a back end on a cluster.

    Parameters
    ----------
    case : BackendCase
        Opens the cluster, which runs, and which has no other users.
    only : sequence of str, default all
        Names of `BACKEND_CHECKS`; those of a test that is parametrized by them, or `HARMLESS_CHECKS`.

    Returns
    -------
    Check
        One finding for each. A violation is a finding, not an exception. What a cluster cannot show is
        passed: claims where it has none, and what commands do where none run.

    Raises
    ------
    UnknownNameError
        If there is no check of such a name.

    Notes
    -----
    Every check opens the cluster, cancels what it has submitted, and closes it again.
    **Cost**: some 15 s of waiting on a cluster that starts jobs at once.
    """
    only = [_EARLIER.get(name, name) for name in only]
    for name in only:
        if name not in _PARTS:
            raise UnknownNameError("check of back ends", name, BACKEND_CHECKS)
    return Check("back end", type(case).__name__, tuple(_findings(case, only)))


def _findings(case: BackendCase, only: Sequence[str]) -> Iterator[Finding]:
    for name in only:
        part = _PARTS[name]
        rule = (part.__doc__ or "").strip().removeprefix("Check that ").removesuffix(".")
        try:
            applies = _run(case, part)
        except ViolationError as violation:
            yield Finding(name, passed=False, sentence=str(violation))
        except Exception as error:
            yield Finding(name, passed=False, sentence=f"it raises {type(error).__name__}: {error}")
        else:
            yield Finding(name, passed=True, sentence=rule if applies else "does not apply to it")


def _run(case: BackendCase, part: Part) -> bool:
    """Run one check; return whether it applies to the cluster."""
    trial = BackendTrial(case)
    try:
        applies = _applies(part, trial)
        if applies:
            part(trial)
    except BaseException:
        trial.abandon()
        raise
    trial.close()
    return applies


def _applies(part: Part, trial: BackendTrial) -> bool:
    if part in _OF_CLAIMS and not trial.backend.describe().has_claims:
        return False
    if part is backend_checks.time_limit and trial.case.shortest_limit is None:
        return False
    return part in _PLAIN or trial.case.runs_commands


__all__ = ["BACKEND_CHECKS", "HARMLESS_CHECKS", "BackendCase", "check_backend"]
