"""A mixed-integer linear program, written row by row and solved with HiGHS."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from echelon.extras import HIGHSPY

if TYPE_CHECKING:
    from collections.abc import Iterable

    from echelon.model.jobs.columns import FloatColumn


@dataclass(slots=True)
class Program:
    """Minimize cost x, with bounds on each x and on each row of a matrix times x; grows while it is built."""

    cost: list[float] = field(default_factory=list)
    lower: list[float] = field(default_factory=list)
    upper: list[float] = field(default_factory=list)
    whole: list[bool] = field(default_factory=list)
    row_lower: list[float] = field(default_factory=list)
    row_upper: list[float] = field(default_factory=list)
    start: list[int] = field(default_factory=lambda: [0])
    index: list[int] = field(default_factory=list)
    value: list[float] = field(default_factory=list)

    def number(self, cost: float = 0.0, lower: float = 0.0, upper: float = math.inf) -> int:
        """Add a variable; return its place."""
        self.cost.append(cost)
        self.lower.append(lower)
        self.upper.append(upper)
        self.whole.append(False)
        return len(self.cost) - 1

    def binary(self, cost: float = 0.0, *, allowed: bool = True) -> int:
        """Add a variable that is 0 or 1, or 0 if not `allowed`; return its place."""
        place = self.number(cost, 0.0, 1.0 if allowed else 0.0)
        self.whole[place] = True
        return place

    def whole_number(self, most: int) -> int:
        """Add a variable that is a whole number from 0 to `most`; return its place."""
        place = self.number(0.0, 0.0, float(most))
        self.whole[place] = True
        return place

    def row(
        self, terms: Iterable[tuple[int, float]], *, least: float = -math.inf, most: float = math.inf
    ) -> None:
        """Demand that the sum of the (variable, coefficient) `terms` is from `least` to `most`."""
        for place, coefficient in terms:
            self.index.append(place)
            self.value.append(coefficient)
        self.start.append(len(self.index))
        self.row_lower.append(least)
        self.row_upper.append(most)


class Solved(NamedTuple):
    """The result of the solver.

    Attributes
    ----------
    values : FloatColumn or None, shape (n_variables,)
        The best answer so far; None if there is none.
    bound : float
        Lower bound of the cost.
    over : bool
        Whether the result is final: the solution is optimal, or none exists. Not if its time was over or it
        could not cope with the figures.
    """

    values: FloatColumn | None
    bound: float
    over: bool


def solve(program: Program, seconds: float) -> Solved:
    """Solve a program within a time limit in seconds, on one thread.

    Raises
    ------
    MissingExtraError
        If highspy is not installed; the message names the package to install.
    """
    highspy = HIGHSPY.load()
    if not program.cost:
        # HiGHS reports it as empty, regardless of its rows.
        fits = all(low <= 0 <= high for low, high in zip(program.row_lower, program.row_upper, strict=True))
        return Solved(np.zeros(0) if fits else None, 0.0 if fits else math.inf, over=True)
    solver = highspy.Highs()
    for option, value in _OPTIONS.items():
        solver.setOptionValue(option, value)
    solver.setOptionValue("time_limit", float(seconds))
    solver.passModel(_model(highspy, program))
    solver.run()
    status, info = solver.getModelStatus(), solver.getInfo()
    kinds = highspy.HighsModelStatus
    if status == kinds.kInfeasible:
        return Solved(None, math.inf, over=True)
    if status not in (kinds.kOptimal, kinds.kTimeLimit):
        # It refuses figures too far apart for its arithmetic.
        return Solved(None, -math.inf, over=False)
    feasible = info.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible
    values = np.array(solver.getSolution().col_value) if feasible else None
    return Solved(values, float(info.mip_dual_bound), over=status == kinds.kOptimal)


_OPTIONS: dict[str, bool | int | float | str] = {
    "output_flag": False,
    "threads": 1,
    "parallel": "off",
    "random_seed": 0,
    # To the optimum, not to the 0.01 % above it at which HiGHS stops by default.
    "mip_rel_gap": 0.0,
    "mip_abs_gap": 1e-9,
    "mip_feasibility_tolerance": 1e-9,
    "primal_feasibility_tolerance": 1e-9,
}


def _model(highspy: Any, program: Program) -> Any:  # noqa: ANN401  (a library without types)
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(program.cost), len(program.row_lower)
    model.col_cost_ = np.array(program.cost, dtype=np.float64)
    model.col_lower_ = np.array(program.lower, dtype=np.float64)
    model.col_upper_ = np.array(program.upper, dtype=np.float64)
    model.row_lower_ = np.array(program.row_lower, dtype=np.float64)
    model.row_upper_ = np.array(program.row_upper, dtype=np.float64)
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = np.array(program.start, dtype=np.int32)
    model.a_matrix_.index_ = np.array(program.index, dtype=np.int32)
    model.a_matrix_.value_ = np.array(program.value, dtype=np.float64)
    kinds = highspy.HighsVarType
    model.integrality_ = [kinds.kInteger if whole else kinds.kContinuous for whole in program.whole]
    return model
