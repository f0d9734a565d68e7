"""Who chooses better between real Slurm clusters, and whose forecasts are right: ``python real_clusters.py``.

Makes the tables of docs/explanation/real-clusters.md, and the file beside them. Needs Slurm
with slurmdbd, and MariaDB. Each seed is 80 jobs, submitted at the same times in each way; ways follow
one another on the clusters of the seed, in an order that the seed turns. Seeds run beside one another, since
jobs only sleep. What is there already is not measured again.
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from real_tables import told, write_csv
from trial_jobs import jobs_of
from ways import WAYS, Outcome, Pair, run


def of_seed(seed: int, ways: list[str], folder: Path) -> None:
    """Measure all ways with the jobs of one seed; write the outcomes of each into a file."""
    left = [way for way in ways if not _file(folder, seed, way).exists()]
    if not left:
        return
    turn = seed % len(ways)
    with tempfile.TemporaryDirectory(prefix=f"real-{seed}-", dir=folder) as place, Pair(Path(place)) as pair:
        for way in sorted(left, key=lambda way: (ways.index(way) - turn) % len(ways)):
            rounds = [jobs_of(seed, "main")]
            if way == "service, learned":
                rounds.insert(0, jobs_of(seed, "warm-up"))
            began = time.monotonic()
            outcomes = run(pair, way, rounds, seed)
            with _file(folder, seed, way).open("w", newline="") as file:
                writer = csv.writer(file)
                writer.writerow(Outcome._fields)
                writer.writerows(outcomes)
            spent = time.monotonic() - began
            print(f"seed {seed}, {way}: {spent:.0f} s, load {os.getloadavg()[0]:.1f}", flush=True)


def _file(folder: Path, seed: int, way: str) -> Path:
    return folder / f"{seed} {way}.csv"


def main() -> None:
    """Measure what is asked for, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--beside", type=int, default=5, help="seeds that run at the same time")
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=list(WAYS))
    parser.add_argument("--dir", type=Path, default=Path("echelon-out/real-clusters"))
    parser.add_argument("--csv", type=Path, default=None, help="for a row a run")
    asked = parser.parse_args()
    folder = asked.dir.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    seeds = range(asked.first, asked.first + asked.seeds)
    with ProcessPoolExecutor(asked.beside) as pool:
        for done in [pool.submit(of_seed, seed, asked.ways, folder) for seed in seeds]:
            done.result()
    found = {(seed, way): _read(_file(folder, seed, way)) for seed in seeds for way in asked.ways}
    sys.stdout.write("\n".join(told(found)) + "\n")
    if asked.csv is not None:
        write_csv(asked.csv, found)


def _read(path: Path) -> list[Outcome]:
    with path.open(newline="") as file:
        return [
            Outcome(int(number), cluster, *(float(one) if one else None for one in rest))
            for number, cluster, *rest in list(csv.reader(file))[1:]
        ]


if __name__ == "__main__":
    main()
