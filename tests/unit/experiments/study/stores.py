"""Stores made by hand: the files of a study without running it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class HandMade:
    """The folder of a study to which runs are added one by one."""

    folder: Path
    name: str = "by hand"
    axes: tuple[str, ...] = ()
    outline: dict[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        told = {"layout": 1, "name": self.name}
        (self.folder / "study.json").write_text(json.dumps(told))
        if self.axes or self.outline:
            said = {"name": self.name, "axes": self.axes, "problem": ["load"], **self.outline}
            (self.folder / "outline.json").write_text(json.dumps(said))

    def add(
        self,
        labels,
        metrics,
        *,
        settings=None,
        jobs=None,
        ending="done",
        seconds=0.5,
        own=(),
        chance=None,
        results="",
    ):
        """Add a run; return its key, another for other `results`, as of another release."""
        settings = {"workload": "model", **labels, **(settings or {})}
        key = hashlib.sha256((json.dumps(settings, sort_keys=True) + results).encode()).hexdigest()
        run = self.folder / "runs" / key[:2] / key
        run.mkdir(parents=True, exist_ok=True)
        (run / "metrics.json").write_text(json.dumps(metrics))
        (run / "scenario.json").write_text(json.dumps(settings))
        (run / "manifest.json").write_text(
            json.dumps({"key": key, "processors": 2, "own_metrics": list(own), "settings": settings})
        )
        (jobs if jobs is not None else five_jobs()).write_parquet(run / "jobs.parquet")
        self.log(labels, settings, key=key, ending=ending, seconds=seconds, chance=chance)
        return key

    def fail(self, labels, problem="no job is left to simulate"):
        """Add a case that could not be run."""
        self.log(labels, {"workload": "model", **labels}, ending="failed", problem=problem)

    def log(self, labels, settings, *, key="", ending="done", seconds=0.5, problem="", chance=None):
        """Add a line to the log."""
        told = {
            "ending": ending,
            "key": key,
            "labels": {axis: str(value) for axis, value in labels.items()},
            "settings": settings,
            "seconds": seconds,
            "engine_seconds": seconds / 2,
        }
        if chance is not None:
            told["chance"] = chance
        if problem:
            told["problem"] = problem
        with (self.folder / "log.jsonl").open("a") as file:
            file.write(json.dumps(told) + "\n")


def five_jobs():
    """Return five jobs of 10 s, one submitted each second, two at once."""
    return pl.DataFrame(
        {
            "job_id": [1, 2, 3, 4, 5],
            "submit_time": [0.0, 1.0, 2.0, 3.0, 4.0],
            "start_time": [0.0, 1.0, 10.0, 11.0, 20.0],
            "end_time": [10.0, 11.0, 20.0, 21.0, 30.0],
            "run_time": [10.0] * 5,
            "processors": [1] * 5,
            "user": ["a", "b", "a", None, "b"],
        }
    )


def product(
    folder, *, policies=("fcfs", "easy", "conservative"), loads=(0.8, 1.2), seeds=range(4), **outline
):
    """Return a study of policies, loads and seeds: easy waits 10 s less than fcfs, conservative 5 s."""
    outline = {"values": {"policy": policies}, **outline}
    made = HandMade(folder, axes=("policy", "load", "seed"), outline=outline)
    gain = {"fcfs": 0.0, "easy": 10.0, "conservative": 5.0}
    for seed in seeds:
        for load in loads:
            for policy in policies:
                wait = (
                    100 * load + 3 * (seed % 4) - gain.get(policy, 0.0) + 0.1 * ((seed * 7) % 5) * len(policy)
                )
                made.add(
                    {"policy": policy, "load": load, "seed": seed},
                    {
                        "jobs": 5,
                        "mean_wait": wait,
                        "mean_bounded_slowdown": 1 + wait / 50,
                        "utilization": 0.5 + load / 4 - gain.get(policy, 0.0) / 100,
                        "jain_fairness_wait": None if seed == 0 else 0.9,
                    },
                )
    return made
