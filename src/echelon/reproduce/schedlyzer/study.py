"""Schedlyzer's study: a priority queue and EASY with six comparators on two years of the SDSC SP2.

Source: José Antonio Domínguez Medina, "Estudio de políticas de job scheduling mediante el simulador
SST-Simulator", Universitat Oberta de Catalunya, 2015. It ran the scheduler component of the Structural
Simulation Toolkit on a log of the Parallel Workloads Archive and measured its ``.time`` files by a program
called Schedlyzer.

How it is read, where it does not say: a job is planned with its request or, if that is less, its run time
(``--estimates raise``); at equal times ends come before submissions; the simulation begins with the first
submission. Only this reading gives all its figures.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.experiments import compare
from echelon.metrics.schedule import schedule_values
from echelon.reproduce.machinery.figure import Apart, Detour, Measure, Quantity, Sample, measure_figures
from echelon.reproduce.machinery.printed_table import printed_figures, printed_rows
from echelon.reproduce.machinery.published_study import PublishedStudy
from echelon.reproduce.machinery.study import Chart
from echelon.reproduce.schedlyzer.claims import CLAIMS, CONCLUSIONS
from echelon.workloads import read_workload
from echelon.workloads.formats.sst import time_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from echelon.experiments import Result
    from echelon.reproduce.machinery.experiments import Parts
    from echelon.reproduce.machinery.figure import Figure
    from echelon.reproduce.machinery.printed_table import PrintedFigure
    from echelon.reproduce.schedlyzer.claims import Runs

DATASET = "sdsc-sp2"
TRACE = "SDSC-SP2-1998-4.2-cln"
PROCESSORS = 128

COMPARATORS: Mapping[str, str] = {
    "FIFO": "fcfs",
    "LARGEFIRST": "largest-first",
    "SMALLFIRST": "smallest-first",
    "LONGFIRST": "longest-first",
    "SHORTFIRST": "shortest-first",
    "BETTERFIT": "better-fit",
}
"""SST's names of orders, and ours. The study's text leaves out BETTERFIT; the figures show it."""

SCHEDULERS: Mapping[str, tuple[str, str]] = {"PQS": ("PQScheduler", ""), "EASY": ("EASYScheduler", "easy:")}
"""The study's prefix: SST's name of the scheduler, and our spec up to the order."""

POLICIES: Mapping[str, str] = {
    f"{prefix}-{comparator}": before + order
    for prefix, (_, before) in SCHEDULERS.items()
    for comparator, order in COMPARATORS.items()
}
"""The twelve, by the study's names."""

_HOUR = 3_600.0


def _longest_run(run: Result) -> float:
    return float(run.instance.run_time.max())


def _metric(name: str, factor: float = 1.0) -> Callable[[Result], float]:
    return lambda run: run.metrics[name] * factor


_ALL = (
    Measure(Quantity("jobs", "jobs", "jobs", "jobs with a run time > 0"), _metric("jobs")),
    Measure(Quantity("max_run", "longest run", "s", "max(run)"), _longest_run),
    Measure(Quantity("max_run_hours", "longest run", "h", "max(run)"), lambda run: _longest_run(run) / _HOUR),
    Measure(
        Quantity("max_processors", "largest job", "processors", "max(size)"),
        lambda run: float(run.instance.size.max()),
    ),
    Measure(Quantity("max_wait", "longest wait", "s", "max(start - submit)"), _metric("max_wait")),
    Measure(
        Quantity("max_wait_hours", "longest wait", "h", "max(start - submit)"), _metric("max_wait", 1 / _HOUR)
    ),
    Measure(
        Quantity("max_response", "longest response", "s", "max(end - submit)"), _metric("max_turnaround")
    ),
    Measure(
        Quantity("max_response_hours", "longest response", "h", "max(end - submit)"),
        _metric("max_turnaround", 1 / _HOUR),
    ),
    Measure(
        Quantity("cpu_utilization", "CPU utilization", "%", "100 sum(run) / (sum(run) + idle time)"),
        _metric("busy_share", 100.0),
    ),
    Measure(
        Quantity("throughput", "throughput", "jobs/day", "jobs / (max(end) - min(submit))"),
        _metric("throughput_per_day"),
    ),
    Measure(
        Quantity("turnaround", "mean turnaround", "h", "mean(end - submit)"),
        _metric("mean_turnaround", 1 / _HOUR),
    ),
    Measure(Quantity("wait", "mean wait", "h", "mean(start - submit)"), _metric("mean_wait", 1 / _HOUR)),
    Measure(Quantity("last_end", "last end", "s", "max(end)"), _metric("c_max")),
    Measure(
        Quantity("idle", "idle time", "s", "time in which no job runs"),
        lambda run: schedule_values.idle_time(run.schedule.start_time, run.schedule.end_time),
    ),
    Measure(
        Quantity(
            "processor_utilization",
            "processor utilization",
            "%",
            "100 sum(run * size) / (processors * makespan)",
        ),
        _metric("utilization", 100.0),
    ),
)
MEASURES: Mapping[str, Measure] = {measure.quantity.name: measure for measure in _ALL}
"""Every quantity compared, by name; all but the longest run and idle time are metrics in other units."""

