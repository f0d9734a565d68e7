"""What is said of settings after a run: those that all runs have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from echelon.experiments.settings.table import SETTINGS
from echelon.quantities import figure, quantity

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.experiments.settings.setting import Setting


def in_common(machine: str, settings: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return what is said of the settings for a kind of machine, where all runs have the same value.

    Parameters
    ----------
    machine : str
        One of the kinds of `settings.setting`.
    settings : sequence of mapping of str to object
        The settings of each run, in canonical form; None where a setting does not apply.
    """
    same = {name: value for name, value in settings[0].items() if all(one[name] == value for one in settings)}
    listed = [one for one in _settings_of(machine) if same.get(one.stored) is not None]
    return [_text(one, same[one.stored]) for one in listed if same[one.stored] not in one.silent]


def _settings_of(machine: str) -> list[Setting]:
    """Return the settings that are said, those that are for this kind of machine alone first in each turn."""
    settings = [one for one in SETTINGS if one.summary and one.scope and machine in one.scope.machines]
    own = {one.group for one in settings if one.scope and one.scope.machines == {machine}}
    return sorted(settings, key=lambda one: (one.turn, one.group not in own))


def _text(setting: Setting, value: Any) -> str:  # noqa: ANN401  (a canonical spec, or a plain number)
    if setting.unit == "s" and isinstance(value, str):  # by path
        return setting.summary.format(f"{value} s")
    if setting.unit == "s":
        return setting.summary.format(f"{figure(value)} s")
    return setting.summary.format(quantity(value, setting.unit) if setting.unit else value)
