"""The room of reproduced studies is a leaf: its own command loads it, and nothing else does."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import echelon

SOURCES = Path(echelon.__file__).parent
IMPORT = re.compile(
    r"^\s*(?:from echelon\.reproduce[. ]|import echelon\.reproduce|from echelon import .*reproduce)", re.M
)


def importers() -> list[str]:
    """Return the files outside the room that import it, wherever in them."""
    outside = (file for file in SOURCES.rglob("*.py") if file.relative_to(SOURCES).parts[0] != "reproduce")
    return sorted(
        str(file.relative_to(SOURCES)) for file in outside if IMPORT.search(file.read_text(encoding="utf-8"))
    )


@pytest.mark.slow
def test_only_its_command_imports_it():
    """No file of the package but those of the command imports a module of the room, not even for types."""
    assert importers() == ["cli/study/reproduce.py", "cli/study/reproduce_all.py"]


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["--help"], ["reproduce", "--help"], ["info", "--help"], ["policies"]])
def test_other_commands_do_not_load_it(arguments):
    """A command that shows no study leaves the whole room where it is: even the help of its own does."""
    code = (
        "import sys; from echelon.cli import main\n"
        f"sys.argv = ['echelon', *{arguments!r}]\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(sorted(name for name in sys.modules if name.startswith('echelon.reproduce')), file=sys.stderr)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stderr.strip() == "[]"