_CHARTS = {
    "cpu_utilization": "figures 19 and 21",
    "throughput": "figures 22 and 23",
    "turnaround": "figures 24 and 25",
    "wait": "figures 26 and 27",
}
_SAMPLES = {
    "figure14": ("PQS-SHORTFIRST", "figure 14"),
    "figure20a": ("PQS-LONGFIRST", "figure 20 a"),
    "figure20b": ("PQS-SHORTFIRST", "figure 20 b"),
}

_NOTES = (
    "L numbers are lines of the thesis as plain text.",
    "Estimates: the request or, if that is less, the run time. With the request alone the mean turnaround of "
    "LONGFIRST and the CPU utilization of SHORTFIRST would not be those printed.",
    "Throughput counts from the first submission, not from second 0.",
    "The longest wait and response are printed without their policy; they are those of PQS-FIFO.",
    "A job's number in figures 14 and 20 is its 0-based place among the jobs that ran, in the log's order.",
    "CPU utilization is the study's own formula: the run times of all jobs over these and the time in which "
    "no job runs. It says little about how full the machine is; processor utilization shows that.",
)


_IN_SECONDS = Apart("printed before", "the same number in seconds")


def _figures(runs: Runs, table: str) -> list[Figure]:
    def run_of(line: PrintedFigure) -> Result:
        # The workload's own figures are the same in every run.
        return runs.get(line.subject, runs["PQS-FIFO"])

    return measure_figures(
        printed_figures("schedlyzer", table),
        MEASURES.values(),
        run_of,
        detour=lambda line: _rounded_difference(run_of(line)) if line.quantity == "wait" else None,
        apart=lambda line: _IN_SECONDS if line.quantity.endswith("_hours") else None,
    )


def _rounded_difference(run: Result) -> Detour:
    """Return the mean wait as the difference of two numbers that were rounded before."""
    turnaround = MEASURES["turnaround"].of(run)
    mean_run = schedule_values.mean(run.instance.run_time) / _HOUR
    value = round(turnaround, 2) - round(mean_run, 2)
    exact = turnaround - mean_run
    return Detour(
        value,
        f"the mean wait is {turnaround:.4f} - {mean_run:.4f} = {exact:.4f} h; mean turnaround and mean run "
        f"rounded first give {turnaround:.2f} - {mean_run:.2f} = {value:.2f} h",
    )


def _sample(runs: Runs, table: str) -> Sample:
    policy, where = _SAMPLES[table]
    columns, printed = printed_rows("schedlyzer", table)
    instance, schedule = runs[policy].instance, runs[policy].schedule
    ours = np.column_stack(
        (
            np.arange(len(instance)),
            instance.submit_time,
            schedule.start_time,
            schedule.end_time,
            instance.run_time,
            schedule.wait_time,
            schedule.wait_time + instance.run_time,
            instance.size,
        )
    )
    numbers = [int(row[0]) for row in printed]
    return Sample(f"Jobs of {policy}", where, columns, printed, ours[numbers].tolist())


def _chart(runs: Runs, name: str) -> Chart:
    measure = MEASURES[name]
    bars = {
        prefix: {comparator: measure.of(runs[f"{prefix}-{comparator}"]) for comparator in COMPARATORS}
        for prefix in SCHEDULERS
    }
    return Chart(measure.quantity, _CHARTS[name], bars)


def _writer(name: str, run: Result) -> Callable[[], bytes]:
    prefix, comparator = name.split("-")
    comments = (
        f"Simulation for trace {TRACE}.sim",
        f"[Machine] {PROCESSORS} processors",
        f"[Scheduler] {SCHEDULERS[prefix][0]}",
        f"Comparator: {comparator}",
    )
    return lambda: time_file(run.schedule, comments=comments)


def _experiments(_: object, parts: Parts) -> Runs:
    workload = parts(f"reading {DATASET}", lambda progress: read_workload(DATASET, progress=progress))
    comparison = compare(
        workload, policies=list(POLICIES.values()), processors=PROCESSORS, progress=parts.step
    )
    return dict(zip(POLICIES, comparison.results, strict=True))


def _setting(runs: Runs, _: object) -> dict[str, object]:
    workload = runs["PQS-FIFO"].instance.workload
    return {
        "workload": workload.name,
        "input_sha256": workload.digest,
        "processors": PROCESSORS,
        "estimates": "raise",
        "passes": "instant",
        "policies": POLICIES,
    }


PUBLISHED = PublishedStudy(
    name="schedlyzer",
    title="A priority queue and EASY with six comparators on two years of the SDSC SP2",
    source='Domínguez Medina, "Estudio de políticas de job scheduling mediante el simulador SST-Simulator", '
    "UOC 2015",
    needs=DATASET,
    takes="2 s",
    repeats=False,
    experiments=_experiments,
    judged=CLAIMS.judge,
    points=CONCLUSIONS,
    setting=_setting,
    figures=lambda runs: _figures(runs, "thesis"),
    independent=lambda runs: _figures(runs, "independent"),
    samples=lambda runs: [_sample(runs, table) for table in _SAMPLES],
    charts=lambda runs: [_chart(runs, name) for name in _CHARTS],
    notes=_NOTES,
    files=lambda runs: {f"{name}_{TRACE}.time": _writer(name, run) for name, run in runs.items()},
)
SCHEDLYZER = PUBLISHED.study
