"""Processor seconds of each stage of one command, told by the process itself: ``python stages.py WORDS``.

Prints what the command prints, then one line of JSON. A stage counts what it takes itself, without stages
within it; importing a module counts for its library. A timer around each call costs little: a command of a
few hundred imports takes some milliseconds more than without.
"""

from __future__ import annotations

from time import process_time

BEGAN = process_time()

import importlib._bootstrap as machinery  # noqa: E402
import json  # noqa: E402
import sys  # noqa: E402
from collections import Counter  # noqa: E402
from contextlib import contextmanager  # noqa: E402
from functools import cached_property, wraps  # noqa: E402
from typing import TYPE_CHECKING, Any  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

CALLS = {
    "echelon.workloads.files.workload_reader": {"read_workload": "reading"},
    "echelon.engine.compiled.engine": {"simulate": "simulating"},
    "echelon.engine.reference": {"simulate": "simulating"},
    "echelon.reports.report": {"write_report": "report"},
}
"""Functions that are stages, by the modules that define them."""

TABLES = {"echelon.experiments.result": "Result"}
"""Classes whose cached properties are tables and figures of a run."""

OURS, LIBRARIES, STANDARD = "echelon", ("numpy", "polars", "typer", "rich"), "standard library"


class Clock:
    """The processes at work now, and the processor seconds of each so far."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter(interpreter=BEGAN)  # type: ignore[call-overload]
        self.stack, self.last = ["the command"], process_time()

    @contextmanager
    def at(self, stage: str) -> Iterator[None]:
        """Count what happens inside for `stage`."""
        self._told()
        self.stack.append(stage)
        try:
            yield
        finally:
            self._told()
            self.stack.pop()

    def _told(self) -> None:
        now = process_time()
        self.seconds[self.stack[-1]] += now - self.last
        self.last = now


def library(module: str) -> str:
    """Return the library of a module: one of those named, or the standard one, or another."""
    top = module.partition(".")[0]
    if top.startswith("_polars"):
        return "polars"
    if top in (OURS, *LIBRARIES):
        return top
    return STANDARD if top in sys.stdlib_module_names else "other libraries"


def watch(clock: Clock) -> None:
    """Count imports from now on, and calls of stages once their modules are imported."""
    find_and_load: Callable[..., Any] = machinery._find_and_load  # noqa: SLF001

    def counted(name: str, import_: object) -> object:
        with clock.at(f"import {library(name)}"):
            module = find_and_load(name, import_)
        for function, stage in CALLS.get(name, {}).items():
            setattr(module, function, _timed(clock, stage, getattr(module, function)))
        if name == "echelon.cli.run_steps":
            module.meanwhile = _in_turn(clock)  # type: ignore[attr-defined]
        if name in TABLES:
            _time_tables(clock, getattr(module, TABLES[name]))
        return module

    machinery._find_and_load = counted  # noqa: SLF001


def _timed(clock: Clock, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def timed(*given: object, **named: object) -> object:
        with clock.at(stage):
            return function(*given, **named)

    return timed


def _in_turn(clock: Clock) -> Callable[..., Any]:
    """Return what writes files before the report is made, not meanwhile: seconds of one process add up."""

    @contextmanager
    def meanwhile(tasks: Sequence[Callable[[], object]]) -> Iterator[None]:
        with clock.at("writing"):
            for task in tasks:
                task()
        yield

    return meanwhile


def _time_tables(clock: Clock, kind: type) -> None:
    for value in vars(kind).values():
        if isinstance(value, cached_property):
            value.func = _timed(clock, "tables", value.func)


def main(arguments: list[str]) -> int:
    """Run the command and print what its stages took, and how many modules it imported."""
    clock = Clock()
    watch(clock)
    from echelon.cli import main as command

    status = command(arguments)
    with clock.at("end"):
        modules = Counter(map(library, sys.modules))
    print(json.dumps({"seconds": dict(clock.seconds), "modules": dict(modules)}))
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
