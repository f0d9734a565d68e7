"""The plain second simulator of contention agrees with the cases worked by hand."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

HERE = Path(__file__).parent
CASES = json.loads((HERE.parent / "golden" / "contention_cases.json").read_text(encoding="utf-8"))["cases"]


def load(path: Path) -> ModuleType:
    """Return the module in a file, whatever folder the tests run from."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


plain = load(HERE / "plain_contention.py")


def agree(found: dict[str, Any], expected: dict[str, Any]) -> None:
    """Compare ends of tasks and jobs, makespan, energy and first factors to 1e-11."""
    for key in ("jobs", "makespan", "energy"):
        assert found[key] == pytest.approx(expected[key], rel=1e-11), key
    for key in ("tasks", "speed_at_start"):
        for job, values in expected[key].items():
            assert found[key][job] == pytest.approx(values, rel=1e-11), (key, job)


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
    """With da - n*db in the place of (da - n)*db most memory-v1 cases come out otherwise: the cases have teeth."""

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
