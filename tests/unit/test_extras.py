"""Libraries that a plain install leaves out: named where they miss, listed where people look."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from echelon.errors import MissingExtraError
from echelon.extras import EXTRAS, Extra

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PAGE = (ROOT / "docs" / "how-to" / "install.md").read_text(encoding="utf-8")

PLAIN = """
import sys
from importlib.machinery import PathFinder

class Without(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.partition(".")[0] in {names} else super().find_spec(name, path, target)

sys.meta_path[sys.meta_path.index(PathFinder)] = Without
from echelon.cli import main
"""
"""Echelon, where no library of an extra is installed."""

ONE = PLAIN + "sys.exit(main(sys.argv[1:]))"
SEVERAL = (
    PLAIN
    + """
import json
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO

said = []
for words in json.loads(sys.argv[1]):
    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
        code = main(words)
    said.append((code, out.getvalue(), err.getvalue()))
print(json.dumps(said))
"""
)
"""Commands one after the other in one process, and what came of each."""

SIX_JOBS = "".join(
    f"{job} {job} -1 {40 * job} 1 -1 -1 {job % 3 + 1} 300 -1 1 1 1 -1 -1 -1 -1 -1\n" for job in range(1, 7)
)


def names(requirements: list[str]) -> list[str]:
    """Return the names of libraries in a list of requirements."""
    return [re.split(r"[\[<>=;]", one)[0] for one in requirements]


def rows(heading: str) -> list[list[str]]:
    """Return the rows of the page's table under a heading, without marks of code."""
    table = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in table.splitlines() if line.startswith("| `")]
    return [[cell.strip().replace("`", "") for cell in line.strip("|").split("|")] for line in lines]


@pytest.fixture
def plain(tmp_path):
    """Return a function that runs a command without what extras and building need, in a folder with a log."""
    (tmp_path / "six.swf").write_text(SIX_JOBS)
    (tmp_path / "study.toml").write_text('[fixed]\nworkload = "six.swf"\nprocessors = 4\n')
    blocked = {extra.module.partition(".")[0] for extra in EXTRAS} | {"dask", "llvmlite", "numba"}

    def run(*words, program=ONE):
        command = [sys.executable, "-c", program.format(names=blocked), *words]
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)

    return run


@pytest.mark.parametrize("extra", EXTRAS, ids=lambda extra: extra.library)
def test_an_extra_that_is_missing_is_named(extra, monkeypatch):
    """Who lacks a library reads one sentence: who needs it, its name, and what to type."""
    monkeypatch.setitem(sys.modules, extra.module, None)
    with pytest.raises(MissingExtraError) as caught:
        extra.load()
    said = str(caught.value)
    assert said.startswith(f"{extra.purpose} need {extra.library}, which is not installed; ")
    assert f"pip install 'echelon-scheduling[{extra.name}]'" in said
    assert "\n" not in said


@pytest.mark.parametrize("extra", EXTRAS, ids=lambda extra: extra.library)
def test_an_extra_that_is_there_is_its_module(extra):
    """Where it is installed, the library itself comes back."""
    assert extra.load() is import_module(extra.module)


def test_a_broken_library_is_not_called_missing(tmp_path, monkeypatch):
    """A library that is there but lacks what it needs itself raises its own error."""
    (tmp_path / "broken_library.py").write_text("import what_nobody_has\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="what_nobody_has"):
        Extra("any", "things", "Broken", "broken_library").load()


def test_extras_of_the_code_are_those_of_the_package():
    """Each extra that a sentence names can be installed and brings what is asked for; there are no others."""
    optional = PROJECT["project"]["optional-dependencies"]
    told = {name: names(libraries) for name, libraries in optional.items() if name != "all"}
    assert {extra.name for extra in EXTRAS} == set(told)
    for extra in EXTRAS:
        assert extra.library.lower() in told[extra.name]
    assert optional["all"] == [f"echelon-scheduling[{','.join(sorted(told))}]"]


def test_the_page_lists_what_is_installed():
    """The page's tables name the same libraries as `pyproject.toml`, each with what it is for."""
    optional = PROJECT["project"]["optional-dependencies"]
    listed = rows("What a plain install contains")
    assert [row[0] for row in listed] == names(PROJECT["project"]["dependencies"])
    extras = rows("Extras")
    assert {row[0]: row[1].split(", ") for row in extras} == {
        name: names(libraries) for name, libraries in optional.items() if name != "all"
    }
    building = rows("What only a build needs")
    groups = PROJECT["dependency-groups"]
    assert [row[0] for row in building] == names([*groups["build"], *groups["linker"]])
    assert all(row[-1] for row in (*listed, *extras, *building))


@pytest.mark.slow
def test_the_main_job_needs_no_extra(plain):
    """Log, run, comparison, report and lists work without all that extras and building kernels need."""
    for words in (
        ("info", "six.swf"),
        ("run", "six.swf", "--processors", "4", "--policy", "easy", "--out", "one"),
        ("compare", "six.swf", "--processors", "4", "--policies", "fcfs,conservative", "--out", "both"),
        ("report", "both"),
        ("policies",),
    ):
        done = plain(*words)
        assert done.returncode == 0, done.stderr


NEEDING = [
    (("run", "six.swf", "--processors", "4", "--out", "drawn", "--figures", "svg"), "figures"),
    (("reproduce", "schedlyzer", "--out", "drawn"), "figures"),
    (("reproduce", "all", "--out", "drawn"), "figures"),
    (("reproduce", "sinapad"), "stats"),
    (("history", "lab.db"), "history"),
    (("run", "six.swf", "--platform", "cisne-844", "--history", "lab.db", "--out", "drawn"), "history"),
    (
        ("run", "six.swf", "--platform", "cisne-844", "--co-allocate", "optimal", "--out", "drawn"),
        "exact",
    ),
    (("study", "run", "study.toml", "--executor", "dask", "--out", "drawn"), "distributed"),
]
"""Commands with the extra that each needs."""


@pytest.mark.slow
def test_commands_name_their_extra_before_they_begin(plain, tmp_path):
    """A command that needs an extra says so at once, in one sentence, and leaves no files."""
    done = plain(json.dumps([words for words, _ in NEEDING]), program=SEVERAL)
    assert done.returncode == 0, done.stderr
    for (words, extra), (code, out, err) in zip(NEEDING, json.loads(done.stdout), strict=True):
        assert code != 0, words
        assert out == "", words
        assert err.count("\n") == 1, words
        assert f"pip install 'echelon-scheduling[{extra}]'" in err, words
    assert not (tmp_path / "drawn").exists()
