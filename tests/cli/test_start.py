"""What every start of the command line costs and says."""

from __future__ import annotations

import subprocess
import sys

import pytest

import echelon as package

COMMANDS = (
    "info",
    "run",
    "compare",
    "reproduce",
    "generate",
    "merge",
    "convert",
    "policies",
    "placements",
    "brokers",
    "platforms",
    "metrics",
    "datasets",
    "history",
    "check",
    "report",
    "study",
)
HEAVY = ("numpy", "numba", "polars", "pydantic", "rich", "matplotlib")


def test_help_imports_nothing_heavy():
    """`echelon --help` needs typer alone, so that it comes at once."""
    code = (
        "import sys; from echelon.cli import main; main(['--help']);"
        f"print([name for name in {HEAVY} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"
    assert "Usage: echelon" in done.stdout


def test_help_lists_the_commands_that_exist_and_no_others(echelon):
    """Each command of this version is listed once, in this order."""
    listed = echelon("--help").out.split("Commands:\n")[1].split("\n\n")[0].splitlines()
    assert tuple(line.split()[0] for line in listed if line.startswith("  ") and line[2] != " ") == COMMANDS


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(echelon, command):
    """`echelon COMMAND --help` explains itself and ends well."""
    said = echelon(command, "--help")
    assert said.code == 0
    assert said.out.startswith(f"Usage: echelon {command}")
    assert said.err == ""


def test_no_words_mean_help(echelon):
    """`echelon` alone says what there is."""
    assert echelon() == echelon("--help")


def test_version(echelon):
    """The version is the package's."""
    assert echelon("--version") == (0, f"echelon {package.__version__}\n", "")


def test_as_a_module():
    """`python -m echelon.cli` is the same program, its exit code too."""
    done = subprocess.run(
        [sys.executable, "-m", "echelon.cli", "policies", "esay"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "echelon: no policy is named 'esay'; did you mean 'easy'?\n"
