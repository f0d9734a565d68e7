"""What the reproduction leaves for people who want to run it by hand: its jobs and platforms as files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.platforms.writing import platform_text
from echelon.reproduce.irmasim.experiments import machine_of, platform_of
from echelon.reproduce.irmasim.jobs import workload_of
from echelon.reproduce.irmasim.mix import Mix
from echelon.reproduce.irmasim.public_examples import public_examples
from echelon.reproduce.irmasim.traces import TRACES
from echelon.workloads.irmasim import write_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from echelon.model import Platform, Workload


def files() -> dict[str, Callable[[], bytes]]:
    """Return what writes each file, by its name: IRMASim's ``workload.json``, and platform files of ours."""
    jobs = {_slug(name): workload_of(name, trace.jobs) for name, trace in TRACES.items()}
    edited = {_slug(name): machine_of(trace) for name, trace in TRACES.items() if trace.wide}
    # An example that is run in several ways has its jobs and its machine before the comma.
    public = {_slug(one.name.partition(",")[0]): one for one in public_examples()}
    jobs |= {name: one.workload for name, one in public.items()} | {"mix-0": Mix().drawn(0)}
    edited |= {name: platform_of(one.hardware) for name, one in public.items()}
    return {
        **{f"{name}.json": _jobs(workload) for name, workload in jobs.items()},
        **{f"{name}.toml": _platform(platform) for name, platform in edited.items()},
    }


def _slug(name: str) -> str:
    return name.lower().replace(" ", "-").replace("/", "-")


def _jobs(workload: Workload) -> Callable[[], bytes]:
    return lambda: write_json(workload)


def _platform(platform: Platform) -> Callable[[], bytes]:
    return lambda: platform_text(platform).encode()
