"""The common parts of `run` and `compare`: from options to a workload, and the final messages."""

from __future__ import annotations

import sys
import threading
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

from echelon.cli.terminal import note
from echelon.errors import InputError, UnknownNameError
from echelon.experiments.settings.setting import MULTICLUSTER, NODES, TIME_SHARED
from echelon.lazy import postpone
from echelon.quantities import figure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from rich.table import Table

    from echelon.cli.terminal import Progress
    from echelon.experiments import Result
    from echelon.experiments.comparison_axes import ComparisonAxes
    from echelon.experiments.inputs import Inputs
    from echelon.model import Workload
    from echelon.reports import RunTables

_OF_CONTROLLERS = (
    "admissible",
    "decision_time",
    "information",
    "refresh",
    "queue_limit",
    "queue_order",
    "site_filter",
)
"""What is said of inner sites after a run, beside their brokers and global queues."""

_OUTPUTS = ("log_waits", "dates", "out")
"""The settings of what is shown beside the results."""

FIGURES = "figures"
"""The name of the figures' folder in a folder of results."""


_SCENARIO_SUFFIXES = (".toml", ".ini")


def collect_all(sources: Sequence[str], options: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of a comparison: several workloads, or as `collect_settings`."""
    if len(sources) == 1:
        return collect_settings(sources[0], options)
    for source in sources:
        if source.lower().endswith(_SCENARIO_SUFFIXES):
            raise InputError(
                "is not the only argument, expected one scenario file, or workloads; list several workloads "
                "in the file",
                file=source,
            )
    return {"workload": [*sources], **{key: value for key, value in options.items() if value is not None}}


def collect_settings(source: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return the settings that were given; options override the scenario file."""
    command_options = {key: value for key, value in options.items() if value is not None}
    if not source.lower().endswith(_SCENARIO_SUFFIXES):
        return {"workload": source, **command_options}
    from echelon.experiments.scenario_file import read_scenario_file
    from echelon.experiments.settings.table import SETTINGS

    file = read_scenario_file(source)
    file_settings = file.settings()
    if file.unused:
        note(f"{source}: not used, since a run has no such settings: {', '.join(file.unused)}")
    # A machine or grid given as an option replaces any in the file.
    instead: dict[str, Iterable[str]] = {
        "platform": ("processors",),
        "processors": ("platform", *(one.name for one in SETTINGS if one.scope is not None)),
    }
    for key in (key for option, keys in instead.items() if option in command_options for key in keys):
        file_settings.pop(key, None)
    return {**file_settings, **command_options}


def refuse_several(options: dict[str, Any]) -> None:
    """Reject several values of one setting, which a scenario file may list, in a single run."""
    if not any(isinstance(value, list) for value in options.values()):
        return
    from echelon.experiments.gsimula_file import Several

    for name, value in options.items():
        if isinstance(value, Several) and not (name == "platform" and not isinstance(value[0], str)):
            one = "leave one in the file" if name == "workload" else f"choose one by --{name} {value[0]}"
            raise InputError(
                f"the file lists {len(value)} values; run them with echelon compare, or {one}", field=name
            )


def read(options: dict[str, Any], step: Callable[[str], Progress | None]) -> Workload:
    """Read the workload that `options` names, and remove the settings that this uses from `options`."""
    from echelon.experiments.inputs import Inputs
    from echelon.experiments.settings.jobs import READING

    _postpone_masked_arrays()
    workload = Inputs(step).workload(options)
    for name in READING:
        options.pop(name, None)
    return workload


def read_jobs(
    options: dict[str, Any], step: Callable[[str], Progress | None]
) -> tuple[Workload, Callable[[Result], Result]]:
    """Return the workload that `options` names, and what adds to a result how its jobs were asked for."""
    from dataclasses import replace

    from echelon.experiments.folders.own_rules import own_specs

    specs = own_specs(options, ("workload", "format"))
    workload = read(options, step)
    shown = take_output(options, [workload])
    return workload, lambda result: replace(result, specs=(*specs, *result.specs), **shown)


def read_inputs(
    options: dict[str, Any], step: Callable[[str], Progress | None]
) -> tuple[ComparisonAxes, Inputs, Callable[[Result], Result]]:
    """Return the axes of a comparison, its workloads, and what adds to a result what is shown of it."""
    from dataclasses import replace

    from echelon.experiments.comparison_axes import axes_of
    from echelon.experiments.inputs import Inputs

    _postpone_masked_arrays()
    outputs = {name: options.pop(name) for name in _OUTPUTS if name in options}
    axes, inputs = axes_of(options), Inputs(step)
    workloads = {id(jobs): jobs for jobs in (inputs.workload(run.reading) for run in axes.combinations())}
    shown = take_output(outputs, workloads.values())
    return axes, inputs, lambda result: replace(result, **shown)


def take_output(options: dict[str, Any], workloads: Iterable[Workload]) -> dict[str, Any]:
    """Remove from `options` what is shown beside the results, and return it as fields of these.

    Raises
    ------
    InputError
        If a log does not record what is asked for, or dates have no file to be in.
    """
    waits, dates = options.pop("log_waits", None), options.pop("dates", "seconds").lower()
    folder = options.pop("out", None)
    for workload in workloads:
        if waits and not (workload.float_column("wait_time") >= 0).any():
            name = workload.file or workload.name
            raise InputError("records no waits; leave --log-waits out", file=name)
        if dates != "seconds":
            _check_dates(dates, workload, folder)
    fields = {"compares_waits": waits, "is_dated": True if dates != "seconds" else None}
    return {name: value for name, value in fields.items() if value is not None}


def _check_dates(dates: str, workload: Workload, folder: object) -> None:
    from echelon.experiments.tables.dates import DATES, check_dates

    if dates not in DATES:
        raise UnknownNameError("kind of dates", dates, DATES)
    if folder is None:
        raise InputError("needs a folder for jobs.csv, give --out DIR", field="--dates")
    check_dates(workload)


def _postpone_masked_arrays() -> None:
    """Answer polars, when it asks an array for its mask, that there is none, without numpy's masked arrays.

    To load them takes as long as to simulate a year under EASY. A command that makes one has loaded them.
    """
    import numpy as np

    none = np.False_
    answers = {"nomask": none, "getmask": lambda _: none, "getdata": lambda array: array}
    postpone("numpy.ma", answers)


@contextmanager
def policy_output_apart() -> Iterator[None]:
    """Send what a user's own policy prints to stderr: stdout is for the output of the command."""
    with redirect_stdout(sys.stderr):
        yield


@contextmanager
def compiling(engine: str | None, *, quiet: bool) -> Iterator[None]:
    """Announce it if kernels are built in the block, or cannot be; only the reference engine needs none."""
    if engine == "reference":
        yield
        return
    from echelon.libraries.lookup import announcing

    with announcing((lambda _: None) if quiet else note):
        yield


@contextmanager
def meanwhile(tasks: Sequence[Callable[[], object]]) -> Iterator[None]:
    """Run `tasks` one after the other in a separate thread while the block runs.

    An exception of a task takes precedence over one of the block; if the block fails, no further task starts.
    """
    raised: list[BaseException] = []
    stopped = threading.Event()

    def work() -> None:
        try:
            for task in tasks:
                if stopped.is_set():
                    break
                task()
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    except BaseException:
        stopped.set()
        raise
    finally:
        thread.join()
        if raised:
            raise raised[0]


def report_files(
    runs: Sequence[tuple[Result, dict[str, Any]]], folder: Path, *, page: bool, figures: str | None
) -> list[str]:
    """Write one page and the figures of all runs into `folder`, if wanted, and return their names."""
    if not page and figures is None:
        return []
    from echelon.reports import write_report
    from echelon.reports.result_report import run_tables

    tables = [run_tables(result, document) for result, document in runs]
    for result, _ in runs:
        result.let_go()
    names = [write_report(tables, folder / "report.html").name] if page else []
    figure_paths = figure_files(tables, folder, figures) if figures is not None else []
    return [*names, *(f"{FIGURES}/{file.name}" for file in figure_paths)]


def check_figures(figures: str | None, folder: object) -> None:
    """Reject figures of an unknown format, or without a folder or library, before the simulation starts."""
    if figures is None:
        return
    from echelon.extras import MATPLOTLIB
    from echelon.plotting import FILE_FORMATS

    if figures not in FILE_FORMATS:
        raise UnknownNameError("figure format", figures, FILE_FORMATS)
    if folder is None:
        raise InputError("needs a folder for the figures, give --out DIR", field="--figures")
    MATPLOTLIB.load()


def charts_of(window: str | None, *, gantt: bool, json: bool) -> Callable[[Sequence[Result]], None] | None:
    """Return what prints the Gantt charts of runs; None if none are wanted. Check it before the runs."""
    if not gantt and window is None:
        return None
    from functools import partial

    from echelon.cli.gantt_text import read_window, show_charts

    return partial(show_charts, window=read_window(window, gantt=gantt, json=json))


def check_traces(traces: bool, folder: object) -> None:
    """Reject traces without a folder before the simulation starts."""
    if traces and folder is None:
        raise InputError("needs a folder for traces.csv, give --out DIR", field="--traces")


def figure_files(runs: Sequence[RunTables], folder: Path, kind: str) -> list[Path]:
    """Draw the figures into their folder in `folder` and return the files; report figures that fail."""
    from echelon.reports.figures import write_figures

    written, missing = write_figures(runs, folder / FIGURES, kind)
    for sentence in missing:
        note(sentence)
    return written


def log_waits(results: Sequence[Result]) -> list[str | Table]:
    """Return the waits of the log beside the simulated ones, where they are shown."""
    if not any(result.shows_log_waits for result in results):
        return []
    from echelon.cli.listing.log_waits import log_wait_parts

    return log_wait_parts(results)


def outcome(results: Sequence[Result], written: Sequence[str]) -> list[str]:
    """Return sentences on the jobs simulated and left out and on the files written."""
    from echelon.experiments.result import kind_of

    engines = " and ".join(dict.fromkeys(result.engine for result in results)) + " engine"
    if any(result.projections == "compiled" for result in results):
        engines += " (queues predicted in kernels)"
    seconds = sum(result.seconds for result in results)
    each = f" under each of {len(results)} policies" if len(results) > 1 else ""
    if kind_of(results) == "run":
        each = each.replace("under", "in").replace("policies", "runs")
    duration_text = f"{figure(seconds, 2)} s, {engines}"
    counts = (
        _range({len(table) for table in tables})
        for tables in zip(*((result.instance, result.workload) for result in results), strict=True)
    )
    lines = [f"{' of '.join(counts)} jobs simulated{each} in {duration_text}."]
    parts = (
        *(_who_chose, _homes, _node_sentences, _powered_sites, _multicluster_sentences),
        *(_time_shared_sentences, _change_sentences, _planner, _priorities, _dependencies, _changed_jobs),
        *(_time_limits, _dropped_sentences, _job_sets),
    )
    lines += [line for part in parts for line in part(results)]
    if written:
        lines += ["", *_shorten([Path(file) for file in written])]
    return lines


def _range(counts: set[int]) -> str:
    """Return a number of jobs, or the least and the greatest of several."""
    return " to ".join(f"{count:,}" for count in dict.fromkeys((min(counts), max(counts))))


def _change_sentences(results: Sequence[Result]) -> list[str]:
    """Return sentences on what changed of the machine in all runs, and on jobs that did not complete."""
    if all(result.schedule.status is None and not result.scenario.has_changes for result in results):
        return []
    from echelon.experiments.summaries.change_sentences import change_sentences, ending_sentences

    return [*change_sentences(results), *ending_sentences(results)]


def _planner(results: Sequence[Result]) -> list[str]:
    planner = results[0].estimator
    return [] if planner == "request" else [f"Planned times are from the estimator {planner}."]


def note_the_rest(results: Sequence[Result]) -> None:
    """Say on stderr what nothing models of outages and reservations, and what of them had no effect."""
    if not any(result.scenario.has_changes or result.instance.limits is not None for result in results):
        return
    from echelon.experiments.summaries.change_sentences import sentences_on_the_rest

    for sentence in sentences_on_the_rest(results):
        note(sentence)


def _priorities(results: Sequence[Result]) -> list[str]:
    """Return sentences on queues and partitions that have no priority, where an order weighs them."""
    from echelon.experiments.summaries.priorities import priority_sentences

    return list(dict.fromkeys(line for result in results for line in priority_sentences(result)))


def _dependencies(results: Sequence[Result]) -> list[str]:
    """Return sentences on jobs that waited for others to end, and on dependencies that could not be kept."""
    from echelon.experiments.tables.dependencies import dependency_sentences

    sentences = [dependency_sentences(result.instance) for result in results]
    return [line for line in sentences[0] if all(line in lines for lines in sentences)]


def _job_sets(results: Sequence[Result]) -> list[str]:
    """Return a sentence on runs of a comparison whose job sets differ."""
    if len(results) == 1:
        return []
    from echelon.experiments.comparison import job_set_sentences

    return job_set_sentences(results)


def _changed_jobs(results: Sequence[Result]) -> list[str]:
    """Return a sentence on each change that all runs made to the jobs before the simulation."""
    if not all(result.job_changes for result in results):
        return []
    from echelon.model.jobs.header import TIME_LIMIT
    from echelon.workloads.transform.record import transformations

    changes = [transformations(result.workload) for result in results]
    common = [one for one in changes[0] if all(one in other for other in changes[1:])]
    return [f"Jobs: {one}." for one in common if not one.startswith(TIME_LIMIT)]


def _time_limits(results: Sequence[Result]) -> list[str]:
    """Return a sentence on each time limit that runs gave the jobs, with what that cut."""
    if not any(result.workload.header.limits_time for result in results):
        return []
    from echelon.experiments.settings.values.value_format import format_time
    from echelon.workloads.transform import time_limit_of

    limits = [time_limit_of(result.workload) for result in results]
    limit_counts = dict.fromkeys(limit for limit in limits if limit is not None)
    return [f"Time limit {format_time(limit.seconds)}: {limit.done}." for limit in limit_counts]


def _dropped_sentences(results: Sequence[Result]) -> list[str]:
    """Return a sentence on each reason for which jobs were left out, by each run or by some of them."""
    from echelon.cli.formatting import drops

    left = [result.instance.dropped for result in results]
    lines = [
        f"Left out: {line}." for line in drops(drop for drop in left[0] if all(drop in one for one in left))
    ]
    parting = {drop.reason: None for one in left for drop in one if not all(drop in other for other in left)}
    for reason in parting:
        counts = [sum(drop.count for drop in one if drop.reason == reason) for one in left]
        lines.append(f"Left out by the runs: {min(counts):,} to {max(counts):,} with {reason}.")
    return lines


def _who_chose(results: Sequence[Result]) -> list[str]:
    """Return a sentence on how the sites of a grid's jobs were chosen."""
    from echelon.experiments.settings.values.value_format import format_admissible
    from echelon.experiments.systems.refusals import unused_sentence
    from echelon.policies import Decentralized

    rules = results[0].scenario.multicluster
    if rules is not None and not getattr(rules.global_queue, "asks_broker", True):
        return []
    if len(results) > 1:
        unused = unused_sentence([result.scenario.broker for result in results])
        return [] if unused is None else [unused]
    if (broker := results[0].scenario.broker) is None:
        return []
    if isinstance(broker, Decentralized):
        return [f"Decentralized scheduling: {results[0].broker} (local policies are not used)."]
    from echelon.experiments.systems.site_trees import controllers_in

    notes = _of_controllers(results[0])
    if len(controllers_in(results[0].scenario)) > 1:
        return [_who_chose_where(results[0]), *notes]
    admissible = results[0].scenario.admissible
    among = "" if admissible.factor == 1 else f" among admissible ones, a = {format_admissible(admissible)}"
    return [f"Sites were chosen by the broker {results[0].broker}{among}.", *notes]


def _of_controllers(result: Result) -> list[str]:
    """Return sentences on what is set of the inner sites of a tree, beside their brokers."""
    from echelon.experiments.systems.multicluster import shared_rules_in
    from echelon.experiments.systems.site_trees import control_settings
    from echelon.experiments.systems.stays import stay_settings

    settings = control_settings(result.scenario)
    # Of the root alone, admissibility is said beside the broker.
    keys = [
        key for key in _OF_CONTROLLERS if key in settings and (key != "admissible" or "@" in settings[key])
    ]
    phrases = ", ".join(f"{key.replace('_', ' ')} {settings[key]}" for key in keys)
    notes = [f"Of brokers: {phrases}."] if keys else []
    if "upper_queue" in settings:
        notes.append(f"Jobs waited in the global queue {settings['upper_queue']} until they were dispatched.")
    if "queues" in settings:
        notes += _queue_sentences(settings["queues"])
    (stay,) = stay_settings(result.scenario).values()
    if stay is not None and shared_rules_in(result.scenario) is None:  # else beside their rules
        longest = stay if isinstance(stay, str) else figure(stay)
        notes.append(f"A job that had not started after {longest} s was rejected.")
    return notes


def _queue_sentences(spec: str) -> list[str]:
    """Return a sentence on the several queues of each inner site that has some, from a spec by path."""
    from echelon.experiments.settings.values.values_by_site import EVERY, ROOT, parts_of

    where = {ROOT: "", EVERY: " at each other inner site"}
    return [
        f"Global queues{where.get(path, f' at {path}')}: {queues}." for path, queues in parts_of(spec).items()
    ]


def _who_chose_where(result: Result) -> str:
    """Return a sentence on the brokers of a tree of sites: the root's, then the others with their sites."""
    from echelon.experiments.systems.site_trees import controller_table

    (_, root), *inner = controller_table(result.scenario).items()
    others: dict[str, list[str]] = {}
    for path, one in inner:
        others.setdefault(one["broker"], []).append(path)
    where = {broker: ", ".join(p) if len(p) < 5 else f"{len(p)} inner sites" for broker, p in others.items()}
    below = "; ".join(f"in {paths} by {broker}" for broker, paths in where.items())
    return f"Sites were chosen at the root by the broker {root['broker']}; {below}."


def _homes(results: Sequence[Result]) -> list[str]:
    """Return a sentence on jobs without a known home site, if the broker sends every job home."""
    for result in results:
        homes = result.schedule.home_site
        if homes is None:
            continue
        from echelon.policies.broker.one_formula import HomeSite

        unknown = int((homes < 0).sum())
        if isinstance(result.scenario.broker, HomeSite) and unknown:
            return [
                f"home: {unknown:,} of {len(result.instance):,} jobs have no partition that is named like a "
                "site; they went to the smallest that may take them."
            ]
    return []


def _node_sentences(results: Sequence[Result]) -> list[str]:
    """Return a sentence on the rules inside the machine, or in sites with nodes, that all runs share."""
    from echelon.experiments.systems.nodes import node_settings

    where = "Inside the machine" if results[0].platform is None else "Sites with nodes"
    return _shared_sentence(where, NODES, [node_settings(one.scenario.nodes) for one in results])


def _powered_sites(results: Sequence[Result]) -> list[str]:
    """Return a sentence on whose energy is shown, where the power of some sites alone is known."""
    first = results[0]
    if first.platform is None or not all("energy" in result.metrics for result in results):
        return []
    from echelon.platforms.powered_sites import format_powered_sites

    powered = {format_powered_sites(result.instance.sites) for result in results}
    return [f"Energy is that of {sites}." for sites in powered if len(powered) == 1 and sites != "all sites"]


def _multicluster_sentences(results: Sequence[Result]) -> list[str]:
    """Return sentences on the rules of a multicluster that all runs share."""
    from echelon.experiments.systems.multicluster import (
        information_settings,
        multicluster_settings,
        shared_rules_in,
    )
    from echelon.experiments.systems.site_trees import CONTROL_KEYS, controllers_in
    from echelon.experiments.systems.stays import stay_settings

    shared = [shared_rules_in(result.scenario) for result in results]
    rules = [
        multicluster_settings(rules)
        | {"information": None}
        | information_settings(result.scenario)
        | ({} if rules is None else stay_settings(result.scenario))
        for rules, result in zip(shared, results, strict=True)
    ]
    if trees := any(controllers_in(result.scenario) for result in results):
        rules = [settings | dict.fromkeys(CONTROL_KEYS) for settings in rules]
        if all(
            settings.get("co_allocate") == "none" for settings in rules
        ):  # most trees cannot co-allocate at all
            rules = [settings | {"co_allocate": None} for settings in rules]
    # A decision time of zero matters only where brokers alone decide.
    where = "Shared nodes" if trees else "Multicluster"
    lines = _shared_sentence(where, MULTICLUSTER, [*map(_without_zeros, rules)])
    if lines and (history := results[0].history) is not None:
        lines.append(
            f"Learned from {rules[0]['past_experiences']:,} jobs of {history}; this run was recorded there."
        )
    return lines


def _time_shared_sentences(results: Sequence[Result]) -> list[str]:
    """Return a sentence on the rules of time-shared machines that all runs share."""
    from echelon.experiments.systems.immediate import immediate_settings
    from echelon.experiments.systems.site_trees import controllers_in

    # In a tree a decision takes as long as its inner site says.
    timeless = [{"decision_time": None} if controllers_in(run.scenario) else {} for run in results]
    rules = [
        immediate_settings(run.scenario.immediate) | times
        for run, times in zip(results, timeless, strict=True)
    ]
    return _shared_sentence("Time-shared machines", TIME_SHARED, rules)


def _shared_sentence(where: str, machine: str, rules: Sequence[Mapping[str, Any]]) -> list[str]:
    from echelon.experiments.settings.summary import in_common

    parts = in_common(machine, rules)
    return [f"{where}: {', '.join(parts)}."] if parts else []


def _without_zeros(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {name: None if value == 0 else value for name, value in settings.items()}


def _shorten(files: Sequence[Path]) -> list[str]:
    """Return the files, listed once for all runs of a comparison; the page has its full path."""
    folder = min((file.parent for file in files), key=lambda path: len(path.parts))
    top = [file.name for file in files if file.parent == folder]
    figures = [file.name for file in files if file.parent == folder / FIGURES]
    runs: dict[str, list[str]] = {}
    for file in files:
        if file.parent not in (folder, folder / FIGURES):
            runs.setdefault(file.parent.name, []).append(file.name)
    lines = [f"Written to {folder}: {', '.join(top)}"]
    if runs:
        each = [name for name in next(iter(runs.values())) if all(name in names for names in runs.values())]
        lines += [f"and in each of {', '.join(runs)}: {', '.join(each)}"]
        more = {run: [name for name in names if name not in each] for run, names in runs.items()}
        lines += [f"and in {run} also: {', '.join(names)}" for run, names in more.items() if names]
    if figures:
        lines.append(f"Figures in {folder / FIGURES}: {', '.join(figures)}")
    return [*lines, *(f"Look at {file}" for file in files if file.suffix == ".html")]
