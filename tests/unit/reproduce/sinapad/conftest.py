"""Evidence made so that it says what the study's results say: the claims about them must hold on it."""

from __future__ import annotations

import numpy as np
import pytest

from echelon.reproduce.sinapad.evidence import Case, DecisionCost, Evidence, Extended, Paced
from echelon.reproduce.sinapad.experiments import PACES, STUDIED_JOBS, TESTED, TESTED_POLICIES
from echelon.reproduce.sinapad.setups import (
    INTERLEAVED,
    MEASURES,
    MODES,
    POLICIES,
    REPLICATED,
    SCENARIOS,
    SIMULTANEOUS,
)

SEEDS = np.linspace(0.999, 1.001, 5)
"""Seeds differ a little, all measures alike."""

DEGREE = {"none": 0, "low": 1, "high": 2}

TOLD = {
    SIMULTANEOUS: {"WallTime": 100, "LotteryWithLoad": 110, "Lottery": 130, "Random": 140, "CPULoad": 300},
    INTERLEAVED: {"WallTime": 60, "CPULoad": 62, "LotteryWithLoad": 70, "Lottery": 80, "Random": 90},
}
"""Execution times that have the orders told; those of machines that differ are further apart."""


def _row(mean: float, deviation: float) -> np.ndarray:
    row = np.zeros(len(MEASURES))
    row[:4] = mean, deviation, mean, 10 * mean
    return np.outer(SEEDS, row)


def _execution(case: Case) -> float:
    told, degree = TOLD[case.mode], DEGREE[SCENARIOS[case.scenario]]
    best, mean = told["WallTime"], float(told[case.policy])
    if case.policy == "Lottery" and not degree:
        mean = told["Random"] * 0.99
    if case.policy == "LotteryWithLoad" and case.mode == INTERLEAVED and case.scenario in ("RAU", "RAB"):
        mean = told["CPULoad"] + 1.0
    return mean if case.policy == "WallTime" else best + (mean - best) * (1 + degree / 2)


@pytest.fixture(scope="session")
def as_told() -> Evidence:
    """Evidence by which every claim holds but those that contradict others."""
    study = {}
    for case in (Case(*key) for key in ((s, m, p) for m in MODES for s in SCENARIOS for p in POLICIES)):
        mean = _execution(case)
        study[case] = _row(mean, mean / (10 if case.policy == "WallTime" else 3))
    paced = {
        Paced(scenario, policy, pace, mode): _row(300 - (20 * pace if mode == SIMULTANEOUS else 0), 50)
        for mode in MODES
        for scenario in TESTED
        for policy in TESTED_POLICIES
        for pace in PACES
    }
    ours = {"Random": 1.0, "CPULoad": 1.05, "Lottery": 8.0, "LotteryWithLoad": 30.0, "WallTime": 25.0}
    cost = {name: DecisionCost(value * SEEDS, 10 * value * SEEDS) for name, value in ours.items()}
    replicated = _row(100, 10)
    replicated[:, REPLICATED] = 0.2 * SEEDS
    extended = {Extended(STUDIED_JOBS, "RAU", INTERLEAVED, "WQR"): replicated}
    return Evidence(study, paced, orders={}, readings={}, extended=extended, cost=cost)
