"""Settings: what the configuration says of one cluster, read by name; what is not read is an error."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from echelon.errors import InputError, UnknownNameError
from echelon.quantities import is_number, is_whole

if TYPE_CHECKING:
    from collections.abc import Mapping


class Settings:
    """The settings of a back end.

    Parameters
    ----------
    cluster : str
        Its name, for messages.
    settings : mapping of str to object
        As the configuration has them: text, numbers, true and false, lists, tables.

    Notes
    -----
    Read all that there are, then call `refuse_others`. What is not of its kind raises an InputError.
    """

    def __init__(self, cluster: str, settings: Mapping[str, object]) -> None:
        self._cluster, self._settings = cluster, settings
        self._names: list[str] = []

    def whole(self, name: str, default: int, *, least: int = 1) -> int:
        """Return a whole number >= `least`."""
        value = self._value(name, default)
        if not is_whole(value) or value < least:
            raise self._error_of(name, f"a whole number >= {least}")
        return value

    def seconds(self, name: str, default: float, *, least: float = 0.0) -> float:
        """Return a time in seconds, finite and >= `least`."""
        value = self._value(name, default)
        if not is_number(value):
            raise self._error_of(name, "a number of seconds")
        if not (math.isfinite(value) and value >= least):
            raise self._error_of(name, f"seconds >= {least:g}")
        return float(value)

    def text(self, name: str, default: str) -> str:
        """Return text."""
        value = self._value(name, default)
        if not isinstance(value, str):
            raise self._error_of(name, "text")
        return value

    def directory(self, name: str, default: Path) -> Path:
        """Return an absolute path."""
        path = Path(self.text(name, str(default))).expanduser()
        if not path.is_absolute():
            raise self._error_of(name, "an absolute path")
        return path

    def refuse_others(self) -> None:
        """Refuse settings that were not read.

        Raises
        ------
        UnknownNameError
            With the nearest name that there is.
        """
        for name in self._settings:
            if name not in self._names:
                raise UnknownNameError("setting", name, self._names, where=f"cluster {self._cluster!r}")

    def _value(self, name: str, default: object) -> object:
        self._names.append(name)
        return self._settings.get(name, default)

    def _error_of(self, name: str, expected: str) -> InputError:
        problem = f"is {self._settings.get(name)!r:.60}, expected {expected}"
        return InputError(problem, field=f"cluster {self._cluster!r}, {name}")
