"""compare: workloads under several settings, in every combination, side by side."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from echelon.errors import InputError
from echelon.experiments.comparison_axes import axes_of
from echelon.experiments.folders.own_rules import own_specs
from echelon.experiments.history import open_past, record_run, with_past
from echelon.experiments.inputs import Inputs
from echelon.experiments.scenario import KEYWORDS, RUN, ScenarioMaker, job_changes_in
from echelon.experiments.settings.setting import CHANGING
from echelon.experiments.settings.signature import with_settings
from echelon.experiments.simulation import run_scenario
from echelon.experiments.summaries.job_sets import number_runs, set_sentences
from echelon.experiments.systems.grid import has_local_policy, label_of_scenario, list_brokers
from echelon.experiments.systems.multicluster import multicluster_settings
from echelon.experiments.systems.nodes import node_settings
from echelon.experiments.systems.refusals import UNUSED_ALONE, incompatibility, refuse_unasked, refuse_unused
from echelon.metrics import own_metrics
from echelon.policies import Decentralized, Dispatcher

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path
    from typing import Unpack

    import polars as pl

    from echelon.engine.contract import Progress, Scenario
    from echelon.experiments.comparison_axes import Combination, ComparisonAxes
    from echelon.experiments.result import Result
    from echelon.experiments.settings.keywords import CompareSettings
    from echelon.history.store import History
    from echelon.metrics import Metric
    from echelon.model import Instance, Workload

_OF_BROKERS = ("policy", "admissible", *UNUSED_ALONE)
"""What sites that exchange jobs without a broker have no use for."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Results, one a combination of the settings that vary, in the order asked for.

    Parameters
    ----------
    results : tuple of Result
        At least one.
    """

    results: tuple[Result, ...]

    def _repr_html_(self) -> str:
        """Return the policies side by side as a table, which a notebook shows."""
        from echelon.experiments.notebook import comparison_table

        return comparison_table(self.results, is_marked=len(set(given_sets(self.results))) == 1)

    @property
    def job_sets(self) -> tuple[int, ...]:
        """For each run a number of the jobs it completed, from 1 on: runs of equal jobs have equal ones."""
        return job_sets(self.results)

    def to_frame(self) -> pl.DataFrame:
        """Return one row a run: its label, every metric of `echelon.metrics.METRICS`, user-defined metrics.

        The label is in ``policy``; on a grid also in ``run`` (the whole label), ``broker`` and ``admissible``
        (that of the root of a tree), on nodes in ``run`` and ``place``, on a multicluster in ``run``,
        ``broker``, ``global_queue`` and ``queue_limit``; of other settings that vary in ``run`` and in a
        column of the setting's name. Where runs have other jobs, or jobs of other run times, or did not
        complete the same ones, ``job_set`` numbers them: figures of two sets are not those of the same jobs.
        """
        # A heavy library that only tables need.
        import polars as pl

        sets = self.job_sets
        marks: list[dict[str, int]] = [{"job_set": one} if len(set(sets)) > 1 else {} for one in sets]
        rows = zip(self.results, marks, strict=True)
        return pl.DataFrame([{**_settings(result), **mark, **result.metrics} for result, mark in rows])


def job_sets(results: Sequence[Result]) -> tuple[int, ...]:
    """Return for each run a number of the jobs that it completed, from 1 on; see `Comparison.job_sets`."""
    return number_runs(
        results, lambda one, other: _are_given_equal(one, other) and _complete_equal(one, other)
    )


def job_set_sentences(results: Sequence[Result]) -> list[str]:
    """Return sentences that say which runs have the same jobs, if not all have or have completed them."""
    return set_sentences(results, given_sets(results), job_sets(results), _name_runs)


def given_sets(results: Sequence[Result]) -> tuple[int, ...]:
    """Return for each run a number of the jobs that it was given, from 1 on."""
    return number_runs(results, _are_given_equal)


def _name_runs(results: Sequence[Result]) -> str:
    """Return the settings that runs have in common, of those that vary, else the label of each."""
    common = [pair for pair in results[0].varied if all(pair in result.varied for result in results)]
    if common:
        return " ".join(f"{name}={label}" for name, label in common)
    return ", ".join(result.label for result in results)


def _are_given_equal(one: Result, other: Result) -> bool:
    """Return whether two runs are given the same jobs, of the same run times, that wait for the same ones."""
    import numpy as np

    mine, theirs = one.scenario.instance, other.scenario.instance
    return mine is theirs or (
        np.array_equal(mine.kept, theirs.kept)
        and np.array_equal(mine.run_time, theirs.run_time)
        and (mine.dependencies is None) == (theirs.dependencies is None)
        and _are_same_jobs(mine, theirs)
    )


_OF_A_JOB = ("job_id", "submit_time", "requested_processors", "allocated_processors")


def _are_same_jobs(mine: Instance, theirs: Instance) -> bool:
    """Return whether two runs took the same jobs of their workloads, which changes to them may have made."""
    import numpy as np

    one, other = mine.workload, theirs.workload
    if one is other:
        return True
    columns = ((one.columns[name][mine.kept], other.columns[name][theirs.kept]) for name in _OF_A_JOB)
    return (
        all(np.array_equal(*pair) for pair in columns)
        and one.demands == other.demands
        and mine.dependencies == theirs.dependencies
    )


def _complete_equal(one: Result, other: Result) -> bool:
    """Return whether two runs completed the same of the jobs that they were given."""
    import numpy as np

    from echelon.model.schedules.left_jobs import incomplete_jobs

    return np.array_equal(incomplete_jobs(one.schedule), incomplete_jobs(other.schedule))


def _settings(result: Result) -> dict[str, Any]:
    scenario, label = result.scenario, {"run": result.label, **dict(result.varied)}
    place = {} if scenario.nodes is None else {"place": node_settings(scenario.nodes)["place"]}
    if scenario.broker is None:
        return {**(label if result.varied or place else {}), "policy": result.policy, **place}
    if scenario.multicluster is not None:
        specs = multicluster_settings(scenario.multicluster)
        upper = {name: specs[name] for name in ("upper_queue", "queue_limit")}
        return {**label, "policy": result.policy, "broker": result.broker, **upper}
    return {
        **label,
        "policy": result.policy if has_local_policy(scenario) else None,
        "broker": result.broker,
        "admissible": float(scenario.admissible.factor),
        **place,
    }


@with_settings(KEYWORDS.values(), several=True)
def compare(
    workload: Workload | str | Path | Sequence[Workload | str | Path],
    *,
    progress: Callable[[str], Progress | None] | None = None,
    **settings: Unpack[CompareSettings],
) -> Comparison:
    """Run one workload or several in every combination of the settings given several values.

    Each setting is as in `echelon.simulate`, or a list of several of its values, all different. The last of
    global queue, queue limit, broker, admissibility, placement and policy varies fastest; all others vary
    before them, the last given fastest, changes to the jobs before these, and workloads, formats and time
    zones slowest. A value that a run would
    not use, such as the local policy of sites that exchange jobs without a broker, does not multiply runs;
    one that no run would use is refused. Of runs with several brokers, ``decision_time="equal"`` makes each
    take as long as the slowest.
    No run learns from another of the comparison.

    Parameters
    ----------
    workload : Workload, str or Path, or a sequence of them
        Jobs, or what `echelon.read_workload` takes.
    **settings : CompareSettings
        Those of `echelon.experiments.settings`, each by its name, each one or several.
    progress : callable, optional
        Called with a run's label before it runs; returns the progress callable of that run, or None.

    Returns
    -------
    Comparison
        The runs in order.

    Raises
    ------
    InputError
        If there is nothing to compare, or the same twice; and as `echelon.simulate`.
    TypeError
        If there is no setting of this name.
    """
    return run_comparison(axes_of({"workload": workload, **settings}), Inputs(), progress=progress)


def run_comparison(
    axes: ComparisonAxes, inputs: Inputs, *, progress: Callable[[str], Progress | None] | None = None
) -> Comparison:
    """Return the runs of every combination, of workloads that `inputs` reads or has read; see `compare`."""
    own = own_metrics(RUN["metrics"].value(next(iter(axes.values.get("metrics", [])), None)))
    runs = _scenarios(axes, _Makers(inputs))
    with ExitStack() as stack:
        pasts = _Pasts(stack)
        ready = [(run, pasts.add_past(run, scenario)) for run, scenario in runs]
        results = [_run(run, scenario, own, progress) for run, scenario in ready]
        return Comparison(
            tuple(record_run(pasts.of(run), one) for (run, _), one in zip(ready, results, strict=True))
        )


class _Makers:
    """What makes the scenarios of runs, one for each workload."""

    def __init__(self, inputs: Inputs) -> None:
        self._inputs = inputs
        self._makers: dict[int, ScenarioMaker] = {}

    def of(self, run: Combination) -> ScenarioMaker:
        jobs = self._inputs.workload(run.reading)
        if id(jobs) not in self._makers:
            self._makers[id(jobs)] = ScenarioMaker(jobs)
        return self._makers[id(jobs)]

    def machine(self, run: Combination) -> object:
        """Return the machine of a run, None if it is plain."""
        return self.of(run).machine(run.settings) if "platform" in run.settings else None


class _Pasts:
    """The histories of the runs, each opened once before any of them begins."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._opened: dict[str, History | None] = {}

    def of(self, run: Combination) -> History | None:
        address = run.settings.get("history")
        if str(address) not in self._opened:
            self._opened[str(address)] = self._stack.enter_context(open_past(address))
        return self._opened[str(address)]

    def add_past(self, run: Combination, scenario: Scenario) -> Scenario:
        return with_past(scenario, self.of(run))


