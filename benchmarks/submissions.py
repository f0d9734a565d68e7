"""How many jobs a service takes a second: ``python benchmarks/submissions.py``.

A service of its own keeps its jobs in SQLite in a new folder; each submission is answered when it cannot be
lost any more. The jobs are held, so that nothing is counted but submissions. Seconds are of the wall clock:
durability is waiting for the disk.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Self

import machine

from echelon.client import Client

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

CONNECTIONS = (1, 4, 16)
SIZES = (50, 500, 2000)
JOBS = 1600
GOALS = {"one by one": 100, "in batches": 2000}

_SERVE = "from echelon.service.run import serve; serve(announce=lambda said: print(said, flush=True))"


class Service:
    """A service in a process of its own, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        environment = {**os.environ, "ECHELON_STATE": str(folder)}
        command = [sys.executable, "-c", _SERVE]
        self._process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        if not self._process.stdout.readline():
            message = "the service has not started"
            raise RuntimeError(message)
        self.address = str(folder / "echelon.sock")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.communicate()


def one_by_one(address: str, connections: int, jobs: int) -> float:
    """Return jobs a second, of so many connections that each submit one after the other."""

    def submit() -> None:
        client = Client(address)
        for _ in range(jobs // connections):
            client.submit("/bin/true", hold=True)

    threads = [threading.Thread(target=submit) for _ in range(connections)]
    began = perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return jobs // connections * connections / (perf_counter() - began)


def in_batches(address: str, size: int, jobs: int) -> float:
    """Return jobs a second, of one connection that submits batches."""
    client = Client(address)
    batch = [{"command": ["/bin/true"], "hold": True}] * size
    began = perf_counter()
    for _ in range(max(1, jobs // size)):
        client.submit_batch(batch)
    return max(1, jobs // size) * size / (perf_counter() - began)


def rows(
    connections: Sequence[int] = CONNECTIONS, sizes: Sequence[int] = SIZES, jobs: int = JOBS
) -> Iterator[str]:
    """Yield the lines of the table."""
    yield "| Submitted | Jobs/s | Goal |"
    yield "| --- | ---: | ---: |"
    with tempfile.TemporaryDirectory() as folder, Service(Path(folder)) as service:
        one_by_one(service.address, 1, 8)
        for count in connections:
            rate = one_by_one(service.address, count, jobs)
            yield f"| one by one, {count} connections | {rate:,.0f} | {GOALS['one by one']:,} |"
        for size in sizes:
            rate = in_batches(service.address, size, 5 * jobs)
            yield f"| in batches of {size:,} | {rate:,.0f} | {GOALS['in batches']:,} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=JOBS)
    jobs = parser.parse_args().jobs
    for line in rows(jobs=jobs):
        print(line, flush=True)
    print()
    print(machine.description())


if __name__ == "__main__":
    main()
