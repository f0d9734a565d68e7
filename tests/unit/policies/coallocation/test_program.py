"""Programs, row by row, as HiGHS solves them."""

from __future__ import annotations

import math

import pytest

from echelon.policies.coallocation.program import Program, solve


@pytest.fixture(autouse=True)
def solver():
    pytest.importorskip("highspy", reason="highspy solves the programs")


def knapsack(room):
    """Return a program that takes the most value, of 5, 4 and 3, with weights 4, 3 and 2, into `room`."""
    program = Program()
    taken = [program.binary(-float(value)) for value in (5, 4, 3)]
    program.row(zip(taken, (4.0, 3.0, 2.0), strict=True), most=room)
    return program


def test_the_best_is_found_and_proved():
    """The two lighter things are worth more than the heavy one alone."""
    answer = solve(knapsack(5.0), 10.0)
    assert answer.values == pytest.approx([0, 1, 1])
    assert answer.bound == pytest.approx(-7)
    assert answer.over


def test_what_has_no_answer():
    """Rows that exclude each other, also in a program without a variable, have none: that is proved."""
    program = knapsack(5.0)
    program.row([(0, 1.0), (1, 1.0)], least=2.0)
    for impossible in (program, Program(row_lower=[1.0], row_upper=[1.0], start=[0, 0])):
        answer = solve(impossible, 10.0)
        assert answer.values is None
        assert (answer.bound, answer.over) == (math.inf, True)
    assert solve(Program(), 10.0).over


def test_kinds_of_variables():
    """A number may be broken, a whole number not, and a binary that is not allowed is 0."""
    program = Program()
    broken, whole, never = program.number(-1.0), program.whole_number(9), program.binary(-9.0, allowed=False)
    program.cost[whole] = -1.0
    program.row([(broken, 2.0)], most=5.0)
    program.row([(whole, 2.0)], most=5.0)
    assert solve(program, 10.0).values[[broken, whole, never]] == pytest.approx([2.5, 2, 0])


def test_figures_that_are_too_far_apart():
    """HiGHS refuses a coefficient of 1e16; then nothing is known, nothing is claimed."""
    program = knapsack(5.0)
    program.row([(0, 1e16)], most=1e17)
    answer = solve(program, 10.0)
    assert answer.values is None
    assert (answer.bound, answer.over) == (-math.inf, False)
