"""Many short jobs over two real Slurm clusters through a service: ``python many_jobs.py --jobs 10000``.

Prints the wall time, what became of each job, jobs that ran twice or never, and the CPU time and the peak
memory of the service. Each payload appends its number to a file, so runs are counted where they happen.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
from echelon.client import Client
from echelon.client.answers import FINAL
from echelon.errors import ServiceError
from live.chaos import ServiceProcess
from live.slurm_clusters import SlurmCluster, wait_for

BATCH = 500
TICK = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid: int) -> tuple[float, float]:
    """Return the CPU seconds of a process, and of its children that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    own, children = sum(map(int, fields[11:13])), sum(map(int, fields[13:15]))
    return own / TICK, children / TICK


def peak_megabytes(pid: int) -> float:
    """Return the largest memory that a process has held, in 10^6 bytes."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) * 1024 / 1e6


def is_ready(client: Client) -> bool:
    """Return whether all clusters answer."""
    try:
        return all(one["reachable"] for one in client.clusters())
    except ServiceError:
        return False


def config(folder: Path, clusters: list[SlurmCluster], look_every: float, unsettled: int) -> Path:
    """Write the configuration of the service."""
    lines = [f'[serve]\nstate = "{folder}/state"\nbroker = "tat"\n']
    for one in clusters:
        settings = "".join(f"{key} = {json.dumps(value)}\n" for key, value in one.settings().items())
        lines.append(
            f'[[cluster]]\nname = "{one.name}"\nbackend = "slurm"\nlook_every = "{look_every} s"\n'
            f"unsettled = {unsettled}\n{settings}"
        )
    path = folder / "serve.toml"
    path.write_text("\n".join(lines))
    return path


def main() -> None:
    """Run the jobs and print the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=10_000)
    parser.add_argument("--look-every", type=float, default=1.0)
    # With few, a cluster of jobs that take a second is empty from their end until it is looked at.
    parser.add_argument("--unsettled", type=int, default=400)
    parser.add_argument("--patience", type=float, default=560.0)
    asked = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="many-"))
    ran = folder / "ran"
    ran.touch()
    alpha = SlurmCluster(folder / "alpha", "alpha", nodes=2, processors=8)
    beta = SlurmCluster(folder / "beta", "beta", nodes=3, processors=8)
    with alpha, beta:
        service = ServiceProcess(
            config(folder, [alpha, beta], asked.look_every, asked.unsettled), folder / "service.log"
        )
        service.start()
        try:
            with Client(str(folder / "state" / "echelon.sock"), patience=60, timeout=120) as client:
                wait_for(lambda: is_ready(client), 60, 0.2)
                print(f"files: {folder}", flush=True)
                trial(client, service.pid, ran, asked.jobs, asked.patience)
        finally:
            service.stop()


def trial(client: Client, pid: int, ran: Path, jobs: int, patience: float) -> None:
    """Submit jobs, follow them, and count."""
    before, began = cpu_seconds(pid), time.monotonic()
    for start in range(0, jobs, BATCH):
        client.submit_batch(
            [
                {
                    "command": ["/bin/sh", "-c", 'echo "$1" >> "$2"', "sh", str(number), str(ran)],
                    "directory": str(ran.parent),
                    "time_limit": 60,
                }
                for number in range(start, min(start + BATCH, jobs))
            ]
        )
    submitted = time.monotonic() - began
    done = 0
    while done < jobs and time.monotonic() - began < patience:
        time.sleep(5)
        done = len(ran.read_text().split())
        if done >= jobs:
            # A listing of all jobs again and again would cost more than what is measured.
            done = sum(1 for _ in client.jobs(states=tuple(FINAL)))
        spent = cpu_seconds(pid)[0] - before[0]
        at, load = time.monotonic() - began, os.getloadavg()[0]
        print(f"{at:5.0f} s: {done} done, CPU {spent:.1f} s, load {load:.1f}", flush=True)
    wall, after = time.monotonic() - began, cpu_seconds(pid)
    states = Counter(one["state"] for one in client.jobs())
    runs = Counter(int(line) for line in ran.read_text().split())
    print(f"submitted in {submitted:.1f} s, all in {wall:.0f} s, {done / wall:.1f} jobs/s; {dict(states)}")
    print(f"ran twice: {sum(count > 1 for count in runs.values())}, never ran: {jobs - len(runs)}")
    own, children = after[0] - before[0], after[1] - before[1]
    print(
        f"service: CPU {own:.1f} s, {100 * own / wall:.0f} % of a core; {peak_megabytes(pid):.0f} MB at most"
    )
    share = 100 * children / wall
    print(f"commands that it runs (sbatch, squeue ...): {children:.1f} s, {share:.0f} % of a core")


if __name__ == "__main__":
    main()
