"""Daly's study: what is simulated, claims that fail where they are wrong, and the whole on a small scale."""

from __future__ import annotations

import json
import math
from itertools import accumulate, takewhile

import numpy as np
import pytest

import echelon as ec
from echelon.availability import CheckpointRule, daly_time, young_interval
from echelon.errors import InputError
from echelon.model.machines.outages import OutageKind, Outages
from echelon.reproduce import STUDIES
from echelon.reproduce.daly import setups
from echelon.reproduce.daly.claims import CLAIMS, _check_prediction, excess_of
from echelon.reproduce.daly.setups import (
    CASES,
    DUMP,
    MACHINES,
    RESTART,
    WORK,
    Machine,
    Setup,
    checkpoint,
    run_job,
)
from echelon.reproduce.daly.study import PUBLISHED
from echelon.reproduce.machinery.experiments import SeedSettings

SEEDS = 2


@pytest.fixture(scope="module")
def found():
    """Return what two jobs of each case take."""
    return {case: np.array([run_job(setup, seed) for seed in range(SEEDS)]) for case, setup in CASES.items()}


@pytest.fixture
def as_modeled():
    """Return jobs that take what the model says, but for a hundredth of a percent up and down."""
    swing = np.array([[1.0001], [0.9999], [1.0]])
    return {case: swing * daly_time(WORK, checkpoint(setup), setup.mtbf) for case, setup in CASES.items()}


def verdicts(evidence):
    """Return the verdict on each claim by name."""
    return {claim.name: claim.verdict for claim in CLAIMS.judge(evidence)}


def test_without_failures_a_job_takes_its_length():
    """On a machine that never fails it works and writes checkpoints, none at its end."""
    setup = Setup(math.inf, WORK / 4)
    assert run_job(setup, 0) == [WORK + 3 * 300]


def test_one_failure(monkeypatch):
    """A job that fails once goes on from its last checkpoint after a restart."""
    monkeypatch.setattr(setups, "_gaps", lambda _: iter([0.35, 100.0]))
    (seconds,) = run_job(Setup(WORK, WORK / 10), 0)
    # Three tenths are saved by then; of the other seven six are followed by a checkpoint.
    assert seconds == pytest.approx(0.35 * WORK + RESTART + 0.7 * WORK + 6 * DUMP)


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.figure)
def test_the_engine_takes_as_long(machine):
    """A run of the job on a node with these failures ends when it does here."""
    setup = Setup(machine.mtbf, machine.interval)
    seconds = run_job(setup, 3)[0]
    moments = takewhile(lambda now: now < seconds, accumulate(setup.mtbf * gap for gap in setups._gaps(3)))
    outages = Outages.of((now, now, (0,), OutageKind.FAIL, -math.inf, 0) for now in moments)
    job = ec.Workload.from_columns(submit_time=[0], run_time=[WORK], processors=[1])
    rule = CheckpointRule(setup.interval, cost=DUMP, restart=RESTART)
    run = ec.simulate(job, processors=1, outages=outages, checkpoint=rule)
    assert run.schedule.end_time[0] == pytest.approx(seconds, rel=1e-9)
    assert len(run.schedule.attempts) == len(outages) + 1


def test_failures_of_a_seed_are_the_same():
    """Machines and intervals with the same seed meet the same failures, other seeds others."""
    rare = [run_job(Setup(WORK, WORK), seed)[0] for seed in range(4)]
    assert rare == [run_job(Setup(WORK, WORK), seed)[0] for seed in range(4)]
    assert len(set(rare)) > 1


def test_all_claims_hold_of_the_model(as_modeled):
    """Jobs that take as long as the model says bear out all claims."""
    assert set(verdicts(as_modeled).values()) == {"holds"}


def test_claims_fail_where_they_are_wrong(as_modeled):
    """Jobs that take a tenth longer are not those of the model; if all take as long, no interval is best."""
    longer = verdicts({case: 1.1 * table for case, table in as_modeled.items()})
    assert (longer["C4"], longer["C5"]) == ("does not hold", "holds")
    alike = verdicts({case: np.full((3, 1), WORK * 1.2) for case in as_modeled})
    assert alike["C5"] == "does not hold"


def test_a_caption_with_another_interval_fails():
    """A caption is compared at its digits: 116.69 min are 117, not 116 and not 116.6."""
    for printed, holds in (("117", True), ("116", False), ("116.7", True), ("116.6", False)):
        assert _check_prediction(Machine("figure", MACHINES[0].mtbf, printed)).supported is holds


def test_what_an_interval_loses():
    """Young's interval loses what the ratio of two times says; the exact one nothing."""
    assert excess_of(young_interval, 1 / 72) == pytest.approx(0.0250, abs=1e-4)
    assert excess_of(lambda cost, mtbf: 1000.0, 0.1) == math.inf


@pytest.mark.slow
def test_the_whole(found):
    """Claims, tables and pictures are there and go into JSON, and no number of captions is counted."""
    whole = PUBLISHED.reproduction(found, SeedSettings(SEEDS), 1.0)
    assert len(whole.claims) == 7
    said = json.loads(json.dumps(whole.to_dict(), allow_nan=False))
    assert [len(listing["rows"]) for listing in said["listings"]] == [6, 5, 15]
    assert len(whole.pictures) == 3
    assert not whole.counted
    assert STUDIES["daly"].settings == ("seeds", "quick")


def test_settings():
    """At least two jobs are needed for an interval; quick has five."""
    assert PUBLISHED.settings(quick=True) == SeedSettings(5, quick=True)
    with pytest.raises(InputError, match="seeds: must be a whole number from 2"):
        PUBLISHED.settings(seeds=1)
