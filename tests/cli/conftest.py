"""Running commands as the command line does, in this process."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from echelon.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SIX_JOBS = """\
; Computer: Six
; MaxProcs: 4
; UnixStartTime: 838000000
; TimeZoneString: UTC
; Note: made by hand
1 0 0 100 3 -1 -1 3 100 -1 1 1 1 -1 -1 -1 -1 -1
2 1 0 100 4 -1 -1 4 100 -1 1 2 1 -1 -1 -1 -1 -1
3 2 0 50 1 -1 -1 1 50 -1 1 1 1 -1 -1 -1 -1 -1
4 3 0 -1 1 -1 -1 1 50 -1 0 1 1 -1 -1 -1 -1 -1
5 4 0 10 9 -1 -1 9 50 -1 1 3 1 -1 -1 -1 -1 -1
6 300 0 10 1 -1 -1 1 5 -1 1 3 1 -1 -1 -1 -1 -1
"""


class Said(NamedTuple):
    """What a command left: its exit code and what it said where."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output, which must be JSON and nothing else."""
        return json.loads(self.out)

    @property
    def sentence(self) -> str:
        """Standard error, which must be one line of ours, and no traceback; standard output must be empty."""
        assert self.out == ""
        assert self.err.count("\n") == 1
        assert "Traceback" not in self.err
        return self.err.removesuffix("\n")


@pytest.fixture
def echelon(capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    """Return a function that runs the command of these arguments."""

    def run(*arguments: object) -> Said:
        capsys.readouterr()
        code = main([str(word) for word in arguments])
        return Said(code, *capsys.readouterr())

    return run


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make files of figures empty: all figures are made of their tables, and none is drawn."""
    monkeypatch.setattr("echelon.reports.figure_files.figure_bytes", lambda figure, kind, **_: b"")


@pytest.fixture
def six_jobs(tmp_path: Path) -> Path:
    """Return a log of six jobs on four processors; two cannot be simulated."""
    path = tmp_path / "six.swf"
    path.write_text(SIX_JOBS)
    return path
