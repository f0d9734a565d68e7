"""Where the tests of a file stand: the tree of tests/unit mirrors that of src/echelon.

The tests of ``src/echelon/ROOM/FILE.py`` are

1. ``tests/unit/ROOM/test_FILE.py``, or a file of that name in a folder above, nearest first; else
2. those of its family, which are tested together: ``tests/unit/ROOM/test_*.py``, or where there are none, the
   same of the folder above, ``test_ROOM.py`` first.

The command line is tested from outside: ``tests/cli`` stands for ``tests/unit/cli``, by the same rule.
"""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src" / "echelon"
UNIT = ROOT / "tests" / "unit"


def mirror(folder: Path) -> Path:
    """Return the folder of tests for a folder of the package."""
    inside = folder.relative_to(SOURCES)
    return ROOT / "tests" / inside if inside.parts[:1] == ("cli",) else UNIT / inside


def where_tested(source: Path) -> list[Path]:
    """Return the files of tests of a file of the package, which need not exist any more."""
    source = source.resolve()
    if SOURCES not in source.parents or source.suffix != ".py":
        message = f"{source}: is no Python file in {SOURCES}, expected one whose tests are to run"
        raise ValueError(message)
    folders = [folder for folder in source.parents if folder == SOURCES or SOURCES in folder.parents]
    name = source.parent.name if source.stem == "__init__" else source.stem
    own = [mirror(folder) / f"test_{name}.py" for folder in folders]
    for exact in own:
        if exact.is_file():
            return [exact]
    for folder in folders:
        if family := sorted(mirror(folder).glob("test_*.py")):
            return family
        if (together := mirror(folder.parent) / f"test_{folder.name}.py").is_file():
            return [together]
    return []
