"""The benchmark of co-allocation: its tables, on problems of a size that takes no time."""

from __future__ import annotations

import pytest


@pytest.fixture
def benchmark(script):
    pytest.importorskip("highspy", reason="highspy solves the programs")
    return script("co_allocation")


def test_a_curve_has_a_row_a_size(benchmark):
    """One row a size and one column a rule, each with its figures."""
    lines = benchmark.curve([benchmark.Optimal(), benchmark.Threshold()], [(2, 2), (2, 3)], 1).splitlines()
    assert lines[0] == "| clusters x nodes | `optimal` | `threshold` |"
    assert [line.split(" | ")[0] for line in lines[2:4]] == ["| 2 x 2", "| 2 x 3"]
    assert all(line.count(" ms") + line.count(" s ") >= 2 for line in lines[2:4])


def test_a_rule_that_is_too_slow_is_left_out(benchmark, monkeypatch):
    """After a row in which its time was over it is not asked again."""
    rule = benchmark.Optimal(seconds=3.0)
    real = benchmark.timed

    def late(rule, problems):
        return [one._replace(span=one.span._replace(proved=False)) for one in real(rule, problems)]

    monkeypatch.setattr(benchmark, "timed", late)
    lines = benchmark.curve([rule], [(2, 2), (2, 3)], 1).splitlines()
    assert lines[2:4] == ["| 2 x 2 | > 3 s |", "| 2 x 3 | – |"]


@pytest.mark.slow
def test_gaps_and_needs(benchmark):
    """No gap is above its step, none is missed; without constraint 4.19 every problem has an answer."""
    for line in benchmark.gaps(5).splitlines()[2:]:
        step, _, _, _, worst, _, missed, _ = (cell.strip() for cell in line.strip("|").split("|"))
        assert float(worst.rstrip("%")) <= 100 * float(step)
        assert missed == "0"
    assert all("1 of 1" in line for line in benchmark.needs((2, 4), 4, 1).splitlines()[2:])
