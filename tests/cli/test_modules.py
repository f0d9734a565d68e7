"""What a command imports: how many modules, and which never. Counts depend on no load."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

import pytest

import echelon as ec
from fake_server import FakeService, serving

if TYPE_CHECKING:
    from pathlib import Path

NEVER = frozenset(
    [
        *(
            "numba",
            "llvmlite",
            "scipy",
            "matplotlib",
            "pydantic",
            "sqlalchemy",
            "psycopg",
            "dask",
            "distributed",
        ),
        *(
            "highspy",
            "hypothesis",
            "statistics",
            "asyncio",
            "multiprocessing",
            "unittest",
            "http",
            "ssl",
            "xml",
        ),
        *("echelon.analysis", "echelon.plotting", "echelon.reproduce", "echelon.reports", "echelon.testing"),
        *("echelon.platforms", "echelon.portal", "echelon.history", "echelon.engine.reference"),
    ]
)
"""What no command below needs, unless its case says so."""

TABLES = frozenset(["polars", "_polars_runtime_32"])
NUMBERS = frozenset(["numpy", *TABLES])
FAMILIES = frozenset(
    [
        *(
            "echelon.engine.compiled.grid",
            "echelon.engine.compiled.nodes",
            "echelon.engine.compiled.decentralized",
        ),
        *("echelon.engine.multicluster.rules", "echelon.engine.nodes.rules", "echelon.execution"),
        *("echelon.policies.coallocation", "echelon.policies.global_queue", "echelon.policies.placement"),
        *(
            "echelon.workloads.formats.gwf",
            "echelon.workloads.formats.sacct",
            "echelon.workloads.irmasim",
            "echelon.workloads.formats.sst",
        ),
        *("echelon.workloads.synthetic.lublin", "echelon.workloads.local_users", "echelon.model.topology"),
    ]
)
"""What a run on one machine from a log in SWF has no use for."""


NO_SERVER = (NEVER - {"http", "ssl"}) | frozenset(
    [
        *("numpy", "polars", "rich", "fastapi", "starlette", "uvicorn", "prometheus_client", "anyio"),
        *("echelon.service", "echelon.backends", "echelon.engine", "echelon.experiments"),
        *("echelon.model", "echelon.policies", "echelon.metrics"),
    ]
)
"""What a command to a service has no use for: it parses, asks over HTTP, and prints."""


EXPLAINING = (NEVER - {"echelon.engine.reference"}) | TABLES | FAMILIES | {"rich"}
"""What an explanation has no use for: the reference engine runs, and no table is made."""


class Case(NamedTuple):
    """A command: its arguments, the most modules it may import, ours among them, and what it may not."""

    arguments: str
    most: int
    most_own: int
    never: frozenset[str]


CASES = {
    "import echelon": Case("", 70, 2, NEVER | NUMBERS | {"typer", "rich"}),
    "help": Case("--help", 210, 56, NEVER | NUMBERS | FAMILIES | {"rich"}),
    "help of a command": Case("run --help", 180, 28, NEVER | NUMBERS | FAMILIES | {"rich"}),
    "policies": Case("policies", 279, 111, NEVER | NUMBERS | {"rich", "email"}),
    "info": Case("info LOG", 340, 79, NEVER | TABLES | FAMILIES),
    "run": Case(
        "run LOG --policy easy --no-report --out OUT", 680, 204, NEVER | FAMILIES | {"rich", "email"}
    ),
    "compare": Case(
        "compare LOG --policies fcfs,easy --no-report --out OUT", 700, 219, NEVER | FAMILIES | {"email"}
    ),
    "explain": Case("explain LOG --policy easy --job 2", 480, 209, EXPLAINING),
    "submit": Case("submit -n 16 -t 1:00 --memory 4G -- prog --its-option", 220, 27, NO_SERVER),
    "show": Case("show 1", 218, 24, NO_SERVER),
    "queue": Case("queue", 275, 25, NO_SERVER - {"rich"}),
}
"""Ceilings are what was counted and a twentieth for other versions of Python and of libraries."""

LOG = (
    "; MaxProcs: 8\n1 0 0 10 1 -1 -1 1 20 -1 1 1 1 1 1 1 -1 -1\n2 5 0 10 8 -1 -1 8 20 -1 1 2 1 1 1 1 -1 -1\n"
)

PROGRAM = """
import sys
if len(sys.argv) > 1:
    from echelon.cli import main
    status = main(sys.argv[1:])
    assert status == 0, status
else:
    import echelon
print()
print(*sys.modules)
"""


def modules(arguments: str, folder: Path) -> list[str]:
    """Return the modules that a command has imported when it is done, in a process of its own."""
    (folder / "log.swf").write_text(LOG)
    given = [{"LOG": "log.swf", "OUT": "out"}.get(word, word) for word in arguments.split()]
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("COV", "PYTHONW"))
    }
    environment |= {"ECHELON_STATE": str(folder), "ECHELON_SERVICE": "", "COLUMNS": "160"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *given],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()[-1].split()


def of(modules: list[str], library: str) -> list[str]:
    """Return those of `modules` that are a library's, or a package's of ours."""
    return [name for name in modules if name == library or name.startswith(f"{library}.")]


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_command_imports_what_it_uses(case: Case, tmp_path: Path) -> None:
    """A command stays under its number of modules, all and ours, and leaves alone what it has no use for."""
    with serving(FakeService(), tmp_path / "echelon.sock") as address:
        ec.Client(address).submit("prog")
        found = modules(case.arguments, tmp_path)
    assert {library: names for library in case.never if (names := of(found, library))} == {}
    assert len(of(found, "echelon")) <= case.most_own
    assert len(found) <= case.most


def test_an_import_too_much_is_found(tmp_path: Path) -> None:
    """A report takes what a run without one leaves alone, and the same count tells."""
    found = modules("run LOG --policy easy --out OUT", tmp_path)
    assert of(found, "echelon.reports")
    assert len(of(found, "echelon")) > CASES["run"].most_own
