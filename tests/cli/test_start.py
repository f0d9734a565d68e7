"""What every start of the command line costs and says."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import echelon as package

COMMANDS = (
    "info",
    "run",
    "compare",
    "explain",
    "study",
    "reproduce",
    "generate",
    "merge",
    "convert",
    "policies",
    "placements",
    "brokers",
    "platforms",
    "metrics",
    "rules",
    "datasets",
    "history",
    "check",
    "report",
)
SERVICE_COMMANDS = (
    *(
        "serve",
        "submit",
        "queue",
        "show",
        "cancel",
        "hold",
        "release",
        "wait",
        "forecast",
        "clusters",
        "token",
    ),
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


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="threads are counted by Linux")
@pytest.mark.skipif(os.cpu_count() == 1, reason="one processor has one thread anyway")
def test_numpy_starts_no_threads():
    """BLAS gets one thread before numpy comes, unless the person says otherwise: others cost time."""
    code = (
        "import sys; from echelon.cli import main; main(['info', 'kth-sp2', '--json'])\n"
        "from pathlib import Path\n"
        "print('numpy' in sys.modules, len(list(Path('/proc/self/task').iterdir())), file=sys.stderr)"
    )
    kept = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    for given, expected in (({}, "True 1"), ({"OPENBLAS_NUM_THREADS": "2"}, "True 2")):
        arguments, told = [sys.executable, "-c", code], {**kept, **given}
        done = subprocess.run(arguments, env=told, capture_output=True, text=True, check=True)
        assert done.stderr.strip() == expected


def test_help_lists_the_commands_that_exist_and_no_others(echelon):
    """Each command of this version is listed once, in this order, those of the service by themselves."""
    for title, commands in (("Commands", COMMANDS), ("Commands of the service", SERVICE_COMMANDS)):
        listed = echelon("--help").out.split(f"\n{title}:\n")[1].split("\n\n")[0].splitlines()
        assert (
            tuple(line.split()[0] for line in listed if line.startswith("  ") and line[2] != " ") == commands
        )


@pytest.mark.parametrize("command", [*COMMANDS, *SERVICE_COMMANDS])
def test_every_command_has_help(echelon, command):
    """`echelon COMMAND --help` explains itself and ends well."""
    said = echelon(command, "--help")
    assert said.code == 0
    assert said.out.startswith(f"Usage: echelon {command}")
    assert said.err == ""


def test_no_arguments_mean_help(echelon):
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
