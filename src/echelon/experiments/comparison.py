"""compare: one workload under several policies, side by side."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from echelon.engine.contract import Scenario
from echelon.errors import InputError
from echelon.experiments.notebook import comparison_table
from echelon.experiments.simulation import machine_size, planned_by, run_scenario
from echelon.metrics import own_metrics
from echelon.model import Instance, Workload
from echelon.policies import estimator as as_estimator
from echelon.policies import policy as as_policy
from echelon.workloads import read_workload

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import polars as pl

    from echelon.engine.contract import Progress
    from echelon.experiments.result import Result
    from echelon.metrics import Metric
    from echelon.policies import Estimator, Order, Policy, Scheduler


@dataclass(frozen=True, slots=True)
class Comparison:
    """Results of one workload on one machine, one a policy, in the order asked for.

    Parameters
    ----------
    results : tuple of Result
        At least one.
    """

    results: tuple[Result, ...]

    def _repr_html_(self) -> str:
        """Return the policies side by side as a table, which a notebook shows."""
        return comparison_table(self.results)

    def to_frame(self) -> pl.DataFrame:
        """Return one row a policy: its words, every metric of `echelon.metrics.METRICS`, one's own."""
        # A heavy library that only tables need.
        import polars as pl

        return pl.DataFrame([{"policy": result.policy, **result.metrics} for result in self.results])


def compare(
    workload: Workload | str | Path,
    *,
    policies: Sequence[str | Order | Scheduler | Policy],
    processors: int | None = None,
    estimates: str = "raise",
    estimator: str | Estimator = "request",
    passes: str = "instant",
    engine: str = "auto",
    seed: int = 0,
    strict: bool = False,
    metrics: Sequence[str | Metric] = (),
    progress: Callable[[str], Progress | None] | None = None,
) -> Comparison:
    """Run one workload under several policies; everything but the policy as in `echelon.simulate`.

    Parameters
    ----------
    policies : sequence
        At least one, all different; each as in `echelon.simulate`.
    progress : callable, optional
        Called with a policy's words before it runs; returns the progress callable of that run, or None.

    Raises
    ------
    InputError
        If no policy is given or one is given twice.
    """
    if isinstance(workload, str | Path):
        workload = read_workload(workload)
    own = own_metrics(metrics)
    chosen = [as_policy(given) for given in policies]
    names = [policy.name for policy in chosen]
    if not names:
        raise InputError("needs at least one policy, got none", field="policies")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"must all be different, got {twice!r} twice", field="policies")
    size = machine_size(workload, processors)
    guess = as_estimator(estimator)
    instance = planned_by(guess, Instance.of(workload, size, estimates=estimates, strict=strict))
    results = []
    for policy in chosen:
        scenario = Scenario(instance, policy, passes=passes, seed=seed, estimator=guess)
        step = progress and progress(policy.name)
        results.append(run_scenario(scenario, engine=engine, metrics=own, progress=step))
    return Comparison(tuple(results))
