"""Chaos: a service is killed with -9 again and again, and so are controllers; every job is counted.

From a shell, with slots of this machine or with real Slurm clusters on its loopback::

    python tests/live/chaos.py --jobs 10000 --on slurm
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[1]))
from live.postgres_server import PostgresServer
from live.slurm_clusters import SlurmCluster, wait_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

PATIENCE = 180.0
"""Seconds without any job that ends, after which a trial gives up."""


@dataclass(frozen=True)
class Victim:
    """Something that is killed again and again.

    Attributes
    ----------
    name : str
        For the table.
    pause : tuple of float
        Shortest and longest time between two kills, in seconds.
    kill : callable
        Kills it and starts it again.
    goes_on : bool
        Whether this does not stop with the faults: it is a repair.
    """

    name: str
    pause: tuple[float, float]
    kill: Callable[[random.Random], None]
    goes_on: bool = False


@dataclass
class Tally:
    """What became of a trial."""

    jobs: int
    kills: Counter[str] = field(default_factory=Counter)
    states: Counter[str] = field(default_factory=Counter)
    ran_twice: list[int] = field(default_factory=list)
    never_ran: list[int] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def row(self) -> str:
        """One row of a table."""
        kills = ", ".join(f"{name} {count}" for name, count in sorted(self.kills.items())) or "none"
        states = ", ".join(f"{state} {count}" for state, count in sorted(self.states.items()))
        return (
            f"| {self.jobs} | {kills} | {states} | {len(self.ran_twice)} | {len(self.never_ran)} | "
            f"{len(self.wrong)} | {self.seconds:.0f} |"
        )


HEAD = (
    "| jobs | kills | final states | ran twice | completed, never ran | other contradictions | seconds |\n"
    "| --- | --- | --- | --- | --- | --- | --- |"
)


class ServiceProcess:
    """A service in a process of its own, started again after each kill.

    Parameters
    ----------
    config : Path
        Its configuration.
    log : Path
        For what it prints.
    """

    def __init__(self, config: Path, log: Path) -> None:
        self._config, self._log = config, log
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it."""
        with self._log.open("ab") as out:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "echelon", "serve", str(self._config)],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )

    def kill(self, chance: random.Random | None = None) -> None:
        """Kill it with -9, and start it again; by chance, one time in five, do not wait until it answers."""
        self._end(signal.SIGKILL)
        self.start()
        if chance is None or chance.random() < 0.8:
            wait_for(self._answers, patience=60)

    def _answers(self) -> bool:
        if self._process is not None and self._process.poll() is not None:
            # Its database was away; who runs a service starts it again.
            self.start()
        with socket.socket(socket.AF_UNIX) as probe:
            return probe.connect_ex(str(self._config.parent / "state" / "echelon.sock")) == 0

    def stop(self) -> None:
        """Ask it to stop."""
        self._end(signal.SIGTERM)

    @property
    def pid(self) -> int:
        """Its number."""
        assert self._process is not None
        return self._process.pid

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            try:
                self._process.wait(30)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()


@contextmanager
def killing(victims: Sequence[Victim], tally: Tally, seed: int) -> Iterator[threading.Event]:
    """Kill each victim again and again until the event is set.

    The threads stay until the end: what they have started dies with them.
    """
    enough, over = threading.Event(), threading.Event()

    def run(victim: Victim, number: int) -> None:
        chance = random.Random(1000 * seed + number)
        while not (over if victim.goes_on else enough).wait(chance.uniform(*victim.pause)):
            victim.kill(chance)
            tally.kills[victim.name] += 1
        over.wait()

    threads = [
        threading.Thread(target=run, args=(victim, number), daemon=True)
        for number, victim in enumerate(victims)
    ]
    for one in threads:
        one.start()
    try:
        yield enough
    finally:
        enough.set()
        over.set()
        for one in threads:
            one.join()


def trial(
    folder: Path,
    address: str,
    service: ServiceProcess,
    victims: Sequence[Victim],
    *,
    jobs: int,
    seconds: tuple[float, float] = (0.0, 0.3),
    processors: int = 1,
    submitters: int = 4,
    seed: int = 0,
) -> Tally:
    """Submit jobs while things are killed; count what ran.

    Parameters
    ----------
    folder : Path
        For the file in which each payload leaves its number.
    address : str
        Of the service.
    service : ServiceProcess
        Which runs.
    victims : sequence of Victim
        What is killed until nine of ten jobs have ended.
    jobs : int
        How many.
    seconds : tuple of float
        Shortest and longest payload.
    processors : int
        Most processors of a job.
    submitters : int
        Threads that submit.
    seed : int
        Of everything random.
    """
    ran = folder / "ran"
    ran.touch()
    chance = random.Random(seed)
    work = [
        (number, round(chance.uniform(*seconds), 3), chance.randint(1, processors)) for number in range(jobs)
    ]
    tally, began = Tally(jobs), time.monotonic()
    numbers: dict[int, str] = {}
    with killing(victims, tally, seed) as enough:
        threads = [
            threading.Thread(
                target=_submit, args=(address, ran, work[part::submitters], numbers), daemon=True
            )
            for part in range(submitters)
        ]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        ended = _follow(address, jobs, enough)
    tally.seconds = time.monotonic() - began
    _count(tally, ended, ran, numbers)
    return tally


