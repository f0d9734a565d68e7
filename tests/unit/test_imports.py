"""Imports go one way, and importing the package is light."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import echelon

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCES = Path(echelon.__file__).parent
FILES = sorted(SOURCES.rglob("*.py"))

LEAVES = {
    *("errors", "cache", "extras", "file_lock", "gamma", "lazy", "libraries", "quantities", "rules"),
    "user_file",
}
"""What every room may import: what can go wrong, where files are kept, how one process at a time is at work,
which libraries are extras, the gamma distribution, how names are imported when they are used, how kernels are
built and called, how numbers are written for people, how a file of the user's own is read, how the rules of a
family are named."""

ABOVE_MODEL = {"availability", "workloads", "platforms", "metrics", "policies", "execution"}
BELOW_ENGINE = {*LEAVES, "model", *ABOVE_MODEL}
BELOW_EXPERIMENTS = {*BELOW_ENGINE, "engine"}
MAY_IMPORT: dict[str, set[str]] = {
    "errors": set(),
    "cache": set(),
    "file_lock": set(),
    "extras": {"errors"},
    "libraries": {"errors", "cache", "file_lock"},
    "gamma": set(),
    "lazy": set(),
    "quantities": set(),
    "user_file": {"errors"},
    "rules": {"errors", "lazy", "user_file"},
    "model": LEAVES,
    **{room: {*LEAVES, "model"} for room in (*ABOVE_MODEL, "analysis")},
    # Figures draw what metrics and analysis work out: distributions, arrivals, ranks ... have one home.
    "plotting": {*LEAVES, "model", "metrics", "analysis"},
    # Where each family of rules is, by name.
    "families": BELOW_EXPERIMENTS,
    "engine": {*BELOW_ENGINE, "libraries"},
    "testing": {*BELOW_EXPERIMENTS, "families", "backends"},
    # Where histories and services keep what they keep.
    "databases": LEAVES,
    # What finished runs leave behind, whatever ran them.
    "history": {*LEAVES, "model", "databases"},
    "experiments": {*BELOW_EXPERIMENTS, "analysis", "history"},
    # A leaf: only its own command loads it. It draws its own pages; a study times the selection call of
    # portals, too.
    "reproduce": {*BELOW_EXPERIMENTS, "analysis", "experiments", "history", "plotting", "portal"},
    # What portals call: the rules and books of simulations, without one.
    "portal": {*LEAVES, "model", "policies", "engine"},
    # Clusters that a service drives, real and simulated.
    "backends": {*BELOW_ENGINE, "engine"},
    # Jobs to real clusters by the rules of simulations, and the page that shows it.
    "service": {
        *(*BELOW_EXPERIMENTS, "analysis", "backends", "databases", "experiments", "history", "portal"),
        # Where both sides look for the service's socket.
        *("client", "reports"),
    },
    # What talks to a service: commands and programs, without the service's libraries.
    "client": LEAVES,
    # Reports read results, never an engine.
    "reports": {*BELOW_ENGINE, "analysis", "plotting", "experiments"},
    # python -m echelon is the command line.
    "__main__": {"cli"},
    "cli": {
        *BELOW_EXPERIMENTS,
        *(
            "analysis",
            "families",
            "plotting",
            "history",
            "experiments",
            "libraries",
            "reproduce",
            "reports",
            "testing",
            "backends",
            "service",
            "client",
        ),
    },
}
"""What each room of the package may import besides itself."""

HEAVY = (
    *("numba", "polars", "matplotlib", "pydantic", "rich", "typer", "hypothesis", "scipy"),
    *("dask", "distributed", "highspy", "psycopg", "sqlalchemy"),
    *("fastapi", "starlette", "uvicorn", "prometheus_client"),
)


def room_of(module: str) -> str | None:
    """Return the room of an imported module, or None if it is not in a room of this package."""
    parts = module.split(".")
    return parts[1] if parts[0] == "echelon" and len(parts) > 1 else None


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements of a file, however deep; what they compute holds no import."""
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        inner = getattr(node, field, ())
        for one in inner if isinstance(inner, list) else ():
            yield one
            yield from statements(one)


def imported(file: Path) -> list[tuple[int, str]]:
    """Return line and name of each module that a file imports, wherever in it."""
    found = []
    for node in statements(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}, line {node.lineno}: imports are absolute"
            if node.module == "echelon":
                # A public name by its package: from echelon import X is an import of X's room.
                found += [(node.lineno, f"echelon.{alias.name}") for alias in node.names]
            else:
                found.append((node.lineno, node.module or ""))
    return found


def forbidden(room: str, file: Path) -> list[str]:
    """Return a sentence for each import of `file` that goes the wrong way."""
    allowed = {room, "__version__", *MAY_IMPORT[room]}
    return [
        f"{file.relative_to(SOURCES)}, line {line}: {room} may not import {other}"
        for line, module in imported(file)
        if (other := room_of(module)) is not None and other not in allowed
    ]


@pytest.mark.slow
def test_imports_go_one_way():
    """No file imports a room above its own, and every room is one that the architecture names."""
    rooms = {file: file.relative_to(SOURCES).parts[0].removesuffix(".py") for file in FILES}
    del rooms[SOURCES / "__init__.py"]
    assert set(rooms.values()) - set(MAY_IMPORT) == set(), "rooms without a place in the order of imports"
    assert [sentence for file, room in rooms.items() for sentence in forbidden(room, file)] == []


def test_a_wrong_import_is_found(tmp_path, monkeypatch):
    """An import upwards is named with its file and line, even inside a function or for types only."""
    monkeypatch.setattr(sys.modules[__name__], "SOURCES", tmp_path)
    file = tmp_path / "rule.py"
    file.write_text(
        "import numpy\nfrom echelon.model import Job\n\n\ndef f():\n    from echelon import engine\n"
    )
    assert forbidden("policies", file) == ["rule.py, line 6: policies may not import engine"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "module", ["echelon", "echelon.errors", "echelon.model", "echelon.policies", "echelon.engine.contract"]
)
def test_no_heavy_library_is_imported(module):
    """In a fresh interpreter, the import leaves every large library where it is."""
    code = f"import sys, {module}; print(*sorted(set({HEAVY!r}) & set(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.split() == []


def test_public_names_are_imported_when_used():
    """Every public name can be had from the package, and an unknown one is an AttributeError."""
    for name in echelon.__all__:
        assert getattr(echelon, name) is not None
    assert dir(echelon) == echelon.__all__
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = echelon.nonsense
