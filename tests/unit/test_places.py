"""Tests are found from the file they test."""

from __future__ import annotations

import subprocess
import sys
from fnmatch import fnmatch

import pytest

from places import ROOT, SOURCES, UNIT, where_tested


def found(source: str) -> list[str]:
    """Return the tests of a file of the package, by their places in the folder of tests."""
    return [path.relative_to(ROOT / "tests").as_posix() for path in where_tested(SOURCES / source)]


def test_a_file_has_tests_of_its_own():
    """A file of that name in the folder that mirrors its own; for a package, that of its name."""
    assert found("model/machines/hardware.py") == ["unit/model/machines/test_hardware.py"]
    assert found("errors.py") == ["unit/test_errors.py"]
    assert found("cli/run.py") == ["cli/test_run.py"]
    assert found("policies/preemptive/__init__.py") == found("policies/preemptive/nowhere.py")


def test_a_file_of_a_small_room_may_be_tested_above_it():
    """Where the room has no such file, the folders above are looked at, nearest first."""
    assert found("workloads/transform/shaking.py") == ["unit/workloads/test_shaking.py"]
    assert found("workloads/transform/nowhere.py") == ["unit/workloads/test_transform.py"]


def test_a_family_is_tested_together():
    """A file without tests of its own has those of its room."""
    assert found("reports/study/nowhere.py") == [
        path.relative_to(ROOT / "tests").as_posix()
        for path in sorted((UNIT / "reports/study").glob("test_*.py"))
    ]
    assert len(found("reports/study/nowhere.py")) > 1


@pytest.mark.slow
def test_no_file_is_without_tests():
    """The rule finds some for every file of the package."""
    assert [source for source in SOURCES.rglob("*.py") if not where_tested(source)] == []


def test_every_folder_of_tests_mirrors_one():
    """A folder of unit tests is that of a room of the package, or of the scripts in benchmarks/."""
    folders = {path.parent.relative_to(UNIT) for path in UNIT.rglob("test_*.py")}
    assert {folder for folder in folders if not (SOURCES / folder).is_dir()} == {
        (UNIT / "benchmarks").relative_to(UNIT)
    }


@pytest.mark.parametrize("source", ["README.md", "tests/conftest.py", "src/echelon/py.typed"])
def test_what_is_no_file_of_the_package(source):
    """Any other file is refused with what was expected."""
    with pytest.raises(
        ValueError, match=r"is no Python file in .*echelon, expected one whose tests are to run"
    ):
        where_tested(ROOT / source)


def test_no_folder_of_tests_is_left_out(pytestconfig):
    """No folder with tests has a name that pytest does not look into; one is called build."""
    left_out = pytestconfig.getini("norecursedirs")
    folders = {path.parent.relative_to(ROOT) for path in (ROOT / "tests").rglob("test_*.py")}
    names = {name for folder in folders for name in folder.parts}
    assert [name for name in names if any(fnmatch(name, pattern) for pattern in left_out)] == []


@pytest.mark.slow
def test_a_file_whose_tests_are_all_slow_is_no_failure():
    """`make quick FOR=FILE` ends well where it leaves all tests of a file out, and says how they are run."""
    options = ["--for=src/echelon/libraries/lookup.py", "-m", "not slow", "-q", "-n", "0"]
    command = [sys.executable, "-m", "pytest", *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "all of them: python -m pytest --for=src/echelon/libraries/lookup.py" in done.stdout


@pytest.mark.slow
def test_an_option_runs_the_tests_of_a_file():
    """`--for=FILE` collects the tests of that file and no others."""
    options = ["--for=src/echelon/quantities.py", "--collect-only", "-q", "-n", "0"]
    command = [sys.executable, "-m", "pytest", *options]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    assert {line.split("::")[0] for line in listed if "::" in line} == {"tests/unit/test_quantities.py"}
