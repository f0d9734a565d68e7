"""Compiled kernels are kept by the text of all that they are made of."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import echelon
from echelon import kernel
from echelon.kernel import allocating_entry_kernel, digest

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCES = Path(echelon.__file__).parent


def forget() -> None:
    kernel.digest.cache_clear()
    kernel._imported.cache_clear()


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Make a small package that stands where Echelon's stands."""
    root = tmp_path / "echelon"
    files = {
        "__init__.py": "",
        "fields.py": "N_FIELDS = 18\n",
        "other.py": "N = 1\n",
        "room/__init__.py": "from echelon.fields import N_FIELDS\n",
        "room/callee.py": "from echelon.fields import N_FIELDS\n",
        "room/caller.py": "import numpy\nfrom echelon.room import callee\n",
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    monkeypatch.setattr(kernel, "_PACKAGE", root)
    forget()
    yield root
    forget()


def changed(file: Path, edited: Path) -> bool:
    """Return whether the digest of `file` changes when a line is added to `edited`."""
    before = digest(file)
    edited.write_text(edited.read_text() + "# edited\n")
    forget()
    return digest(file) != before


@pytest.mark.parametrize("edited", ["room/caller.py", "room/callee.py", "fields.py"])
def test_a_changed_callee_or_constant_gives_another_digest(package, edited):
    """The file itself, a module it calls, and the table of constants that one reads all count."""
    assert changed(package / "room/caller.py", package / edited)


@pytest.mark.parametrize("edited", ["other.py", "room/caller.py"])
def test_what_is_not_imported_does_not_count(package, edited):
    """A module that a kernel's file does not import leaves its compiled form valid."""
    assert not changed(package / "room/callee.py", package / edited)


def test_the_reader_of_swf_depends_on_the_table_of_fields():
    """In the real package, the kernel of SWF lines is keyed by model/fields.py, too."""
    assert SOURCES / "model" / "fields.py" in kernel._imported(SOURCES / "workloads" / "swf_kernel.py")


def missed(file: Path) -> set[Path]:
    """Return what a file imports by parsing it, and not by the quick patterns."""
    wanted = []
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.ImportFrom):
            wanted += [(node.module, alias.name) for alias in node.names]
        elif isinstance(node, ast.Import):
            wanted += [(alias.name, "") for alias in node.names]
    parsed = [kernel._source(*pair) or kernel._source(pair[0]) for pair in wanted]
    return set(parsed) - set(kernel._imported(file)) - {None}


def test_imports_are_found_as_python_finds_them():
    """The quick patterns find all that parsing finds, in every file of the package."""
    by_file = {str(file.relative_to(SOURCES)): missed(file) for file in sorted(SOURCES.rglob("*.py"))}
    assert len(by_file) > 100
    assert {name: missing for name, missing in by_file.items() if missing} == {}


def test_a_kernel_may_make_arrays():
    """An allocating kernel compiled here returns an array that it made."""

    @allocating_entry_kernel
    def ones(n):
        return np.ones(n)

    assert ones(3).tolist() == [1.0, 1.0, 1.0]


def test_no_kernel_declares_options_of_its_own():
    """Only echelon/kernel.py says njit."""
    own = [file for file in SOURCES.rglob("*.py") if "njit" in file.read_text(encoding="utf-8")]
    assert own == [SOURCES / "kernel.py"]


def test_importing_a_room_of_kernels_leaves_numbas_own_folder_alone():
    """The folder of compiled kernels is set only while one of ours is declared."""
    code = "import numba; b = numba.config.CACHE_DIR; import echelon.workloads.swf_kernel; "
    code += "print(b == numba.config.CACHE_DIR)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout == "True\n"
