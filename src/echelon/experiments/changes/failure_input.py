"""Laws of failures and repairs as a run is given them: words, or values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from echelon.errors import InputError
from echelon.experiments.settings.availability import is_none

if TYPE_CHECKING:
    from echelon.availability.laws import Law
    from echelon.availability.processes import FailureProcess


def failures_of(spec: Any) -> FailureProcess | None:  # noqa: ANN401  (words, a law or a process)
    """Return the process of failures that words, a law or a process mean; ``none`` is None.

    Raises
    ------
    UnknownNameError, InputError
        If words name no law, or a number is out of its range.
    """
    if spec is None or is_none(spec):
        return None
    from echelon.availability.laws import law
    from echelon.availability.processes import FailureProcess

    if isinstance(spec, FailureProcess):
        return spec
    try:
        return FailureProcess.of_spec(spec) if isinstance(spec, str) else FailureProcess(law(spec))
    except InputError as error:
        if (error.field or "").startswith("failures"):
            raise
        raise InputError(str(error), field="failures") from error


def format_failures(process: FailureProcess | None) -> str | None:
    """Return the canonical words of a process of failures."""
    return None if process is None else process.spec


def repair_times_of(spec: Any) -> Law | None:  # noqa: ANN401  (words or a law)
    """Return the law of repair times that words mean; ``none`` is None.

    Raises
    ------
    UnknownNameError, InputError
        As `failures_of`.
    """
    if spec is None or is_none(spec):
        return None
    from echelon.availability.laws import law

    try:
        return law(spec)
    except InputError as error:
        raise InputError(str(error), field="repair-times") from error


def format_repair_times(repair_times: Law | None) -> str | None:
    """Return the canonical words of a law of repair times."""
    if repair_times is None:
        return None
    from echelon.availability.laws import format_law

    return format_law(repair_times)
