"""A JSON file as a table: what it says, by paths."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from echelon.errors import InputError
from echelon.platforms.files.mistakes import Mistakes, as_path, format_got
from echelon.platforms.files.table import Table
from echelon.platforms.files.text_file import text_of

if TYPE_CHECKING:
    from pathlib import Path


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