def _submit(address: str, ran: Path, work: Sequence[tuple[int, float, int]], numbers: dict[int, str]) -> None:
    from echelon.client import Client

    with Client(address, patience=60) as client:
        for number, seconds, processors in work:
            # Twice now and then, as a client does that lost the answer: the key makes it one job.
            for _ in range(2 if number % 10 == 0 else 1):
                job = _until(
                    lambda number=number, seconds=seconds, processors=processors: client.submit(
                        *("/bin/sh", "-c", 'echo "$1" >> "$2"; sleep "$3"', "sh"),
                        *(str(number), str(ran), str(seconds)),
                        key=f"chaos-{number}",
                        name=f"chaos-{number}",
                        processors=processors,
                        time_limit=60,
                        directory=str(ran.parent),
                    )
                )
                assert numbers.setdefault(number, job["id"]) == job["id"], "one key, two jobs"


def _until(ask: Callable[[], dict], patience: float = 120.0) -> dict:
    """Return an answer of a service that is away now and then."""
    from echelon.errors import ServiceError

    end = time.monotonic() + patience
    while True:
        try:
            return ask()
        except ServiceError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


def _follow(address: str, jobs: int, enough: threading.Event) -> dict[str, str]:
    """Return the final state of each job by its id; faults stop when nine of ten have ended."""
    from echelon.client import Client

    best, last = 0, time.monotonic()
    with Client(address, patience=60) as client:
        while True:
            found = _until(lambda: {one["id"]: one for one in client.jobs()})
            final = {number: one["state"] for number, one in found.items() if one["ended_at"] is not None}
            if len(final) > best:
                best, last = len(final), time.monotonic()
            if len(final) >= 0.9 * jobs:
                enough.set()
            if len(final) >= jobs or time.monotonic() - last > PATIENCE:
                return {number: final.get(number, one["state"]) for number, one in found.items()}
            time.sleep(max(0.5, jobs / 2000))


def _count(tally: Tally, ended: dict[str, str], ran: Path, numbers: dict[int, str]) -> None:
    runs = Counter(int(line) for line in ran.read_text().split())
    for number in range(tally.jobs):
        state = ended.get(numbers.get(number, ""), "LOST")
        tally.states[state] += 1
        if runs[number] > 1:
            tally.ran_twice.append(number)
        if state == "COMPLETED" and not runs[number]:
            tally.never_ran.append(number)
        if state not in ("COMPLETED", "INTERRUPTED"):
            tally.wrong.append(f"job {number} is {state} and ran {runs[number]} times")


def process_config(folder: Path, slots: Sequence[int], database: str = "") -> Path:
    """Write the configuration of clusters of slots of this machine."""
    lines = [f'[serve]\nstate = "{folder}/state"\nbroker = "tat"\n']
    if database:
        lines[0] += f'database = "{database}"\n'
    lines += [
        f'[[cluster]]\nname = "c{number}"\nbackend = "process"\nslots = {count}\n'
        for number, count in enumerate(slots)
    ]
    config = folder / "serve.toml"
    config.write_text("\n".join(lines))
    return config


def slurm_config(folder: Path, clusters: Sequence[SlurmCluster]) -> Path:
    """Write the configuration of real Slurm clusters."""
    lines = [f'[serve]\nstate = "{folder}/state"\nbroker = "tat"\n']
    for one in clusters:
        settings = "".join(f"{key} = {json.dumps(value)}\n" for key, value in one.settings().items())
        lines.append(f'[[cluster]]\nname = "{one.name}"\nbackend = "slurm"\nlook_every = "1 s"\n{settings}')
    config = folder / "serve.toml"
    config.write_text("\n".join(lines))
    return config


