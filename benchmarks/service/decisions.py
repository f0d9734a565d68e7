"""CPU time of a decision among five clusters, in each of which 1,500 jobs wait: ``python decisions.py``.

The core of the service decides; only the looks are made here. Jobs that wait are all the
service's own, or all of others, or half and half. Seconds are of the processor.
"""

from __future__ import annotations

import argparse
import random
from statistics import median
from time import process_time
from typing import TYPE_CHECKING

from echelon.backends.contract import Accepted, Description, OtherJob, OwnJob, Snapshot
from echelon.service.core import ServiceCore
from echelon.service.messages import Answered, Arrived, Looked, SubmitJob
from echelon.service.records import JobRecord, JobSpec, OpenRecords
from echelon.service.rules import ClusterRules, Rules

if TYPE_CHECKING:
    from collections.abc import Sequence

BROKERS = ("tat", "mct", "ptt")
MIXES = {"own": 0.0, "others": 1.0, "half": 0.5}
"""Share of the waiting jobs that are not the service's."""
CLUSTERS, PROCESSORS, WAITING, DECISIONS = 5, 256, 1500, 40
NOW = 1_800_000_000.0


def spec(chance: random.Random, *clusters: str) -> JobSpec:
    """Return a job of 1 to 64 processors with a limit of 10 min to 10 h."""
    return JobSpec(
        command=("solver",),
        processors=2 ** chance.randint(0, 6),
        time_limit=600.0 * chance.randint(1, 60),
        clusters=clusters,
    )


class Bench:
    """A core with full clusters.

    Parameters
    ----------
    broker : str
        What chooses.
    mix : float
        Share of waiting jobs that are of others.
    policy : str
        That the clusters are said to have.
    """

    def __init__(self, broker: str, mix: float, policy: str = "easy") -> None:
        self.names = [f"c{number}" for number in range(CLUSTERS)]
        self.chance, self.count, self.now = random.Random(1), 0, NOW
        rules = Rules(
            tuple(ClusterRules(name, policy, unsettled=10_000) for name in self.names), broker=broker
        )
        described = dict.fromkeys(self.names, Description(PROCESSORS, has_claims=True, patience=20.0))
        self.core = ServiceCore(rules, OpenRecords(), described, NOW)
        self.own: dict[str, list[OwnJob]] = {name: [] for name in self.names}
        self.others = {name: self._others(name, round(mix * WAITING)) for name in self.names}
        self.look()
        for name in self.names:
            jobs = [self.job(name) for _ in range(WAITING - round(mix * WAITING))]
            self.step(Arrived(tuple(jobs)))
        self.look()

    def _others(self, name: str, waiting: int) -> list[OtherJob]:
        """Return jobs that hold the whole cluster, and jobs that wait."""
        holding = [
            OtherJob(f"{name}-r{one}", "running", 16, 36000.0, NOW - 1000, NOW - 100 * one - 1)
            for one in range(PROCESSORS // 16)
        ]
        made = [spec(self.chance) for _ in range(waiting)]
        return holding + [
            OtherJob(f"{name}-w{number}", "waiting", one.processors, one.time_limit, NOW - 2000 + number)
            for number, one in enumerate(made)
        ]

    def job(self, *clusters: str) -> JobRecord:
        """Return a new job."""
        self.count += 1
        return JobRecord(f"{self.count:032x}", self.count, "me", spec(self.chance, *clusters), self.now)

    def step(self, *observations: object) -> float:
        """Take a step, submit what it says; return its CPU seconds."""
        self.now += 0.1
        began = process_time()
        made = self.core.step(self.now, observations)
        spent = process_time() - began
        answers = []
        for one in made.actions:
            if isinstance(one, SubmitJob):
                self.count += 1
                native = str(10_000_000 + self.count)
                answers.append(Answered(one.job, one.attempt, Accepted(native)))
                self.own[one.cluster].append(
                    OwnJob(one.submission.tag, native, "waiting", one.submission.processors)
                )
        if answers:
            self.core.step(self.now, answers)
        return spent

    def look(self) -> float:
        """Look at all clusters; return the CPU seconds."""
        return self.step(
            *(
                Looked(
                    name,
                    Snapshot(
                        self.now + 0.05,
                        is_complete=True,
                        processors=PROCESSORS,
                        own=tuple(self.own[name]),
                        others=tuple(self.others[name]),
                    ),
                )
                for name in self.names
            )
        )


def row(broker: str, mix: str, policy: str) -> str:
    """Measure one broker with one mix; return a row of the table."""
    began = process_time()
    bench = Bench(broker, MIXES[mix], policy)
    made = process_time() - began
    decisions = [bench.step(Arrived((bench.job(),))) for _ in range(DECISIONS)]
    after = []
    for _ in range(5):
        bench.look()
        after.append(bench.step(Arrived((bench.job(),))))
    looks = [bench.look() for _ in range(5)]
    forecasts = []
    for _ in range(5):
        began = process_time()
        bench.core.forecast(bench.now, bench.job().spec, "me")
        forecasts.append(process_time() - began)
    waits = sum(len(one) for one in bench.own.values()), CLUSTERS * round(MIXES[mix] * WAITING)
    cells = [
        decisions[0],
        median(decisions[1:]),
        max(decisions[1:]),
        max(after),
        median(looks),
        median(forecasts),
    ]
    return (
        f"| {broker} | {waits[0]:,} + {waits[1]:,} | "
        + " | ".join(f"{1000 * one:.1f}" for one in cells)
        + f" | {made:.1f} |"
    )


def main(brokers: Sequence[str] = BROKERS) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--brokers", nargs="+", default=list(brokers))
    parser.add_argument("--mixes", nargs="+", choices=MIXES, default=list(MIXES))
    parser.add_argument("--policy", default="easy")
    asked = parser.parse_args()
    print(
        "| Broker | Waiting: own + others | First, ms | Median, ms | Longest, ms | Right after looks, ms |",
        end="",
    )
    print(" Five looks, ms | Forecast, ms | Filling, s |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for broker in asked.brokers:
        for mix in asked.mixes:
            print(row(broker, mix, asked.policy), flush=True)


if __name__ == "__main__":
    main()
