"""Scripts of the benchmarks folder, which are outside the package."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

FOLDER = Path(__file__).parents[3] / "benchmarks"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], ModuleType]:
    """Return a call that loads the script of that name, and those it imports, until the test is over."""
    monkeypatch.syspath_prepend(FOLDER)
    for path in FOLDER.glob("*.py"):
        # Their names are short and could be another's.
        monkeypatch.delitem(sys.modules, path.stem, raising=False)

    def load(name: str) -> ModuleType:
        spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, name, module)
        spec.loader.exec_module(module)
        return module

    return load
