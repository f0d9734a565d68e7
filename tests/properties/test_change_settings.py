"""Whatever is said of a machine that changes gives a scenario or a sentence."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from echelon import Workload, simulate
from echelon.errors import EchelonError
from echelon.model import Header

DATED = Header((("UnixStartTime", "1796079600"), ("TimeZoneString", "Europe/Madrid")))
JOBS = Workload.from_columns(
    header=DATED,
    submit_time=[0, 50, 50, 900, 4000],
    run_time=[100, 30, 1000, 50, 700],
    requested_time=[100, 60, 1200, 50, 900],
    processors=[2, 4, 1, 3, 2],
    user=[1, 2, 3, 1, 2],
)
TIMES = (
    "0",
    "-50",
    "100",
    "1000.5",
    "20min",
    "2026-12-01T00:10",
    "2026-11-30T23:59Z",
    "5000",
    "now",
    "",
    "nan",
)
LENGTHS = ("10", "5min", "1h", "0", "x", "1e9")
NODES = ("1", "2-3", "all", "4", "1+3", "9", "n1", "", "[2]", "0", "3-1", "-1", "1.5")
LAWS = ("exponential:mean=1h", "weibull:shape=0.5,scale=1h,of=site", "constant:30min", "gamma:shape=0", "x")
OTHERS = {
    "repair": ("unknown", "known", "10min", "estimate:x"),
    "on_failure": ("requeue", "kill", "slurm", "x"),
    "requeue_delay": (0, "2min", -1, "x"),
    "max_requeues": (0, 2, 1.5),
    "reservation_conflict": ("kill", "wait"),
    "checkpoint": ("daly", 60, "5min", 0, "x"),
    "checkpoint_cost": (0, "1min"),
    "limit_per": ("attempt", "job"),
}


def settings(random: Random, folder) -> dict:
    """Return some settings with values of which many are wrong."""

    def time():
        return random.choice(TIMES)

    def until():
        return random.choice((time(), f"+{random.choice(LENGTHS)}"))

    def row(kind):
        cells = {"nodes": random.choice(NODES), kind[0]: time(), kind[1]: until(), "announced": time()}
        return {key: cell for key, cell in cells.items() if random.random() < 0.9}

    def maintenance():
        parts = ("/daily", f"/every={random.choice(LENGTHS)}", f"/nodes={random.choice(NODES)}", "@x", "/")
        return f"{time()}/{random.choice(LENGTHS)}{random.choice(('', *parts))}"

    def table(kind, name):
        rows = [row(kind) for _ in range(random.randint(0, 3))]
        names = list(dict.fromkeys(key for one in rows for key in one)) or list(kind)
        lines = [",".join(names), *(",".join(one.get(key, "") for key in names) for one in rows)]
        file = folder / name
        file.write_text("\n".join(lines) + "\n")
        return random.choice((str(file), rows))

    chosen = {
        "outages": table(("down", "up"), "outages.csv"),
        "reservations": table(("start", "end"), "reservations.csv"),
        "maintenance": ";".join(maintenance() for _ in range(random.randint(0, 2))),
        "failures": random.choice(LAWS),
    }
    kept = random.sample(sorted(chosen), random.choice((1, 1, 2)))
    found = {name: chosen[name] for name in kept}
    if "failures" in found:
        found["repair_times"] = random.choice(("constant:10min", "constant:0", "x"))
    names = random.sample(sorted(OTHERS), random.choice((0, 0, 1)))
    return found | {name: random.choice(OTHERS[name]) for name in names}


@pytest.mark.parametrize("seed", range(6))
def test_a_schedule_or_a_sentence(seed, tmp_path):
    """An error is one of ours, with a sentence; else both engines have one schedule, and all jobs count."""
    random, ran, sentences = Random(seed), 0, []
    for _ in range(60):
        asked = settings(random, tmp_path)
        try:
            found = simulate(JOBS, processors=4, policy="easy", engine="reference", **asked)
        except EchelonError as error:
            sentences.append(str(error))
            continue
        left = sum(one.count for one in found.schedule.instance.dropped)
        assert len(found.schedule.end_time) + left == len(JOBS), asked
        other = simulate(JOBS, processors=4, policy="easy", **asked)
        assert np.array_equal(found.schedule.end_time, other.schedule.end_time, equal_nan=True), asked
        ran += 1
    assert ran > 3
    assert all(len(sentence.split()) > 3 for sentence in sentences)
