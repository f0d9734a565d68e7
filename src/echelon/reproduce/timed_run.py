"""A study reproduced on this machine: timed, its verdict kept for the list of studies."""

from __future__ import annotations

from datetime import date
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from echelon import __version__
from echelon.reproduce.last_verdict import LastVerdict, keep_verdict

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.reproduce.machinery.parts import Step
    from echelon.reproduce.machinery.study import Reproduction, Study


class Timed(NamedTuple):
    """Result of a study, and its wall-clock time, in seconds."""

    found: Reproduction
    seconds: float


def run_timed(study: Study, step: Step | None, settings: Mapping[str, Any]) -> Timed:
    """Run `study`, and keep its verdict; see `Study.reproduce`.

    Parameters
    ----------
    study : Study
        Which one.
    step : callable, optional
        As for `echelon.reproduce.reproduce`.
    settings : mapping of str to object
        What is said of how it is run; None is not said.

    Raises
    ------
    InputError
        If it takes no such setting, or lacks data.
    """
    began = perf_counter()
    reproduction = study.reproduce(step, **settings)
    seconds = perf_counter() - began
    own_settings = {name: value for name, value in settings.items() if value is not None}
    today = date.today().isoformat()
    verdict = LastVerdict(
        reproduction.verdict, reproduction.agrees, today, round(seconds, 1), __version__, own_settings
    )
    keep_verdict(study.name, verdict)
    return Timed(reproduction, seconds)
