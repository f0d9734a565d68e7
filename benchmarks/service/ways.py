"""Ways to choose between two real Slurm clusters: at random, by Slurm itself, by a service."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
from echelon.client import Client
from echelon.errors import ServiceError
from live.chaos import ServiceProcess
from live.slurm_clusters import SlurmAccounting, SlurmCluster, wait_for

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trial_jobs import TrialJob

PATIENCE = 400.0
"""Seconds until the last job of a round has ended."""
SCRIPT = '#!/bin/sh\ndate +%s.%N > "$1.new" && mv "$1.new" "$1"\nexec sleep "$2"\n'
"""The payload: it notes when it starts, by the same clock in all ways."""
ESTIMATORS = {
    "service, limits": "request",
    "service, learned": "ibl",
    "service, known": f"{Path(__file__).parent / 'known_times.py'}:Known",
}
WAYS = ("random", "sbatch -M", *ESTIMATORS)


class Outcome(NamedTuple):
    """What became of one job; times in seconds, None where there is none.

    Attributes
    ----------
    number : int
        Of the job in its round.
    cluster : str
        Where it ran.
    wait : float
        From its submission to its start.
    expected : float, optional
        The wait that ``sbatch --test-only`` said right before the submission, at the cluster where it ran.
    forecast, decided_wait : float, optional
        The wait that the service forecast at its decision, and what it was, from the decision on.
    earliest, latest : float, optional
        The service's interval of it.
    """

    number: int
    cluster: str
    wait: float
    expected: float | None = None
    forecast: float | None = None
    decided_wait: float | None = None
    earliest: float | None = None
    latest: float | None = None


class Pair:
    """Two Slurm clusters of 8 and 16 processors with accounting; a context manager."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.accounting = SlurmAccounting(folder / "accounting")
        self.clusters = [
            SlurmCluster(folder / name, name, nodes=2, processors=size, accounting=self.accounting)
            for name, size in (("alpha", 4), ("beta", 8))
        ]
        self.script = folder / "job.sh"
        self.script.write_text(SCRIPT)
        self.script.chmod(0o755)
        self._threads = ThreadPoolExecutor(2)

    def __enter__(self) -> Self:
        self.accounting.__enter__()
        for cluster in self.clusters:
            cluster.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        for cluster in self.clusters:
            cluster.__exit__()
        self.accounting.__exit__()

    def submit(self, job: TrialJob, mark: Path, *arguments: str, at: int = 0) -> str:
        """Submit a job by ``sbatch`` with further arguments; return what that has printed."""
        payload = (str(self.script), str(mark), str(job.seconds))
        return self.clusters[at].run("sbatch", *arguments, *_asked(job), *payload)

    def expected(self, job: TrialJob) -> dict[str, float]:
        """Return the start that Slurm expects of a job at each cluster, Unix time, if it came now."""

        def ask(cluster: SlurmCluster) -> float:
            arguments = ["sbatch", "--test-only", *_asked(job), str(self.script), "x", "0"]
            said = subprocess.run(
                arguments,
                env={**os.environ, **cluster.environment, "SLURM_TIME_FORMAT": "standard"},
                capture_output=True,
                text=True,
                check=True,
            )
            found = re.search(r"to start at (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)", said.stderr)
            assert found, said.stderr
            return datetime.fromisoformat(found[1]).timestamp()

        names = [cluster.name for cluster in self.clusters]
        return dict(zip(names, self._threads.map(ask, self.clusters), strict=True))

    def await_empty(self) -> None:
        """Wait until there is no job."""
        for cluster in self.clusters:
            wait_for(lambda cluster=cluster: not cluster.run("squeue", "-h").strip(), PATIENCE, 0.3)


def _asked(job: TrialJob) -> list[str]:
    return [
        *("-J", job.application, "-n", str(job.processors), "-t", str(job.minutes)),
        *("--no-requeue", "-o", "/dev/null"),
    ]


