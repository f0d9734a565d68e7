"""Evidence made so that it says what the thesis printed: its claims must hold on it."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from echelon.reproduce.multicluster.data import TABLES, read_printed
from echelon.reproduce.multicluster.evidence import (
    BROKERS,
    LIMITS,
    LOADS,
    RULES,
    SIX,
    Central,
    Choice,
    Evidence,
    Queueing,
    Spanning,
)

SEEDS = np.linspace(0.999, 1.001, 5)
"""Seeds differ a little, all measures alike."""


def column(value):
    """Return a value as seeds see it."""
    return value * SEEDS


def measures(delivered, turnaround, makespan=900.0, owners=np.nan, missed=0.5):
    """Return all measures of a case of E0, E2 or E3."""
    return np.outer(SEEDS, [delivered, turnaround, makespan, owners, missed, 0.0])


def accuracy_as_printed():
    """Return tables 3.4 to 3.9, and the corrected rows of 3.10."""
    found = {}
    for number, (quantity, load) in TABLES.items():
        table = read_printed(number)
        for name in SIX:
            rows = [table.number(measure, column=name) for measure in ("slope", "Ra", "deviation")]
            if (number, name) == ("3.7", "Hanzich"):
                rows[1] = 0.9986
            found[load, quantity, name] = np.outer(SEEDS, rows)
    for load, name in read_printed("3.10").rows:
        rows = [
            read_printed("3.10").number(load, name, column=f"corrected {measure}")
            for measure in ("slope", "Ra", "deviation")
        ]
        found[load, "wait", f"corrected {name}"] = np.outer(SEEDS, rows)
        found[load, "run", f"corrected {name}"] = found[load, "run", name]
    return found


def selection_as_printed():
    """Return turnarounds, makespans and owners' slowdowns with the gains that the text gives."""
    turnaround = {"TAT": 1.0, "PTT w = 0": 1.1137, "PTT w = 0.5": 0.9482, "PTT w = 1": 0.946}
    owners = {"TAT": 2.6, "PTT w = 0": 2.6 * 0.9787, "PTT w = 0.5": 2.6 * 1.028, "PTT w = 1": 2.6 * 1.0149}
    found = {}
    for platform, spread, share, broker in itertools.product(
        ("555", "844"), ("uniform", "grouped"), (0, 30), BROKERS
    ):
        worse = {"555": 1 / (1 - 0.433), "844": 1 / (1 - 0.299)}[platform]
        # The text has PTT and TAT alike on 555, so that what they differ by comes of 844.
        apart = (turnaround.get(broker, 1.0) - 1) * {"555": 0.5, "844": 1.5}[platform]
        took = 1000 * (1 + apart if broker in turnaround else worse if broker == "RR" else worse * 1.2)
        slow = owners.get(broker, 2.7) if share else np.nan
        found[Choice(platform, spread, share, broker)] = measures(took, took + 5, 2 * took, slow)
    return found


def queueing_as_printed():
    """Return turnarounds that fall and deviations that rise with the limit, and the order of the rules."""
    found = {}
    for rule, limit, moving in itertools.product(RULES, LIMITS, (False, True)):
        place = LIMITS.index(limit)
        bounded = limit != "unlimited"
        again, blocks = rule.endswith(".RS"), not rule.startswith("N")
        took = 1000 * [1, 0.8, 0.6, 0.58, 0.55][place]
        if bounded:
            took *= (0.8 if again else 1) * (1 / 0.87 if blocks else 1)
        deviation = 0.3 + [0, 0.02, 0.04, 0.2, 0.4][place] * (2 if moving else 1)
        deviation -= 0.04 * (again and bounded)
        found[Queueing(rule, limit, 30, moving)] = measures(took - 5, took, missed=deviation)
    return found


def program_as_printed():
    """Return saturation without the constraint alone, and times that rise with it."""
    found = {}
    for variant, bandwidth, owners in itertools.product(("optimal", "non-saturated"), (25, 50, 75), (0, 50)):
        free = variant == "optimal"
        crossing = bandwidth / 30 if free else 1.0
        seconds = 0.1 if free else 0.1 * bandwidth / 20
        found[Spanning(variant, bandwidth, owners)] = np.outer(SEEDS, [crossing, seconds, 1.0])
        if not free:
            found[Spanning(variant, bandwidth, owners)][:, 0] = 1.0
    return found


def scaling_as_printed():
    """Return seconds that grow exponentially, the first feasible answer's least."""
    return {
        (variant, clusters): column(first * 1.3**clusters)
        for variant, first in (("optimal", 2.0), ("non-saturated", 3.0), ("first-feasible", 0.1))
        for clusters in (2, 4, 8, 16, 32)
    }


@pytest.fixture
def as_printed():
    """Return evidence on which all claims hold."""
    real = np.linspace(100, 900, 30)
    seed = np.arange(30) % 5
    return Evidence(
        accuracy=accuracy_as_printed(),
        cost={
            (load, name): column(read_printed("3.11").number(load, column=name))
            for load in LOADS
            for name in SIX
        },
        selection=selection_as_printed(),
        queueing=queueing_as_printed(),
        program=program_as_printed(),
        scaling=scaling_as_printed(),
        spanned=np.column_stack([seed, real * 0.7, real + 20 * np.sin(real)]),
        by_nodes={nodes: column(0.1 * 1.2**nodes) for nodes in (5, 10, 20)},
        central={
            Central(platform, 0, arrangement): measures(took - 5, took)
            for platform in ("555", "844")
            for arrangement, took in (("two levels", 500.0), ("one queue", 600.0))
        },
    )
