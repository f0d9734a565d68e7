"""A room is small enough to look around in: one with many files has rooms of its own."""

from __future__ import annotations

from pathlib import Path

import echelon

SOURCES = Path(echelon.__file__).parent
MOST = 20
WIDE = {
    ".": "one entry for each room of the package",
}
"""Rooms that may have more, and what is in them."""


def entries(room: Path) -> list[str]:
    """Return the modules and rooms in a room, without its ``__init__``."""
    return sorted(
        one.name
        for one in room.iterdir()
        if (one.suffix == ".py" and one.stem != "__init__") or (one / "__init__.py").is_file()
    )


def crowded(sources: Path) -> dict[str, int]:
    """Return the rooms of a package that have more modules and rooms than they may, and how many."""
    rooms = {
        path.parent.relative_to(sources).as_posix(): path.parent for path in sources.rglob("__init__.py")
    }
    counts = {name: len(entries(room)) for name, room in rooms.items() if name not in WIDE}
    return {name: count for name, count in counts.items() if count > MOST}


def test_no_room_is_crowded() -> None:
    """No room has over twenty modules and rooms, except those that are named with what is in them."""
    assert crowded(SOURCES) == {}


def test_a_crowded_room_is_found(tmp_path: Path) -> None:
    """A room with one module too many is named; its ``__init__`` and files of data do not count."""
    room = tmp_path / "room"
    room.mkdir()
    for name in ("__init__", *(f"part{number}" for number in range(MOST))):
        (room / f"{name}.py").touch()
    (room / "data.csv").touch()
    assert crowded(tmp_path) == {}
    (room / "one_more.py").touch()
    assert crowded(tmp_path) == {"room": MOST + 1}
