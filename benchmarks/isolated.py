"""Run a program in a process of its own and end it when its time is over."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

HERE = Path(__file__).parent
ONE_THREAD = {"POLARS_MAX_THREADS": "1", "OMP_NUM_THREADS": "1"}
"""For figures of one core."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a process: seconds from start to exit, and its last line or why there is none."""

    seconds: float
    found: dict[str, Any] | None = None
    reason: str = ""


def command(arguments: Sequence[str], *, limit: float, extra: Mapping[str, str] | None = None) -> Outcome:
    """Run `arguments` and return how long it took, or why it failed."""
    began = perf_counter()
    try:
        done = subprocess.run(
            arguments,
            capture_output=True,
            text=True,
            timeout=limit,
            env={**os.environ, **(extra or {})},
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Outcome(limit, reason=f"> {limit:g} s")
    except OSError as error:
        return Outcome(0.0, reason=f"cannot be started: {error.strerror}")
    seconds = perf_counter() - began
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        return Outcome(seconds, reason=f"failed: {last:.200}")
    lines = done.stdout.strip().splitlines()
    is_json = bool(lines) and lines[-1].startswith("{") and lines[-1].endswith("}")
    return Outcome(seconds, json.loads(lines[-1]) if is_json else {})


def script(name: str, *arguments: str, limit: float, extra: Mapping[str, str] | None = None) -> Outcome:
    """Run one of the scripts beside this file, on one thread."""
    return command(
        [sys.executable, str(HERE / name), *arguments], limit=limit, extra={**ONE_THREAD, **(extra or {})}
    )
