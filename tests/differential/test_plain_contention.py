"""The plain second simulator of contention agrees with the cases worked by hand."""

from __future__ import annotations

import copy
import importlib.util
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from types import ModuleType

HERE = Path(__file__).parent
CASES = json.loads((HERE.parent / "golden" / "contention_cases.json").read_text(encoding="utf-8"))["cases"]


def load(path: Path) -> ModuleType:
    """Return the module in a file, whatever folder the tests run from."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


plain = load(HERE / "plain_contention.py")
random_contention = load(HERE / "random_contention.py")
derivations = load(HERE.parent / "golden" / "derive_contention_cases.py")


def agree(found: dict[str, Any], expected: dict[str, Any]) -> None:
    """Compare ends of tasks and jobs, makespan, energy and first factors to 1e-11."""
    for key in ("jobs", "makespan", "energy"):
        assert found[key] == pytest.approx(expected[key], rel=1e-11), key
    for key in ("tasks", "speed_at_start"):
        for job, values in expected[key].items():
            assert found[key][job] == pytest.approx(values, rel=1e-11), (key, job)


def test_the_table_is_what_the_derivations_give() -> None:
    """The table of cases holds what the exact derivations give today."""
    assert json.loads(derivations.table())["cases"] == CASES


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_the_plain_simulator_gives_the_figures_worked_by_hand(case: dict[str, Any]) -> None:
    """Ends, factors and energy equal the exact derivation, with S rounded to nine decimals and without."""
    agree(plain.from_case(case).run(), case["expected"])
    agree(plain.from_case(case, rounding=None).run(), case["expected_unrounded"])


@pytest.mark.parametrize(
    "case", [c for c in CASES if "finished" in c.get("other_reading", {})], ids=lambda c: c["name"]
)
def test_a_silent_finished_partner_gives_the_other_published_reading(case: dict[str, Any]) -> None:
    """Where a finished task stops communicating, its partner's link is free from that moment."""
    found = plain.from_case(case, finished="silent").run()
    for job, values in case["other_reading"]["tasks"].items():
        assert found["tasks"][job] == pytest.approx(values, rel=1e-11)


def test_a_misplaced_parenthesis_would_not_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """With da - n*db in the place of (da - n)*db many memory-v1 cases come out otherwise."""

    def misread(q: float, n: int, k: dict[str, float]) -> float:
        u = (q - (k["da"] - n * k["db"])) / (k["dc"] - n * k["dd"])
        return float(plain.sstep(u) * 0.6 * n / (1 + 0.6 * n) + 1 / (1 + 0.6 * n))

    monkeypatch.setattr(plain, "demand_floor", misread)
    caught = set()
    for case in CASES:
        if case.get("memory") == "memory-v1":
            found = plain.from_case(case).run()["jobs"]
            if found != pytest.approx(case["expected"]["jobs"], rel=1e-9):
                caught.add(case["name"])
    assert {"v1-n1-cap", "v1-n2-cap", "v1-n3-cap-12200", "v1-n3-cap-20000", "both-v1-fixed"} <= caught


COMBINATIONS = [
    (memory, network) for memory in random_contention.REQUESTS for network in random_contention.NETWORKS
]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("memory", "network"), COMBINATIONS)
def test_a_slower_clock_of_the_world_stretches_every_end(
    seed: int, memory: str, network: dict[str, Any] | None
) -> None:
    """Twice the operations, volumes and arrival times double every end and the energy."""
    case = random_contention.random_case(seed, memory, network)
    double = copy.deepcopy(case)
    for job in double["jobs"]:
        job["submit"] *= 2
        job["comm_vol"] *= 2 if network and network["time"] == "task" else 1
        for task in job["tasks"]:
            task["req_ops"], task["mem_vol"] = 2 * task["req_ops"], 2 * task["mem_vol"]
    once, twice = plain.from_case(case).run(), plain.from_case(double).run()
    assert twice["energy"] == pytest.approx(2 * once["energy"], rel=1e-9)
    for name, ends in once["tasks"].items():
        assert twice["tasks"][name] == pytest.approx([2 * end for end in ends], rel=1e-9)


def test_random_cases_are_contended() -> None:
    """Nearly all random cases slow some task to between 0.2 and 0.98, so they can tell models apart."""
    middling = 0
    for seed in range(20):
        found = plain.from_case(
            random_contention.random_case(seed, "memory-v1", random_contention.NETWORKS[2])
        ).run()
        factors = [factor for values in found["speed_at_start"].values() for factor in values]
        middling += any(0.2 < factor < 0.98 for factor in factors)
    assert middling >= 18
