"""``echelon info``: the contents and anomalies of a workload, and the jobs that a simulation would drop."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from echelon.cli.options import shared_options as options
from echelon.cli.terminal import facts, grid, progress, show, show_json
from echelon.quantities import figure, tally

if TYPE_CHECKING:
    from rich.table import Table

    from echelon.experiments.summaries.description import Description
    from echelon.experiments.summaries.job_summary import (
        ApplicationSummary,
        DependencySummary,
        Range,
        TaskSummary,
    )
    from echelon.experiments.summaries.usage_summary import GroupSummary

_As = Annotated[
    Literal["workload", "failures"] | None,
    typer.Option(
        "--as",
        help="What the file is: jobs, or when nodes were down. Default: by its content.",
    ),
]


def info(
    workload: options.Source,
    *,
    as_: _As = None,
    processors: options.Processors = None,
    format: options.Format = None,  # noqa: A002
    timezone: options.TimeZone = None,
    strict: options.Strict = None,
    json: options.Json = False,
) -> None:
    """Summarize WORKLOAD: contents, anomalies, and jobs that a simulation would drop.

    WORKLOAD may be a file of failures (Failure Trace Archive, LANL, node events of Slurm, our own CSV). Then
    its times between failures and repair times are summarized, with the laws that fit them best.
    """
    if as_ == "failures" or (as_ is None and _is_failures(workload, format)):
        from echelon.cli.workload.failure_info import show_failures

        show_failures(workload, format=format, timezone=timezone, json=json)
        return
    from echelon.experiments.summaries.description import describe, format_name
    from echelon.workloads import read_workload

    with progress() as step:
        read = read_workload(
            workload, format=format, timezone=timezone, progress=step(f"fetching {workload}")
        )
    summary = describe(read, processors=processors, format=format_name(workload, format), strict=bool(strict))
    if json:
        show_json(summary.to_dict())
    else:
        _show(summary)


def _is_failures(source: str, name: str | None) -> bool:
    """Return whether a file is a failure trace: its format says so, else its first line does."""
    from echelon.availability.traces.recognition import FIRST_LINES, is_trace

    return name in FIRST_LINES or (name is None and is_trace(source))


def _show(summary: "Description") -> None:
    from echelon.cli.formatting import anomaly_row

    show(f"{summary.workload.name}: {len(summary.workload):,} jobs", "", facts(_facts(summary)))
    for kind, groups in summary.groups.items():
        is_qos = kind == "queue" and summary.workload.header.is_accounting
        show("", "QOS:" if is_qos else f"{_TITLES[kind]}:", _groups("QOS" if is_qos else kind, groups))
    if summary.tasks is not None:
        show("", "Tasks:", "", facts(_tasks(summary.tasks)))
    if summary.applications:
        show("", "Applications (each task holds one node):", _applications(summary.applications))
    if (waiting := summary.dependencies) is not None:
        show("", "Dependencies:", "", facts(_dependencies(waiting)))
    if summary.workload.oddities:
        show("", "Anomalies:", "", facts(map(anomaly_row, summary.workload.oddities)))
    else:
        show("", "No anomalies were found.")
    show("", *_simulation(summary))


_TITLES = {"partition": "Partitions", "queue": "Queues", "account": "Accounts", "state": "States"}
"""Headings of the tables by what the log says of the jobs."""

_MOST_GROUPS = 20
"""The most partitions, queues or accounts that are shown: those with the most work."""


def _groups(kind: str, groups: "tuple[GroupSummary, ...]") -> "str | Table":
    from echelon.cli.formatting import duration, share

    heads = (kind, "jobs", "share\nof work", "most\nin use", "mean\nwait", "median\nwait", "longest\nwait")
    rows = [
        (
            "unknown" if one.name is None else one.name,
            f"{one.jobs:,}",
            share(one.area_share),
            "–" if one.peak is None else f"{one.peak.processors:,}",
            *(
                ("–", "–", "–")
                if one.waits is None
                else map(duration, (one.waits.mean, one.waits.median, one.waits.longest))
            ),
        )
        for one in groups[:_MOST_GROUPS]
    ]
    if rest := groups[_MOST_GROUPS:]:
        jobs, area = sum(one.jobs for one in rest), sum(one.area_share for one in rest)
        rows.append((f"{len(rest):,} more", f"{jobs:,}", share(area), *[""] * 4))
    return grid(heads, rows, numbers=range(1, len(heads)))


_MOST_APPLICATIONS = 40
"""The most applications that are shown: those with the most jobs."""


def _applications(applications: "tuple[ApplicationSummary, ...]") -> "str | Table":
    heads = ("application", "jobs", "tasks", "mean time\ns", "computing\n%", "memory\nMB", "network\nMB/s")
    shown = sorted(applications, key=lambda one: -one.jobs)[:_MOST_APPLICATIONS]
    rows: list[tuple[str, ...]] = [
        (
            one.name or "–",
            f"{one.jobs:,}",
            f"{one.least_tasks}" + (f"-{one.most_tasks}" if one.most_tasks > one.least_tasks else ""),
            figure(one.mean_run_time, 3),
            figure(one.compute_share * 100, 3),
            figure(one.memory / 1e6, 3),
            figure(one.bandwidth / 1e6, 3),
            ", ".join((*filter(None, [one.library]), *one.requires)) or "any",
        )
        for one in applications
        if one in shown
    ]
    if len(applications) > len(shown):
        rest = sum(one.jobs for one in applications) - sum(one.jobs for one in shown)
        rows.append((f"{len(applications) - len(shown):,} more", f"{rest:,}", *[""] * 6))
    return grid((*heads, "needs"), rows, numbers=range(1, 7))


def _tasks(tasks: "TaskSummary") -> list[tuple[str, str | None]]:
    def span(one: "Range", unit: str = "", scale: float = 1) -> str:
        least, median, most = (figure(value / scale) for value in (one.least, one.median, one.most))
        if least == most:
            return f"{least}{unit}"
        return f"{least} to {most}{unit}, median {median}"

    kinds = f"{tasks.sequential_jobs:,} sequential, {tasks.mpi_jobs:,} MPI"
    mixed = f" ({tasks.mixed_jobs:,} of unequal tasks)" if tasks.mixed_jobs else ""
    talks = tasks.communication_volume, tasks.compute_share
    return [
        ("jobs", kinds + mixed),
        ("bound to nodes", tally(tasks.spread_jobs, "job") if tasks.spread_jobs else None),
        ("tasks", tally(tasks.tasks, "task")),
        ("tasks a job", span(tasks.size)),
        ("longest task", span(tasks.operations, " billion operations", 1e9)),
        ("memory a task", span(tasks.memory, " MB", 1e6) if tasks.memory.most else None),
        ("moved by a task", span(tasks.memory_volume, " MB", 1e6) if tasks.memory_volume.most else None),
        ("communicating", tally(tasks.communicating_jobs, "job")),
        ("a pair of tasks", None if talks[0] is None else span(talks[0], " MB", 1e6)),
        ("computing", None if talks[1] is None else span(talks[1], " % of the time", 0.01)),
    ]


def _dependencies(waits: "DependencySummary") -> list[tuple[str, str | None]]:
    return [
        ("waiting for others", tally(waits.dependent_jobs, "job")),
        ("following one", tally(waits.following_jobs, "job") if waits.following_jobs else None),
        ("waits in all", f"{waits.edges:,}"),
        ("longest chain", tally(waits.longest_chain, "job")),
        ("not in the log", tally(waits.absent_predecessors, "job") if waits.absent_predecessors else None),
    ]


def _facts(summary: "Description") -> list[tuple[str, str | None]]:
    from echelon.cli.formatting import duration, moment, share
    from echelon.workloads.transform import transformations

    workload, header = summary.workload, summary.workload.header
    machine = f"{summary.processors:,} processors" if summary.processors else "unknown: the log does not say"
    if header.max_nodes and summary.processors == header.max_procs:
        machine += f", {header.max_nodes:,} nodes"
    return [
        ("format", summary.format),
        ("computer", header.get("Computer")),
        ("installation", header.get("Installation")),
        ("acknowledge", header.get("Acknowledge") or header.get("Acknowledgement")),
        ("machine", machine),
        ("first submission", moment(workload, summary.first_submit)),
        ("last submission", moment(workload, summary.last_submit)),
        ("last end", None if summary.last_end is None else moment(workload, summary.last_end)),
        ("span", None if summary.last_end is None else duration(summary.last_end - summary.first_submit)),
        ("most in use", _peak(summary)),
        ("utilization", None if summary.utilization is None else share(summary.utilization)),
        ("waits", _waits(summary)),
        ("users", f"{summary.users:,}" if summary.users else "unknown"),
        ("accounts", f"{summary.accounts:,}" if summary.accounts else None),
        (
            "GPUs",
            f"{tally(summary.gpu_jobs, 'job')}, at most {summary.most_gpus:,} each"
            if summary.gpu_jobs
            else None,
        ),
        (
            "ineligible",
            f"up to {duration(summary.longest_ineligible)}" if summary.longest_ineligible else None,
        ),
        ("requested times", f"{share(summary.requested)} of the jobs"),
        *(("transformed", sentence) for sentence in transformations(workload)),
    ]


def _peak(summary: "Description") -> str | None:
    """Return the most processors in use at once, and when; None if no start is known."""
    from echelon.experiments.summaries.moments import format_date_or_seconds

    if summary.peak is None:
        return None
    time = format_date_or_seconds(summary.workload, summary.peak.time)
    return f"{summary.peak.processors:,} processors at once, {time}"


def _waits(summary: "Description") -> str | None:
    """Return how long jobs waited in the log; None if it does not say."""
    from echelon.cli.formatting import duration

    if summary.waits is None:
        return None
    mean, median, longest = map(duration, (summary.waits.mean, summary.waits.median, summary.waits.longest))
    of = "" if summary.waits.jobs == len(summary.workload) else f", of {summary.waits.jobs:,} jobs"
    return f"mean {mean}, median {median}, longest {longest}{of}"


def _simulation(summary: "Description") -> list[str]:
    from echelon.cli.formatting import drops

    if summary.refusal:
        return [f"A simulation would reject this workload: {summary.refusal}."]
    size = f" on {summary.processors:,} processors" if summary.processors else ""
    lines = [f"A simulation{size} would take {summary.simulated:,} of {len(summary.workload):,} jobs."]
    lines += [f"It would drop {line}." for line in drops(summary.dropped)]
    if summary.processors is None:
        lines.append(
            "Jobs larger than the machine are not counted: give the size of the machine with --processors N."
        )
        if summary.peak is not None:
            lines.append(f"By the times of the log, jobs used {summary.peak.processors:,} of them at once.")
    return lines
