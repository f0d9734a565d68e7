"""The rooms of the package by floors, drawn from its imports."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from textwrap import wrap

from tables import between_marks, codes, table

PACKAGE = Path(__file__).parents[2] / "src" / "echelon"
PAGE = Path(__file__).parents[1] / "explanation" / "architecture.md"
WIDTH = 78


def page(text: str) -> str:
    """Return the page on the architecture with its diagram and its table as the imports are."""
    return between_marks(text, "rooms", f"{diagram()}\n\n{imports_table()}")


def diagram() -> str:
    """Return the floors, the highest first: a room stands above every room that it imports."""
    highest = max(map(floor, rooms()))
    lines = []
    for level in range(highest, -1, -1):
        names = sorted(room for room in rooms() if floor(room) == level)
        first, *rest = wrap("   ".join(names), WIDTH, break_on_hyphens=False)
        lines += [f"{level:2} | {first}", *(f"   | {line}" for line in rest)]
    return "```text\n" + "\n".join(lines) + "\n```"


def imports_table() -> str:
    """Return a line for each room above the ground floor: which rooms it imports, apart from that floor."""
    ground = {room for room in rooms() if floor(room) == 0}
    rows = []
    for room in sorted(rooms(), key=lambda each: (-floor(each), each)):
        above_ground = sorted(rooms()[room] - ground)
        if room not in ground and above_ground:
            rows.append((f"`{room}`", codes(above_ground)))
    return table(("Room", "Imports"), rows)


@cache
def rooms() -> dict[str, frozenset[str]]:
    """Return for each room, or single file, of the package the other ones that it imports."""
    files: dict[str, list[Path]] = {}
    for path in PACKAGE.rglob("*.py"):
        if path != PACKAGE / "__init__.py":
            files.setdefault(path.relative_to(PACKAGE).parts[0].removesuffix(".py"), []).append(path)
    found = {room: {other for path in paths for other in _imported(path)} for room, paths in files.items()}
    return {room: frozenset(others & found.keys() - {room}) for room, others in found.items()}


@cache
def floor(room: str) -> int:
    """Return how many floors are below a room."""
    return max((1 + floor(below) for below in rooms()[room]), default=0)


def _imported(path: Path) -> set[str]:
    names = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return {parts[1] for name in names if (parts := name.split("."))[0] == "echelon" and len(parts) > 1}
