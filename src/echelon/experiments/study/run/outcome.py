"""Outcome: what became of one case of a study."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.experiments.study.run.case import Case

Ending: TypeAlias = Literal["done", "kept", "failed"]
"""``done``: run now; ``kept``: found in the store, so not run again; ``failed``: it could not be run."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a case.

    Parameters
    ----------
    case : Case
        Which one.
    key : str
        Hash of its resolved input, which names its folder in the store; empty if it failed before that was
        known.
    ending : {"done", "kept", "failed"}
        See `Ending`.
    metrics : mapping of str to float
        Its metrics by name, those of ``metrics.json``.
    problem : str, default ``""``
        Of a case that failed: the sentence that says why.
    seconds : float, default 0
        Wall-clock time spent on it now, in seconds: reading, running, measuring and writing.
    engine_seconds : float, default 0
        The engine's share of that.
    chance : bool, optional
        Whether chance enters the run: whether another seed gives other jobs or other choices. None if that is
        not known: of one that failed, or that an earlier release kept.
    """

    case: Case
    key: str
    ending: Ending
    metrics: Mapping[str, int | float | None]
    problem: str = ""
    seconds: float = 0.0
    engine_seconds: float = 0.0
    chance: bool | None = None