def _run(
    run: Combination,
    scenario: Scenario,
    own: tuple[Metric, ...],
    progress: Callable[[str], Progress | None] | None,
) -> Result:
    engine = RUN["engine"].value(run.settings.get("engine"))
    step = progress and progress(label_of_scenario(scenario, run.varied))
    result = run_scenario(scenario, engine=engine, metrics=own, progress=step)
    specs, changes = own_specs({**run.source, **run.settings}), job_changes_in(run.settings)
    return replace(result, varied=run.varied, specs=specs, job_changes=changes)


def _scenarios(axes: ComparisonAxes, makers: _Makers) -> list[tuple[Combination, Scenario]]:
    """Return what is run, in order, each distinct run once.

    Raises
    ------
    InputError
        If nothing is compared, the same twice, or something that no run would use.
    """
    runs = _pair_with_machines(axes.combinations(), makers)
    if "policy" not in axes.values and "platform" not in axes.values and not axes.varies:
        raise InputError("needs at least one policy, got none", field="policies")
    asked_of = [list_brokers(machine, makers.of(run).controls(run.settings)) for run, machine in runs]
    brokers = [next(iter(asked_brokers), None) for asked_brokers in asked_of]
    everyone = list(chain.from_iterable(asked_of))
    for name in (name for name in _OF_BROKERS if name in axes.values):
        refuse_unused(axes.fields[name], _values_of(axes, name), brokers)
    scenarios: dict[str, tuple[Combination, Scenario]] = {}
    for (run, _), broker in zip(runs, brokers, strict=True):
        used = run.without(_unused_under(broker))
        scenario = makers.of(used).scenario(used.settings, compared=everyone)
        scenarios.setdefault(label_of_scenario(scenario, used.varied), (used, scenario))
    if "broker" in axes.values:
        rules = [scenario.multicluster for _, scenario in scenarios.values()]
        refuse_unasked(axes.fields["broker"], _values_of(axes, "broker"), rules)
    return list(scenarios.values())


