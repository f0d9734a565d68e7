"""Case: one run of a study, as settings: what a worker process is sent."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Case:
    """One run of a study.

    Parameters
    ----------
    settings : mapping of str to object
        What is run: the keys of a scenario file (``workload``, ``policy``, ``platform``, ``broker``,
        ``estimates``, ``seed`` ...) and the study's own (``load``: factor on the offered load; ``first``: how
        many jobs of the workload; ``workload_seed`` ...). Plain values of JSON; paths as seen from here.
    labels : mapping of str to str
        The case's place in the study's axes: axis, then what tables call its value there.
    is_seeded : bool, optional
        Whether the same combination under another seed has another spec for its workload; None if that is not
        known, as of a case by itself. It is no part of what is run.

    Notes
    -----
    Two cases with equal settings are the same run, whatever their labels.
    """

    settings: Mapping[str, Any]
    labels: Mapping[str, str] = field(default_factory=dict)
    is_seeded: bool | None = field(default=None, compare=False)

    @property
    def spec(self) -> str:
        """The settings as one line of JSON, keys in alphabetical order: equal if and only if they are."""
        return json.dumps(dict(self.settings), sort_keys=True, separators=(",", ":"), allow_nan=False)
