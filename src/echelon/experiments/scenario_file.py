"""Scenario file: one simulation described in TOML, with the values of the command line.

::

    workload = "kth-sp2"
    policy = "easy:shortest-first"
    estimates = "raise"
    out = "results/easy-sjf"

    [[reservation]]
    name = "course"
    nodes = 16
    start = 2026-12-01T08:00:00
    end = "+4h"
    users = ["ann", "bob"]

Paths in the file are relative to the file.
"""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from echelon.errors import InputError
from echelon.experiments.changes.parts import PlacedTable
from echelon.experiments.gsimula_file import Several, gsimula_settings, is_gsimula_file
from echelon.experiments.settings.setting import SettingsByName, load
from echelon.experiments.settings.table import SETTINGS
from echelon.experiments.settings.values.value_reader import read_value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from echelon.experiments.settings.setting import Setting

_MOST = 16 << 20
"""Bytes that are read of a scenario file; what is longer is none, and may be endless."""


@dataclass(frozen=True, slots=True)
class ScenarioFile:
    """What a scenario file says; what it leaves open is the choice of `echelon.simulate`.

    Read one with `read_scenario_file`.

    Parameters
    ----------
    entries : mapping of str to object
        By the name of the setting, paths as seen from here.
    unused : tuple of str, default empty
        Entries of the file for which a scenario has no setting.
    """

    entries: Mapping[str, Any]
    unused: tuple[str, ...] = ()

    def __getitem__(self, key: str) -> Any:  # noqa: ANN401  (what the setting takes)
        return self.entries[key]

    def settings(self) -> dict[str, Any]:
        """Return what the file says, by key, without what it leaves open."""
        return dict(self.entries)


def keys_of_files() -> SettingsByName:
    """Return the settings that scenario files may say, by key."""
    return SettingsByName(setting for setting in SETTINGS if setting.in_files)


def read_scenario_file(path: str | Path) -> ScenarioFile:
    """Return the scenario that a file describes, its paths as seen from here.

    Parameters
    ----------
    path : str or Path
        The file, in UTF-8: TOML, or a configuration of GSimula (``.ini``), which may say several values of a
        setting as a list; see `echelon.experiments.gsimula_file`.

    Raises
    ------
    InputError
        If the file cannot be read, is not TOML, or says something it may not: all such errors together,
        each with its key, the value got, what is expected, and for an unknown key the nearest one.
    """
    file = Path(path)
    text = _text(file, str(path))
    if is_gsimula_file(path):
        content, unused = gsimula_settings(text, file)
        return replace(scenario_from(content, file), unused=tuple(unused))
    try:
        return scenario_from(tomllib.loads(text), file)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"is not TOML: {error}", file=str(path)) from error


def scenario_from(content: Mapping[str, Any], file: Path) -> ScenarioFile:
    """Return the scenario of the keys and values that a file says; errors as `read_scenario_file`."""
    settings: dict[str, Any] = {}
    try:
        content = keys_of_files().present(content)
    except InputError as error:
        raise InputError(str(error), file=str(file)) from error
    tables, content = _apart(content)
    mistakes = [
        *_mistakes(content, file.parent, settings),
        *_mistakes_of_tables(tables, settings, file),
        *_unknown(content),
    ]
    if mistakes:
        raise InputError("; ".join(dict.fromkeys(mistakes)), file=str(file))
    return ScenarioFile(settings)


def _text(file: Path, shown: str) -> str:
    try:
        with file.open("rb") as opened:
            return opened.read(_MOST).decode()
    except FileNotFoundError as error:
        raise InputError("no such file, expected a scenario in TOML", file=shown) from error
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=shown) from error
    except UnicodeDecodeError as error:
        raise InputError(
            f"is not UTF-8 text: byte {error.start} is {error.object[error.start]:#x}", file=shown
        ) from error


def _mistakes(content: Mapping[str, Any], folder: Path, settings: dict[str, Any]) -> Iterator[str]:
    """Yield a sentence for each key that is missing or wrong; put what the others say into `settings`."""
    for key, setting in keys_of_files().items():
        if key in content:
            try:
                settings[key] = _read(setting, content[key], folder)
            except InputError as error:
                yield f"{key}: {error}"
        elif key == "workload":
            yield f"{key}: is missing, expected {setting.expected}"


def keys_of_tables() -> dict[str, Setting]:
    """Return the names of arrays of tables, ``[[reservation]]``, with the settings that they add to."""
    return {setting.tables: setting for setting in SETTINGS if setting.tables and setting.in_files}


def _apart(content: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what arrays of tables say, and what all other keys do."""
    tables = keys_of_tables()
    table_content = {key: value for key, value in content.items() if key in tables}
    return table_content, {key: value for key, value in content.items() if key not in tables}


def _mistakes_of_tables(content: Mapping[str, Any], settings: dict[str, Any], file: Path) -> Iterator[str]:
    """Yield a sentence on each wrong table; put the others into `settings`, after a file that names more."""
    for key, setting in keys_of_tables().items():
        rows = content.get(key, [])
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            yield f"{key}: got {rows!r:.60}, expected tables [[{key}]]"
            continue
        columns: Any = load(setting.columns)
        wrong = [_unknown_column(key, name, columns) for row in rows for name in row if name not in columns]
        yield from wrong
        if rows and not wrong:
            earlier = [settings[setting.name]] if setting.name in settings else []
            placed = (
                PlacedTable(row, f"{file}, [[{key}]] {number}") for number, row in enumerate(rows, start=1)
            )
            settings[setting.name] = [*earlier, *placed]


def _unknown_column(table: str, name: str, columns: Any) -> str:  # noqa: ANN401  (a mapping of names)
    near = difflib.get_close_matches(name, columns, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(columns)}"
    return f"[[{table}]]: unknown key {name!r:.40}, {hint}"


def _read(setting: Setting, value: Any, folder: Path) -> Any:  # noqa: ANN401  (what the setting takes)
    if setting.name == "platform" and isinstance(value, Several):  # the sizes of its sites
        return value
    if not isinstance(value, Several) and not _lists_several(setting, value):
        return read_value(setting, value, folder)
    if not value:
        raise InputError(f"got an empty list, expected {setting.expected}, or several values of that")
    return Several(read_value(setting, one, folder) for one in value)


def _lists_several(setting: Setting, value: Any) -> bool:  # noqa: ANN401  (what the file says)
    """Return whether a file lists several values of a setting, for a comparison."""
    if not isinstance(value, list) or not setting.varies:
        return False
    return list not in setting.types or any(isinstance(one, list) for one in value)


def _unknown(content: Mapping[str, Any]) -> Iterator[str]:
    settings = keys_of_files()
    keys = [*settings, *keys_of_tables()]
    for key, value in content.items():
        if key not in settings:
            near = difflib.get_close_matches(key, keys, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(keys)}"
            yield f"unknown key {key!r} (got {value!r:.80}), {hint}"
