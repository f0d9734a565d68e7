"""Settings of studies: every key that a run of a study may set, and the check of one value of it.

They are the settings of scenario files, and those of `settings.changes.CHANGES`: what is done to the jobs
before they are simulated.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from echelon.errors import EchelonError, InputError
from echelon.experiments.settings.changes import CHANGES
from echelon.experiments.settings.setting import SettingsByName
from echelon.experiments.settings.table import SETTINGS
from echelon.experiments.settings.values.value_reader import read_value
from echelon.experiments.study.run.workload_spec import check_workload

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


CHANGED = tuple(setting.name for setting in CHANGES)
"""Keys that change the jobs before they are simulated."""

NOT_IN_STUDIES: Mapping[str, str] = {one.name: one.not_in_studies for one in SETTINGS if one.not_in_studies}
"""Keys of a scenario file that no run of a study may have, and why."""

PROBLEM = frozenset(setting.name for setting in SETTINGS if setting.is_problem)
"""Keys that say what is to be scheduled, and on what; the others say how."""

RULES = frozenset(setting.name for setting in SETTINGS if setting.is_rule)
"""Keys whose values are a name with parameters: ``easy:reservations=2``."""


@lru_cache(maxsize=1)
def settings_known() -> SettingsByName:
    """Return every key that a run may set, with its setting: of the jobs, then all others."""
    others = (one for one in SETTINGS if one.name not in ("workload", *NOT_IN_STUDIES, *CHANGED))
    workload = next(one for one in SETTINGS if one.name == "workload")
    return SettingsByName((workload, *CHANGES, *others))


def expectation_of(key: str) -> str:
    """Return what a key takes, for messages."""
    return settings_known()[key].expected


def check_value(key: str, value: object, folder: Path) -> Any:  # noqa: ANN401  (whatever the key takes)
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
        raise InputError(f"got {value!r:.60}, expected {expectation_of(key)}")
    if key == "workload" and value == "-":
        raise InputError("is standard input, which only one run can read; name a file or a data set")
    setting_value = read_value(settings_known()[key], value, folder)
    if key == "window" and setting_value[0] >= setting_value[1]:
        raise InputError(f"got {value!r:.60}, expected {expectation_of(key)}")
    if key == "workload":
        _check_workload(setting_value)
    return setting_value


def _is_plain(value: object) -> bool:
    """Return whether JSON can hold a value: no dates, no infinities."""
    if isinstance(value, list):
        return all(map(_is_plain, value))
    return isinstance(value, str | bool | int) or (isinstance(value, float) and math.isfinite(value))


def _check_workload(spec: str) -> None:
    try:
        check_workload(spec)
    except EchelonError as error:
        raise InputError(str(error)) from error
