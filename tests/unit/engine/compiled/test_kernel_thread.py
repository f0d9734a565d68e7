"""Kernels that are watched: what a debugger sees of them, and what Ctrl-C does."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys

import pytest

from echelon.engine.compiled.machine.run import submit

PROGRAM = """
import echelon as ec
columns = {"submit_time": [0, 1], "run_time": [9, 9], "requested_time": [9, 9], "processors": [2, 3]}
workload = ec.Workload.from_columns(**columns)
print(ec.simulate(workload, policy="easy", processors=4, engine="compiled").schedule.start_time)
"""


@pytest.mark.slow
def test_a_debugger_stops_in_a_kernel(tmp_path):
    """With ECHELON_KERNELS=python, pdb stops at a line of a kernel, shows its names and goes on."""
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    lines, first = inspect.getsourcelines(submit)
    place = f"{inspect.getsourcefile(submit)}:{first + len(lines) - 1}"
    commands = [f"break {place}", "continue", "p ('stopped at', int(job))", "clear 1", "continue", "quit"]
    arguments = [argument for command in commands for argument in ("-c", command)]
    done = subprocess.run(
        [sys.executable, "-m", "pdb", *arguments, program],
        env={**os.environ, "ECHELON_KERNELS": "python"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "('stopped at', 0)" in done.stdout, done.stdout + done.stderr
    assert "[0. 9.]" in done.stdout


def test_ctrl_c_stops_plain_python(monkeypatch):
    """Interrupting a kernel that runs as plain Python cancels the run, as with machine code."""
    from echelon.engine.compiled.kernel_thread import run_watched
    from echelon.errors import Cancelled

    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setenv("ECHELON_KERNELS", "python")
    with pytest.raises(Cancelled, match="stopped by the user"):
        run_watched(interrupted, None, 1)
