"""The scripts in examples/ and the examples in docstrings."""

from __future__ import annotations

import doctest
import importlib
import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import echelon
from echelon.cli import main

FOLDER = Path(__file__).parents[2] / "examples"
EXAMPLES = sorted(FOLDER.glob("*.py"))


@pytest.mark.parametrize("script", EXAMPLES, ids=lambda path: path.name)
def test_example_runs(
    script: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The script ends well in an empty folder, with warnings as errors, and prints something."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ECHELON_DATA", "")
    monkeypatch.setattr(sys, "argv", [str(script)])
    monkeypatch.syspath_prepend(str(FOLDER))
    runpy.run_path(str(script), run_name="__main__")
    assert capsys.readouterr().out.strip()


def test_an_example_runs_in_a_process_of_its_own(tmp_path: Path) -> None:
    """What is run within this process elsewhere also runs as a program, with warnings as errors."""
    script = FOLDER / "my_policies.py"
    done = subprocess.run(
        [sys.executable, "-W", "error", str(script)],
        cwd=tmp_path,
        env={**os.environ, "ECHELON_DATA": ""},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


@pytest.mark.parametrize("scenario", sorted(FOLDER.glob("*.toml")), ids=lambda path: path.name)
def test_scenario_runs(scenario: Path, tmp_path: Path) -> None:
    """The scenario runs from the command line, and its results go where it says, seen from its own folder."""
    copy = tmp_path / "examples" / scenario.name
    copy.parent.mkdir()
    copy.write_bytes(scenario.read_bytes())
    assert main(["run", str(copy), "--no-report", "--quiet"]) == 0
    assert list(tmp_path.glob("echelon-out/*/run.json"))


@pytest.mark.parametrize("study", sorted((FOLDER / "studies").glob("*.toml")), ids=lambda path: path.name)
def test_study_runs(study: Path, tmp_path: Path) -> None:
    """The study runs from the command line, and its folder is where it says."""
    copy = tmp_path / "examples" / "studies" / study.name
    copy.parent.mkdir(parents=True)
    # Two replications show that it runs; the page on studies has the same study, with all of them.
    copy.write_text(study.read_text(encoding="utf-8").replace("seeds = 5", "seeds = 2"), encoding="utf-8")
    assert main(["study", "run", str(copy), "--executor", "threads", "--quiet"]) == 0
    assert list(tmp_path.glob("echelon-out/*/study.toml"))


def test_every_example_is_run() -> None:
    """There is no kind of example that these tests and those of notebooks do not run."""
    assert {path.suffix for path in FOLDER.iterdir() if path.is_file()} <= {".py", ".toml", ".ipynb"}


@pytest.mark.parametrize("script", EXAMPLES, ids=lambda path: path.name)
def test_example_is_short(script: Path) -> None:
    """An example is less than 40 lines, so that one reads it."""
    assert len(script.read_text(encoding="utf-8").splitlines()) < 40


def modules() -> list[str]:
    root = Path(echelon.__file__).parent
    files = [path for path in sorted(root.rglob("*.py")) if ">>> " in path.read_text(encoding="utf-8")]
    return [".".join(path.relative_to(root.parent).with_suffix("").parts) for path in files]


def test_docstrings_have_examples_to_run() -> None:
    """The modules with examples are found, those of the main entry points among them."""
    assert {"echelon.experiments.simulation", "echelon.policies.order.rule"} <= set(modules())


@pytest.mark.parametrize("name", modules())
def test_examples_in_docstrings_are_true(name: str) -> None:
    """Every example in the module's docstrings gives what it shows."""
    result = doctest.testmod(
        importlib.import_module(name.removesuffix(".__init__")), optionflags=doctest.ELLIPSIS
    )
    assert result.attempted
    assert not result.failed