def restarted(cluster: SlurmCluster) -> Callable[[random.Random], None]:
    """Return what kills a controller and starts it again, or stops it for some seconds."""

    def kill(chance: random.Random) -> None:
        if chance.random() < 0.7:
            cluster.kill("slurmctld")
            time.sleep(chance.uniform(0, 2))
            cluster.start("slurmctld")
        else:
            cluster.kill("slurmctld", signal.SIGSTOP)
            time.sleep(chance.uniform(1, 8))
            cluster.kill("slurmctld", signal.SIGCONT)

    return kill


def node_killed(cluster: SlurmCluster) -> Callable[[random.Random], None]:
    """Return what kills the daemon of a node, whose jobs run on, and starts it again."""

    def kill(chance: random.Random) -> None:
        node = chance.choice(cluster.nodes)
        cluster.kill(node)
        time.sleep(chance.uniform(0, 2))
        cluster.start(node)

    return kill


def database_killed(server: PostgresServer) -> Callable[[random.Random], None]:
    """Return what kills a database and starts it again."""

    def kill(chance: random.Random) -> None:
        server.kill()
        time.sleep(chance.uniform(0, 1))
        server.start()

    return kill


def resumed(cluster: SlurmCluster) -> Callable[[random.Random], None]:
    """Return what an operator does."""
    return lambda _: cluster.resume()


def on_slurm(
    folder: Path, *, jobs: int, seed: int = 0, faults: bool = True, seconds: tuple[float, float] = (0.0, 2.0)
) -> Tally:
    """Run a trial over two real Slurm clusters, with kills of the service, of controllers and of nodes."""
    alpha = SlurmCluster(folder / "alpha", "alpha", nodes=2, processors=8)
    beta = SlurmCluster(folder / "beta", "beta", nodes=3, processors=8)
    with alpha, beta:
        service = ServiceProcess(slurm_config(folder, [alpha, beta]), folder / "service.log")
        victims = [
            Victim("service", (0.5, 4.0), service.kill),
            Victim("slurmctld", (4.0, 12.0), restarted(alpha)),
            Victim("slurmctld", (4.0, 12.0), restarted(beta)),
            Victim("slurmd", (4.0, 12.0), node_killed(beta)),
            Victim("repaired", (4.0, 6.0), resumed(alpha), goes_on=True),
            Victim("repaired", (4.0, 6.0), resumed(beta), goes_on=True),
        ]
        with started(service):
            return trial(
                folder,
                str(folder / "state" / "echelon.sock"),
                service,
                victims if faults else [],
                jobs=jobs,
                seconds=seconds,
                processors=2,
                seed=seed,
            )


@contextmanager
def started(service: ServiceProcess) -> Iterator[ServiceProcess]:
    """Run a service for the length of a trial."""
    service.start()
    try:
        yield service
    finally:
        service.stop()


def on_processes(folder: Path, *, jobs: int, seed: int = 0, slots: Sequence[int] = (4, 8)) -> Tally:
    """Run a trial over slots of this machine, with kills of the service."""
    service = ServiceProcess(process_config(folder, slots), folder / "service.log")
    with started(service):
        return trial(
            folder,
            str(folder / "state" / "echelon.sock"),
            service,
            [Victim("service", (0.3, 1.5), service.kill)],
            jobs=jobs,
            seconds=(0.0, 1.0),
            processors=2,
            seed=seed,
        )


def on_postgres(folder: Path, *, jobs: int, seed: int = 0, slots: Sequence[int] = (4, 8)) -> Tally:
    """Run a trial over slots of this machine, with kills of the service and of its database."""
    with PostgresServer() as server:
        service = ServiceProcess(process_config(folder, slots, server.address), folder / "service.log")
        victims = [
            Victim("service", (1.0, 4.0), service.kill),
            Victim("database", (1.0, 4.0), database_killed(server)),
        ]
        with started(service):
            return trial(
                folder,
                str(folder / "state" / "echelon.sock"),
                service,
                victims,
                jobs=jobs,
                seconds=(0.0, 1.0),
                processors=2,
                seed=seed,
            )


def main() -> int:
    """Run a trial from a shell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--on", choices=("process", "postgres", "slurm"), default="process")
    parser.add_argument("--dir", type=Path, default=None)
    asked = parser.parse_args()
    folder = asked.dir or Path(tempfile.mkdtemp(prefix="chaos-"))
    folder.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    run = {"process": on_processes, "postgres": on_postgres, "slurm": on_slurm}[asked.on]
    tally = run(folder, jobs=asked.jobs, seed=asked.seed)
    sys.stdout.write("\n".join([HEAD, tally.row, *tally.wrong[:20], f"files: {folder}", ""]))
    return bool(tally.ran_twice or tally.never_ran or tally.wrong)


if __name__ == "__main__":
    sys.exit(main())
