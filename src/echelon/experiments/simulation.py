"""simulate: a workload and a policy in, a schedule measured out."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, get_args

from echelon.errors import UnknownNameError, UnsupportedError
from echelon.experiments.folders.own_rules import own_specs
from echelon.experiments.history import open_past, record_run, with_past
from echelon.experiments.inputs import read_jobs
from echelon.experiments.result import Result
from echelon.experiments.scenario import KEYWORDS, RUN, ScenarioMaker, job_changes_in
from echelon.experiments.settings.signature import check_keywords, with_settings
from echelon.metrics import own_metrics
from echelon.model.streams import record_streams

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import Unpack

    from echelon.engine.contract import Progress, Scenario
    from echelon.engine.ledger.observer import Observer
    from echelon.experiments.settings.keywords import RunSettings
    from echelon.metrics import Metric
    from echelon.model import Schedule, Workload

Engine: TypeAlias = Literal["auto", "reference", "compiled"]
"""Which engine runs: `auto` takes the compiled one when it can."""

ENGINES: tuple[str, ...] = get_args(Engine)


@with_settings(KEYWORDS.values())
def simulate(
    workload: Workload | str | Path,
    *,
    observers: Sequence[Observer] = (),
    progress: Progress | None = None,
    **settings: Unpack[RunSettings],
) -> Result:
    """Run one simulation: on one machine, its nodes and cores, a grid, a multicluster, or without queues.

    A setting that is left out, or None, has its default.

    Parameters
    ----------
    workload : Workload, str or Path
        Jobs, or what `echelon.read_workload` takes.
    **settings : RunSettings
        Those of `echelon.experiments.settings`, each by its name.
    observers : sequence of Observer, default empty
        Notified of every event; they need the reference engine.
    progress : callable, optional
        Called now and then with (jobs ended, jobs in all).

    Returns
    -------
    Result
        Its ``jobs`` and ``metrics`` are computed when first asked for.

    Raises
    ------
    InputError
        If the input is wrong, the machine's size is unknown, or no job is left; if a platform is given with
        `processors`, or a setting that the run would not use.
    UnknownNameError
        If a name is unknown.
    PolicyError, DeadlockError
        If the policy or the estimator breaks a rule.
    UnsupportedError
        If ``engine="compiled"`` cannot run this.
    TypeError
        If there is no setting of this name.

    Examples
    --------
    >>> import echelon as ec
    >>> three = ec.Workload.from_columns(
    ...     submit_time=[0, 1, 2],
    ...     run_time=[100, 100, 50],
    ...     requested_time=[100, 100, 50],
    ...     processors=[3, 4, 1],
    ... )
    >>> ec.simulate(three, processors=4, policy="easy").jobs["start_time"].to_list()
    [0.0, 100.0, 2.0]
    """
    jobs, options = read_jobs(workload, check_keywords("simulate", settings, KEYWORDS))
    own = own_metrics(RUN["metrics"].value(options.get("metrics")))
    scenario = ScenarioMaker(jobs).scenario(options, observers=observers)
    with open_past(options.get("history")) as past:
        asked = with_past(scenario, past)
        engine = RUN["engine"].value(options.get("engine"))
        result = run_scenario(asked, engine=engine, metrics=own, progress=progress)
        return record_run(
            past, replace(result, specs=own_specs(options), job_changes=job_changes_in(options))
        )


def run_scenario(
    scenario: Scenario,
    *,
    engine: str = "auto",
    metrics: tuple[Metric, ...] = (),
    progress: Progress | None = None,
) -> Result:
    """Run `scenario` in the engine named; see `simulate`."""
    if engine not in ENGINES:
        raise UnknownNameError("engine", engine, ENGINES)
    with record_streams() as streams:
        scenario, ran = _until_the_end(scenario, engine, progress)
    return Result(
        scenario,
        ran.schedule,
        ran.engine,
        ran.seconds,
        metrics,
        projections=ran.projections,
        random_streams=tuple(sorted({*streams, *getattr(scenario.changes, "streams", ())})),
    )


class _Ran(NamedTuple):
    """What an engine gave: see `Result`."""

    schedule: Schedule
    engine: str
    seconds: float
    projections: str = ""


def _until_the_end(scenario: Scenario, engine: str, progress: Progress | None) -> tuple[Scenario, _Ran]:
    """Return what an engine gave, of the scenario whose failures and repeats last as long as the run.

    A run that lasts longer than the horizon of its failures is made again with twice the horizon. Observers
    see the last of these runs alone.
    """
    if not scenario.has_changes:
        return scenario, _once(scenario, engine, progress)
    from echelon.experiments.changes.planned_changes import extend_horizon, planned_changes_of

    if scenario.observers and planned_changes_of(scenario).are_endless:
        settled, _ = _until_the_end(replace(scenario, observers=()), engine, progress)
        scenario = replace(settled, observers=scenario.observers)
    ran = _once(scenario, engine, progress)
    while (longer := extend_horizon(scenario, ran.schedule)) is not None:
        scenario = longer
        ran = _once(scenario, engine, progress)
    return scenario, ran


def _once(scenario: Scenario, engine: str, progress: Progress | None) -> _Ran:
    if scenario.multicluster is not None and engine != "compiled":
        schedule, projections, seconds = _on_multicluster(scenario, engine, progress)
        return _Ran(schedule, "reference", seconds, projections)
    return _Ran(*_in_engine(scenario, engine, progress))


def _on_multicluster(
    scenario: Scenario, engine: str, progress: Progress | None
) -> tuple[Schedule, str, float]:
    """Return the schedule, the engine that projected queues, and the seconds the run took."""
    if engine != "reference":
        from echelon.engine.compiled.multicluster.simulate import simulate as with_kernels
        from echelon.engine.compiled.shapes import load_for, why_no_library

        if why_no_library(scenario) is None:
            load_for(scenario)
            began = perf_counter()
            return with_kernels(scenario, progress), "compiled", perf_counter() - began
    from echelon.engine import reference

    began = perf_counter()
    return reference.simulate(scenario, progress), "reference", perf_counter() - began


def _in_engine(scenario: Scenario, engine: str, progress: Progress | None) -> tuple[Schedule, str, float]:
    """Return the schedule, the engine that made it, and the seconds that took, its kernels being there."""
    if engine != "reference":
        from echelon.engine import compiled
        from echelon.engine.compiled.shapes import load_for

        supported = compiled.supports(scenario) is None
        if supported:
            load_for(scenario)
        if supported or engine == "compiled":
            began = perf_counter()
            try:
                return compiled.simulate(scenario, progress), "compiled", perf_counter() - began
            except UnsupportedError:
                if engine == "compiled":
                    raise
    from echelon.engine import reference

    began = perf_counter()
    return reference.simulate(scenario, progress), "reference", perf_counter() - began
