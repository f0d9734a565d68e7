"""The text of a file, and what a JSON file says as a table, by paths."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING

from echelon.errors import InputError
from echelon.platforms.files.mistakes import Mistakes, as_path, format_got
from echelon.platforms.files.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_MOST = 256 << 20
"""Bytes of a text that describes a platform or a study; more would be no such text."""


def text_of(path: Path, shown: str, *, expected: str) -> str:
    """Return the text of a file in UTF-8, with or without a mark of its byte order, whatever ends its lines.

    Parameters
    ----------
    path : Path
        The file.
    shown : str
        As its user named it.
    expected : str
        What it should hold, for the message if it is not there.

    Raises
    ------
    InputError
        If it is not there, cannot be read, is endless or larger than 256 MB, or is not UTF-8 text.
    """
    try:
        with path.open("rb") as file:
            text = file.read(_MOST).decode("utf-8-sig").replace("\r\n", "\n")
            is_whole = not file.read(1)
    except FileNotFoundError as error:
        raise InputError(f"no such file, expected {expected}", file=shown) from error
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=shown) from error
    except UnicodeDecodeError as error:
        problem = f"is not UTF-8 text: byte {error.start} is {error.object[error.start]:#x}"
        raise InputError(problem, file=shown) from error
    except ValueError as error:
        # No path may hold a zero.
        raise InputError(f"is not a path: {error}", file=shown) from error
    if not is_whole:
        raise InputError(f"is larger than 256 MB or endless, expected {expected}", file=shown)
    return text


@contextmanager
def refuse_depth(shown: str) -> Iterator[None]:
    """Refuse a file whose brackets, types of types or libraries of libraries go deeper than Python does.

    Raises
    ------
    InputError
        In place of a RecursionError.
    """
    try:
        yield
    except RecursionError as error:
        problem = "is nested too deep: brackets, types of types, or libraries of libraries"
        raise InputError(problem, file=shown) from error


def read_json(path: Path, shown: str, *, expected: str) -> Table:
    """Return the contents of a JSON file; places in it are reported as paths.

    Raises
    ------
    InputError
        If it cannot be read, is not JSON, or no object.
    """
    written = text_of(path, shown, expected=expected)
    try:
        content = json.loads(written)
    except json.JSONDecodeError as error:
        raise InputError(f"is not JSON: {error.msg}", file=shown, line=error.lineno) from error
    except (ValueError, RecursionError) as error:
        # Numbers too long and brackets too deep.
        raise InputError(f"is not JSON: {error}", file=shown) from error
    if not isinstance(content, dict):
        raise InputError(f"{format_got(content)}, expected {expected}", file=shown)
    return Table(content, (), Mistakes(shown=as_path, file=shown))
