"""Settings: every key that a run of a study may set, and the check of one value of it.

They are the keys of a scenario file, with the words of the command line, and those of `WorkloadChanges`: what
is done to the jobs before they are simulated.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from echelon.errors import EchelonError, InputError
from echelon.experiments.scenario_file import ScenarioFile, setting_from
from echelon.experiments.study.workload_words import check_estimates_model, check_workload

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pydantic.fields import FieldInfo


class WorkloadChanges(BaseModel):
    """What a study may do to the jobs before they are simulated, in this order; ``None`` does nothing.

    A description up to its semicolon is what error messages expect.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    window: Annotated[list[float], Field(min_length=2, max_length=2)] | None = Field(
        default=None,
        description="a list of two times in seconds, the first before the second; jobs submitted from the "
        "first on and before the second, default all",
        examples=[[0, 604800]],
    )
    skip: int | None = Field(
        default=None, ge=0, description="a whole number >= 0; jobs left out at the beginning, default 0"
    )
    first: int | None = Field(
        default=None, ge=1, description="a whole number >= 1; how many jobs after those skipped, default all"
    )
    scale_size: int | None = Field(
        default=None,
        ge=1,
        description="a whole number >= 1; processors of the machine that the jobs' sizes are scaled to, "
        "default sizes as they are",
    )
    load: float | None = Field(
        default=None,
        gt=0,
        description="a number > 0; factor on the offered load: times between submissions are divided by it, "
        "default 1",
        examples=[0.8, 1.2],
    )
    shake_by: int | None = Field(
        default=None,
        ge=1,
        description="a whole number >= 1; most seconds that each submit time is moved by at random, either "
        "way, default none",
    )
    estimates_model: str | None = Field(
        default=None,
        min_length=1,
        description="a model of users' estimates, as after generate --estimates-model; draws the requested "
        "times, default those of the log",
        examples=["factor:f=3", "popular"],
    )
    workload_seed: int | None = Field(
        default=None,
        ge=0,
        description="a whole number >= 0; seed of the workload's draws, default the seed of the run",
    )


NOT_IN_STUDIES: Mapping[str, str] = {
    "out": "each run has its folder in the study's own; say `out` at the top of the file",
    "report": "runs of a study have no page of their own; the study has one",
    "history": "a run that learns from another depends on which came first; runs of a study may not",
}
"""Keys of a scenario file that no run of a study may have, and why."""

PROBLEM = frozenset(
    {
        *("workload", "format", "platform", "processors", "local_users", "dependencies"),
        *WorkloadChanges.model_fields,
    }
)
"""Keys that say what is to be scheduled, and on what; the others say how."""

WORDS = frozenset(
    {
        *("workload", "policy", "broker", "estimator", "place", "execution", "network", "sharing"),
        *("upper_queue", "queue_limit", "co_allocate", "local_users", "estimates_model", "monitoring"),
    }
)
"""Keys whose values are a name with parameters: ``easy:reservations=2``."""


@lru_cache(maxsize=1)
def settings_known() -> dict[str, FieldInfo]:
    """Return every key that a run may set, with its description: of the jobs, then all others."""
    scenario = {key: field for key, field in ScenarioFile.model_fields.items() if key not in NOT_IN_STUDIES}
    return {"workload": scenario.pop("workload"), **WorkloadChanges.model_fields, **scenario}


def expected(key: str) -> str:
    """Return what a key takes, for messages."""
    return (settings_known()[key].description or "").split(";")[0]


def checked(key: str, value: object, folder: Path) -> Any:  # noqa: ANN401  (whatever the key takes)
    """Return the value of a key, checked without running anything, its paths as seen from here.

    Parameters
    ----------
    key : str
        One of `settings_known`.
    value : object
        As TOML gives it.
    folder : Path
        Where the study file is.

    Raises
    ------
    InputError
        If the key does not take this value; the message does not name the key.
    """
    if not _is_plain(value):
        raise InputError(f"got {value!r:.60}, expected {expected(key)}")
    if key in WorkloadChanges.model_fields:
        return _change(key, value)
    if key == "workload" and value == "-":
        raise InputError("is standard input, which is gone after the first run; name a file or a data set")
    found = setting_from(key, value, folder)
    if key == "workload":
        _told(check_workload, found)
    return found


def _is_plain(value: object) -> bool:
    """Return whether JSON can hold a value: no dates, no infinities."""
    if isinstance(value, list):
        return all(map(_is_plain, value))
    return isinstance(value, str | bool | int) or (isinstance(value, float) and math.isfinite(value))


def _change(key: str, value: object) -> Any:  # noqa: ANN401  (as above)
    try:
        found = getattr(WorkloadChanges.model_validate({key: value}), key)
    except ValidationError as error:
        raise InputError(f"got {value!r:.60}, expected {expected(key)}") from error
    if key == "window" and found[0] >= found[1]:
        raise InputError(f"got {value!r:.60}, expected {expected(key)}")
    if key == "estimates_model":
        _told(check_estimates_model, found)
    return found


def _told(check: Any, words: str) -> None:  # noqa: ANN401  (a function of one text)
    try:
        check(words)
    except EchelonError as error:
        raise InputError(str(error)) from error
