"""The last verdict on each study reproduced here: timed, kept beside what can be made again, and listed."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from datetime import date
from time import perf_counter
from typing import TYPE_CHECKING, Any

from echelon import __version__
from echelon.cache import cache_folder
from echelon.workloads.files.atomic import replacing

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from echelon.reproduce.machinery.experiments import Step
    from echelon.reproduce.machinery.study import Reproduction, Study


@dataclass(frozen=True, slots=True)
class LastVerdict:
    """Result of the last run of a study.

    Parameters
    ----------
    verdict : str
        In sentences, as `Reproduction.verdict`.
    agrees : bool
        Whether every figure agrees or is explained.
    date : str
        The day on which it was run, as ``2030-12-31``.
    seconds : float
        How long that took, in seconds.
    version : str
        Of Echelon.
    settings : mapping of str to object, default empty
        What was said of how it is run: ``{"quick": True}``.
    """

    verdict: str
    agrees: bool
    date: str
    seconds: float
    version: str
    settings: Mapping[str, Any] = field(default_factory=dict)


def run_timed(study: Study, step: Step | None, settings: Mapping[str, Any]) -> tuple[Reproduction, float]:
    """Run `study`, keep its verdict, and return its result and wall-clock seconds; see `Study.reproduce`."""
    began = perf_counter()
    reproduction = study.reproduce(step, **settings)
    seconds = perf_counter() - began
    own_settings = {name: value for name, value in settings.items() if value is not None}
    today = date.today().isoformat()
    verdict = LastVerdict(
        reproduction.verdict, reproduction.agrees, today, round(seconds, 1), __version__, own_settings
    )
    keep_verdict(study.name, verdict)
    return reproduction, seconds


def last_verdicts() -> dict[str, LastVerdict]:
    """Return the last verdict by the name of the study; empty if none is kept or the file is no such file."""
    try:
        kept = json.loads(_file().read_bytes())
        return {name: LastVerdict(**one) for name, one in kept.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        # Written by hand or by another version: the next run writes it again.
        return {}


def keep_verdict(name: str, verdict: LastVerdict) -> bool:
    """Keep the last verdict on the study `name`; return whether that was possible.

    A folder that cannot be written is no failure: the verdict has been shown.
    """
    file = _file()
    kept = {study: asdict(one) for study, one in last_verdicts().items()} | {name: asdict(verdict)}
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with replacing(file) as out:
            out.write((json.dumps(kept, indent=2) + "\n").encode())
    except (OSError, ValueError):
        return False
    return True


def _file() -> Path:
    return cache_folder() / "reproductions.json"
