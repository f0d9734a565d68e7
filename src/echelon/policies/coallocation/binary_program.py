"""The binary program: the best nodes, the best that saturate no link, or the first of those."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal

from echelon.errors import InputError, UnknownNameError
from echelon.extras import HIGHSPY, Extra
from echelon.policies.coallocation.rule import Found, SpanningRule

if TYPE_CHECKING:
    from echelon.policies.coallocation.feasible_form import FeasibleForm
    from echelon.policies.coallocation.full_form import FullForm
    from echelon.policies.coallocation.loads import Loads
    from echelon.policies.coallocation.reduced_form import ReducedForm


_STEP = 0.02
"""How far above the optimum the answer may be that bounds the reduced form, as a share."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Programmed(SpanningRule):
    """The base of the rules by binary program.

    Parameters
    ----------
    seconds : float, default 10
        Time limit of the solver, in seconds of the wall clock, > 0. When it is over, the best answer so far
        is taken, with the gap that is proved of it. Without a solution by then, or if the figures differ too
        much for the solver, `heuristic` is used; it finds a solution whenever one exists.
    form : {"reduced", "full"}, default "reduced"
        The program solved: with thresholds and numbers of tasks, or with a variable for each node as the
        model is written. Both have the same optimum.

    Raises
    ------
    InputError
        If `seconds` is not above 0.
    UnknownNameError
        If `form` is unknown.
    """

    seconds: float = field(default=10.0, metadata={"unit": "s"})
    form: Literal["reduced", "full"] = "reduced"

    optimizes: ClassVar[bool] = True
    extra: ClassVar[Extra | None] = HIGHSPY

    def __post_init__(self) -> None:
        SpanningRule.__post_init__(self)
        if not self.seconds > 0:
            raise InputError(f"must be above 0 s, got {self.seconds!r}", field=f"{self.name}, seconds")
        if self.form not in ("reduced", "full"):
            raise UnknownNameError(f"form of {self.name}", str(self.form), ("reduced", "full"))

    def find(self, loads: Loads) -> Found | None:
        """Return what the solver finds, or the heuristic if the solver's time is over before it finds any."""
        from echelon.policies.coallocation.full_form import scale
        from echelon.policies.coallocation.heuristic import approximate
        from echelon.policies.coallocation.program import solve

        form = self._write_program(loads)
        answer = solve(form.program, self.seconds)
        bound = loads.least_time
        if self.optimizes and answer.bound > 0:
            bound = max(bound, answer.bound / scale(loads))
        if answer.values is not None:
            return Found(form.counts(answer.values), bound, answer.over, self.name)
        return None if answer.over else approximate(loads, _STEP)

    def _write_program(self, loads: Loads) -> FullForm | ReducedForm | FeasibleForm:
        """Return the program in the requested form."""
        from echelon.policies.coallocation.feasible_form import FeasibleForm
        from echelon.policies.coallocation.full_form import FullForm
        from echelon.policies.coallocation.heuristic import approximate
        from echelon.policies.coallocation.reduced_form import ReducedForm

        longest = self.longest(loads.problem)
        if self.form == "full":
            return FullForm(loads, optimal=self.optimizes, longest=longest)
        if not self.optimizes and math.isinf(longest):
            return FeasibleForm(loads)
        answer = approximate(loads, _STEP) if self.optimizes else None
        incumbent = math.inf if answer is None else loads.time(answer.counts)
        return ReducedForm(loads, optimal=self.optimizes, longest=longest, incumbent=incumbent)


@dataclass(frozen=True, slots=True, kw_only=True)
class Optimal(Programmed):
    """The nodes with the least T^e = T^p SP + T^c SC, by binary program; links may saturate.

    Notes
    -----
    **Ties**: the solver's, the same in each run; in a cluster the most powerful nodes, of equals the first.
    **Cost**: exponential at worst, as of any program with binaries; measured in
    `docs/explanation/co-allocation.md`. **Source**: Lérida Monsó, UAB 2009, section 4.6, "Optimal".
    """

    name: ClassVar[str] = "optimal"
    source: ClassVar[str] = "Lérida Monsó, UAB 2009, section 4.6"


@dataclass(frozen=True, slots=True, kw_only=True)
class NonSaturated(Programmed):
    """The nodes with the least T^e among those with SC <= 1, by binary program: no link saturates.

    Notes
    -----
    **Ties**, **Cost**: as of `optimal`. **Source**: Lérida Monsó, UAB 2009, section 4.6, "Non-saturated".
    """

    name: ClassVar[str] = "non-saturated"
    source: ClassVar[str] = "Lérida Monsó, UAB 2009, section 4.6"

    @property
    def limit(self) -> float:
        """Largest SC allowed."""
        return 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstFeasible(NonSaturated):
    """The first nodes found with SC <= 1, regardless of T^e: for large systems and short jobs.

    Notes
    -----
    **Ties**, **Cost**: as of `optimal`. **Source**: Lérida Monsó, UAB 2009, section 4.6, "Non-Optimal".
    """

    name: ClassVar[str] = "first-feasible"
    source: ClassVar[str] = "Lérida Monsó, UAB 2009, section 4.6"
    optimizes: ClassVar[bool] = False
