"""The last verdict on each study reproduced here: kept beside what can be made again, shown in the list."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from echelon.cache import cache_folder
from echelon.workloads.files.atomic import replacing

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


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