def _unused_under(broker: object) -> tuple[str, ...]:
    """Return the settings that runs under a metascheduler have no use for."""
    if isinstance(broker, Decentralized):
        return _OF_BROKERS
    return UNUSED_ALONE[1:] if isinstance(broker, Dispatcher) else ()


def _pair_with_machines(runs: list[Combination], makers: _Makers) -> list[tuple[Combination, object]]:
    """Return every run without what its machine has no use for, with its machine, None if it is plain."""
    machines = [makers.machine(run) for run in runs]
    wrong = [
        {**dict(incompatibility(run.settings, machine)), **_idle_changes(run.settings)}
        for run, machine in zip(runs, machines, strict=True)
    ]
    for name, error in {name: error for one in reversed(wrong) for name, error in one.items()}.items():
        asked = [one for (one, run) in zip(wrong, runs, strict=True) if _asks(run.settings.get(name), name)]
        if all(name in one for one in asked or wrong):
            raise error
    return [(run.without(names), one) for run, names, one in zip(runs, wrong, machines, strict=True)]


def _asks(value: object, name: str) -> bool:
    """Return whether a run asks for something by a setting: neither for nothing nor for its default."""
    setting = RUN[name]
    usual = {"none", *([] if setting.default is None else [setting.canonical(setting.default)])}
    return value is not None and setting.canonical(value) not in usual


def _idle_changes(settings: Mapping[str, Any]) -> dict[str, InputError]:
    """Return the settings of machines that change that a run has no use for."""
    if not any(RUN[name].group == CHANGING for name in settings):
        return {}
    from echelon.experiments.changes.idle_changes import idle_changes

    return idle_changes(settings)


def _values_of(axes: ComparisonAxes, name: str) -> Any:  # noqa: ANN401  (whatever was asked for)
    """Return the values of a setting as they were given, for messages."""
    values = axes.values[name]
    return values[0] if axes.fields[name] == name and len(values) == 1 else values
