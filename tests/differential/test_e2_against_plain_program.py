"""Cases of E2, the multicluster study's comparison of brokers, against a second program.

``plain_multicluster.py`` was written from the specification of the cases alone, by somebody who had not seen
the package; it gets nothing but the mapping that ``e2_export.py`` writes.
"""

from __future__ import annotations

import copy
import importlib.util
import itertools
import sys
from functools import cache
from pathlib import Path

import pytest

from budgets import IN_FULL


def neighbor(name):
    """Load the file of that name beside this one (the tests are no package)."""
    spec = importlib.util.spec_from_file_location(
        f"differential_{name}", Path(__file__).with_name(f"{name}.py")
    )
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their own module up
    spec.loader.exec_module(module)
    return module


plain = neighbor("plain_multicluster")
e2_export = neighbor("e2_export")

BROKERS = ("first-site", "round-robin", "tat", "ptt:w=0.5")
OWNERS = (30, 60, 100)  # percent of the nodes
SPREADS = ("uniform", "grouped")
CASES = [
    (platform, broker, OWNERS[seed % 3], SPREADS[seed // 2 % 2], 20 + seed, decision)
    for seed, (platform, broker, decision) in enumerate(
        itertools.product(("555", "844"), BROKERS, (0.0, 9.0))
    )
]
# In forecasts here two jobs end at one instant: a program that parts them by rounding forecasts otherwise.
AT_ONCE = ("555", "first-site", 60, "grouped", 48, 0.0)
CROWDED = ("555", "tat", 60, "uniform", 31, 0.0)
JOBS = dict.fromkeys((AT_ONCE, CROWDED), 60)
"""How many jobs a case has; all others have `FEWER`."""
FEWER = 60 if IN_FULL else 36


@cache
def exported(case):
    platform, broker, owners, spread, seed, decision = case
    return e2_export.exported(
        platform,
        broker=broker,
        owners=owners,
        spread=spread,
        seed=seed,
        decision=decision,
        jobs=JOBS.get(case, FEWER),
    )


@pytest.mark.parametrize("case", [*CASES, AT_ONCE], ids=lambda case: "-".join(map(str, case)))
def test_every_place_time_and_forecast_is_that_of_the_plain_program(case):
    """Clusters and nodes are the same; all times and forecasts to one part in a thousand million."""
    mapping = exported(case)
    assert len(mapping["result"]) > 2 / 3 * JOBS.get(case, FEWER)
    assert plain.differences(mapping) == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"cpu": "count"},
        {"interference": 0.0},
        {"owners_cost": 1.0},
        {"decision_time": 9.0},
        {"broker": "round-robin"},
        {"broker": "ptt:w=0"},
    ],
    ids=str,
)
def test_the_plain_program_notices_a_wrong_rule(wrong):
    """With one rule of the case changed, the ends of many of its jobs are others: the comparison can fail."""
    mapping = exported(CROWDED)
    changed = {**mapping, "rules": {**mapping["rules"], **wrong}}
    assert changed["rules"] != mapping["rules"]
    assert sum(", end:" in line for line in plain.differences(changed)) > 10


def test_the_plain_program_notices_one_wrong_end():
    """One end among sixty that is off by a millionth is found, and nothing else."""
    wrong = copy.deepcopy(exported(CROWDED))
    wrong["result"][17]["end"] *= 1 + 1e-6
    assert [line.split(":")[0] for line in plain.differences(wrong)] == ["row 17, end"]


# What E2 never reaches (its links never saturate, its memory is never overfull, its nodes are all alike) is
# held to the specification by hand, so that the plain program may also judge cases that reach it.


def a_case(nodes, jobs, owners=(), **rules):
    """One cluster of these nodes, two tasks a node at most, without anything that is not asked for."""
    node = {"power": 1.0, "processors": 1, "memory": 1000.0, "bandwidth": 100.0}
    job = {"submit": 0.0, "tasks": 1, "run_time": 20.0, "factor": 1.0, "compute_share": 0.5}
    job |= {"memory": 10.0, "bandwidth": 0.0, "application": "any"}
    usual = {"cpu": "use", "interference": 0.0, "paging": 0.0, "owners_cost": 1.0, "broker": "tat"}
    usual |= {"decision_time": 0.0, "least_processor": 0.05, "least_link": 0.01}
    cluster = {"nodes": [node | changed for changed in nodes], "mpl": 2, "memory_share": 1.0}
    return {
        "platform": [cluster],
        "jobs": [job | changed for changed in jobs],
        "owners": [
            {"time": 0.0, "cluster": 0, "memory": 0.0, "network": 0.0, "cpu": 0.0} | o for o in owners
        ],
        "rules": usual | rules,
    }


def ends(case):
    return [row["end"] for row in plain.simulated(case)]


def test_the_slowest_node_sets_the_pace():
    """Ten seconds of computing take twenty on nodes of power 1 and 0.5, ten of communicating stay ten."""
    assert ends(a_case([{}, {"power": 0.5}], [{"tasks": 2}])) == pytest.approx([30.0])


def test_a_saturated_link_is_divided_in_proportion():
    """Jobs that ask 80 and 40 of links of 100 communicate 1.2 times as long (algorithm 3.1)."""
    jobs = [{"tasks": 2, "bandwidth": asked} for asked in (80.0, 40.0)]
    case = a_case([{"processors": 2}, {"processors": 2}], jobs)
    assert ends(case) == pytest.approx([22.0, 22.0])


def test_a_processor_is_divided_by_what_tasks_use():
    """Tasks that use 0.2 and 0.9 of one processor: the first is not slowed, the second gets 0.8 meanwhile."""
    case = a_case([{}], [{"compute_share": 0.2}, {"compute_share": 0.9}])
    second = 20.0 + 20.0 * (1 - 20.0 / (20.0 * 0.9 / 0.8))
    assert ends(case) == pytest.approx([20.0, second])


def test_an_owner_can_not_take_more_than_the_least_processor_leaves():
    """An owner who costs twice the half he uses leaves tasks a twentieth, the least that is theirs."""
    case = a_case([{}], [{"compute_share": 1.0}], [{"node": 0, "cpu": 0.5}], owners_cost=2.0)
    assert ends(case) == pytest.approx([400.0])
    assert plain.simulated(case)[0]["forecast_run"] == pytest.approx(40.0)


def test_an_owner_who_comes_later_makes_the_node_page():
    """From 5 s on the memory is overfull by 0.2 and computing 1 + 5 x 0.2 times as long."""
    late = {"time": 5.0, "node": 0, "memory": 0.5}
    case = a_case([{}], [{"compute_share": 1.0, "memory": 700.0}], [late], paging=5.0)
    assert ends(case) == pytest.approx([35.0])
