"""Real logs for tests of readers, found through the variable that users set, too."""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def log_file() -> Callable[[str], bytes]:
    """Return the decompressed bytes of a log in the folders of ECHELON_DATA, or skip the test."""

    def find(name: str) -> bytes:
        for folder in filter(None, os.environ.get("ECHELON_DATA", "").split(os.pathsep)):
            path = Path(folder) / name
            if path.is_file():
                return gzip.decompress(path.read_bytes())
        pytest.skip(f"{name} is in no folder of ECHELON_DATA")

    return find
