"""Python files of a user's own, and the things in them: FILE.py:NAME."""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import ModuleType

_OWN_FILE = re.compile(r"[^:,;()=]+\.py(?=:)")
"""The Python file of each ``FILE.py:NAME`` within a spec, perhaps with what a plus sign joins to it."""


class UserFile(NamedTuple):
    """A file that was run, the name asked for, and all that the file defines, by Python name."""

    file: str
    name: str
    things: Mapping[str, object]


def is_file(path: str | Path) -> bool:
    """Return whether a file is there; a name that no file system takes, too long or with a zero, is none."""
    return os.path.isfile(path)  # noqa: PTH113  (Path.is_file raises for a name too long)


def is_in_file(spec: str) -> bool:
    """Return whether a spec has the form FILE.py:NAME."""
    return ".py:" in spec


def with_files(spec: str, change: Callable[[str], str], folder: Path = Path()) -> str:
    """Return a spec in which `change` was made to the name of each Python file, as seen from `folder`.

    Examples
    --------
    >>> with_files("speed+own.py:Model:by=own.py:aged", lambda name: f"rules/{name}")
    'speed+rules/own.py:Model:by=rules/own.py:aged'
    """

    def change_match(match: re.Match[str]) -> str:
        before, name = "", match[0]
        while "+" in name and not is_file(folder / name.strip()):
            joined, plus, name = name.partition("+")
            before += joined + plus
        return before + change(name.strip())

    return _OWN_FILE.sub(change_match, spec)


def open_user_file(spec: str, *, kind: str) -> UserFile:
    """Run the file that ``FILE.py:NAME`` names and return what it defines; NAME need not be among it.

    Parameters
    ----------
    spec : str
        The file and the name; the last colon parts them.
    kind : str
        What NAME should be, for messages: ``"policy"``, ``"metric"``.

    Raises
    ------
    InputError
        If the file is missing or fails while it runs.
    """
    file, _, name = spec.rpartition(":")
    if not is_file(file):
        article = "an" if kind[0] in "aeiou" else "a"
        raise InputError(f"no such file; {article} {kind} is named FILE.py:NAME", file=spec)
    return UserFile(file, name, vars(_module(Path(file))))


def _module(path: Path) -> ModuleType:
    # The module's name holds the whole path, so that two files of one name do not share an entry.
    spec = importlib.util.spec_from_file_location(f"echelon_user_file:{path.resolve()}", path)
    if spec is None or spec.loader is None:
        raise InputError("cannot be loaded as Python", file=str(path))
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise InputError(
            f"fails while it is loaded: {type(error).__name__}: {error}", file=str(path)
        ) from error
    return module