def run(pair: Pair, way: str, rounds: Sequence[Sequence[TrialJob]], seed: int) -> list[Outcome]:
    """Submit rounds of jobs in one way, one after another has ended; return the outcomes of the last."""
    folder = pair.folder / re.sub(r"\W+", "-", way)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    if way in ESTIMATORS:
        return _served(pair, ESTIMATORS[way], rounds, folder)
    chance = random.Random(f"choices {seed}")
    outcomes: list[Outcome] = []
    for jobs in rounds:
        where: dict[int, str] = {}

        def submit(job: TrialJob, mark: Path, where: dict[int, str] = where) -> None:
            if way == "random":
                at = chance.randrange(len(pair.clusters))
                pair.submit(job, mark, at=at)
                where[job.number] = pair.clusters[at].name
            else:
                said = pair.submit(job, mark, "-M", ",".join(one.name for one in pair.clusters))
                where[job.number] = said.split()[-1]

        times = _submit_all(pair, jobs, folder, submit)
        outcomes = [
            Outcome(number, where[number], start - at, expected[where[number]] - at)
            for number, (at, expected, start) in times.items()
        ]
    return outcomes


def _submit_all(pair, jobs, folder, submit):
    """Submit jobs at their times; return when each was submitted, what Slurm expected, and its start."""
    marks = {job.number: folder / f"{job.number}.start" for job in jobs}
    for mark in marks.values():
        mark.unlink(missing_ok=True)
    asked: dict[int, tuple[float, dict[str, float]]] = {}
    began = time.time()
    for job in jobs:
        time.sleep(max(began + job.at - time.time(), 0.0))
        expected = pair.expected(job)
        asked[job.number] = time.time(), expected
        submit(job, marks[job.number])
    wait_for(lambda: all(mark.exists() for mark in marks.values()), PATIENCE, 0.3)
    pair.await_empty()
    return {number: (*asked[number], float(mark.read_text())) for number, mark in marks.items()}


def _served(pair: Pair, estimator: str, rounds: Sequence[Sequence[TrialJob]], folder: Path) -> list[Outcome]:
    known = {job.number: job.seconds + 1.0 for job in rounds[-1]}
    (folder / "known.json").write_text(json.dumps(known))
    os.environ["KNOWN_TIMES"] = str(folder / "known.json")
    service = ServiceProcess(_config(pair, estimator, folder), folder / "service.log")
    service.start()
    try:
        with Client(str(folder / "state" / "echelon.sock"), patience=60) as client:
            wait_for(lambda: _is_ready(client), 60, 0.2)
            for jobs in rounds:
                outcomes = _served_round(pair, client, jobs, folder)
        return outcomes
    finally:
        service.stop()


def _is_ready(client: Client) -> bool:
    try:
        return all(one["reachable"] for one in client.clusters())
    except ServiceError:
        return False


def _served_round(pair: Pair, client: Client, jobs: Sequence[TrialJob], folder: Path) -> list[Outcome]:
    ids: dict[int, str] = {}

    def submit(job: TrialJob, mark: Path) -> None:
        made = client.submit(
            *(str(pair.script), str(mark), str(job.seconds)),
            name=job.application,
            processors=job.processors,
            time_limit=60 * job.minutes,
            directory=str(folder),
        )
        ids[job.number] = made["id"]

    times = _submit_all(pair, jobs, folder, submit)
    client.wait(*ids.values(), timeout=PATIENCE)
    outcomes = []
    for number, (at, expected, start) in times.items():
        cluster = client.job(ids[number])["cluster"]
        made = client.decision(ids[number])["forecasts"][-1]
        waited = start - made["at"]
        forecast = (made["wait_time"], waited, made["earliest"], made["latest"])
        outcomes.append(Outcome(number, cluster, start - at, expected[cluster] - at, *forecast))
    return outcomes


def _config(pair: Pair, estimator: str, folder: Path) -> Path:
    lines = [f'[serve]\nstate = "{folder}/state"\nbroker = "tat"\nestimator = "{estimator}"\n']
    for one in pair.clusters:
        settings = "".join(f"{key} = {json.dumps(value)}\n" for key, value in one.settings().items())
        lines.append(f'[[cluster]]\nname = "{one.name}"\nbackend = "slurm"\nlook_every = "1 s"\n{settings}')
    config = folder / "serve.toml"
    config.write_text("\n".join(lines))
    return config
