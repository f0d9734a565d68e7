"""Finding files that do not come with the package."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def data_file() -> Callable[[str], Path]:
    """Return a call that finds a file in the data folders, or skips the test."""

    def find(name: str) -> Path:
        for folder in filter(None, os.environ.get("ECHELON_DATA", "").split(os.pathsep)):
            if (Path(folder) / name).is_file():
                return Path(folder) / name
        pytest.skip(f"{name} is in no folder of ECHELON_DATA")

    return find
