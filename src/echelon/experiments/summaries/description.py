"""Description: the contents and anomalies of a workload, and the jobs that a simulation would drop."""

from __future__ import annotations

import gzip
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.errors import InputError
from echelon.experiments.summaries.job_summary import (
    ApplicationSummary,
    DependencySummary,
    TaskSummary,
    application_summary,
    dependency_summary,
    task_summary,
)
from echelon.experiments.summaries.usage_summary import (
    GroupSummary,
    Peak,
    WaitSummary,
    groups_in_log,
    peak_of,
    waits_in_log,
)
from echelon.model import Instance
from echelon.workloads.files import datasets
from echelon.workloads.formats.known_formats import format_named, format_of
from echelon.workloads.grid.spec import names_grid
from echelon.workloads.synthetic.generation import names_model
from echelon.workloads.transform import transformations

if TYPE_CHECKING:
    from echelon.model import Dropped, Workload

_HEAD = 4096


@dataclass(frozen=True, slots=True, eq=False)
class Description:
    """What a person wants to know of a workload before simulating it.

    Parameters
    ----------
    workload : Workload
        At least one job.
    format : str or None
        Name of its format, if known.
    processors : int or None
        Processors of the machine asked for, else the header's; None if neither says.
    simulated : int
        How many jobs a simulation would take.
    dropped : tuple of Dropped
        What it would leave out and why. Without `processors` no job counts as too large.
    refusal : str or None
        Why a simulation would refuse the workload altogether, if it would.
    """

    workload: Workload
    format: str | None
    processors: int | None
    simulated: int
    dropped: tuple[Dropped, ...]
    refusal: str | None

    @property
    def first_submit(self) -> float:
        """Earliest time of submission, in seconds of the log."""
        return float(self.workload.submit_time.min())

    @property
    def last_submit(self) -> float:
        """Latest time of submission, in seconds of the log."""
        return float(self.workload.submit_time.max())

    @property
    def last_end(self) -> float | None:
        """Latest end in the log, in seconds: submit + wait + run of the jobs that ran, unknown waits as 0."""
        ran = self.workload.run_time >= 0
        if not ran.any():
            return None
        waited = self.workload.float_column("wait_time").clip(min=0)
        return float((self.workload.submit_time + waited + self.workload.run_time)[ran].max())

    @property
    def area(self) -> float:
        """Sum of run time x processors over the jobs that have both, in processor-seconds."""
        return float((self.workload.run_time.clip(min=0) * self.workload.processors.clip(min=0)).sum())

    @property
    def utilization(self) -> float | None:
        """Area / (processors x (last end - first submit)), as the log has it; None if one is unknown."""
        if self.processors is None or self.last_end is None or self.last_end <= self.first_submit:
            return None
        return self.area / (self.processors * (self.last_end - self.first_submit))

    @property
    def peak(self) -> Peak | None:
        """The most processors in use at once, by the log's starts and ends: a lower bound of the machine."""
        return peak_of(self.workload)

    @property
    def waits(self) -> WaitSummary | None:
        """How long jobs waited in the log; None if it records no wait."""
        return waits_in_log(self.workload)

    @property
    def groups(self) -> dict[str, tuple[GroupSummary, ...]]:
        """The log's partitions, queues, accounts and states, of those kinds of which it has at least two."""
        return groups_in_log(self.workload)

    @property
    def users(self) -> int:
        """Number of known users."""
        codes = self.workload.user
        return len(np.unique(codes[codes > 0]))

    @property
    def accounts(self) -> int:
        """Number of known accounts, where the log's accounting says them."""
        codes = self.workload.int_column("account")
        return len(np.unique(codes[codes > 0]))

    @property
    def gpu_jobs(self) -> int:
        """Number of jobs with GPUs, where the log's accounting says it."""
        return int(np.count_nonzero(self.workload.int_column("gpus") > 0))

    @property
    def most_gpus(self) -> int:
        """Most GPUs of a job, where the log's accounting says it."""
        return int(self.workload.int_column("gpus").max().clip(min=0))

    @property
    def longest_ineligible(self) -> float:
        """Longest time from submission in the log until a job was eligible to run, in seconds."""
        return float(self.workload.float_column("ineligible_time").max().clip(min=0))

    @property
    def requested(self) -> float:
        """Share of the jobs with a requested time, 0 to 1."""
        return float(np.mean(self.workload.requested_time > 0))

    @property
    def tasks(self) -> TaskSummary | None:
        """What the jobs' tasks ask for, where the workload says it."""
        demands = self.workload.demands
        return None if demands is None else task_summary(demands)

    @property
    def applications(self) -> tuple[ApplicationSummary, ...]:
        """Which parallel programs the jobs run, where the workload says it."""
        return application_summary(self.workload)

    @property
    def dependencies(self) -> DependencySummary | None:
        """How the jobs wait for each other, where the workload says that some do."""
        return None if self.refusal else dependency_summary(self.workload)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values for JSON; times in seconds."""
        header = self.workload.header
        return {
            "name": self.workload.name,
            "format": self.format,
            "sha256": self.workload.digest,
            "jobs": len(self.workload),
            "users": self.users,
            "accounts": self.accounts,
            "gpu_jobs": self.gpu_jobs,
            "most_gpus": self.most_gpus,
            "longest_ineligible_time": self.longest_ineligible,
            "first_submit": self.first_submit,
            "last_submit": self.last_submit,
            "last_end": self.last_end,
            "unix_start_time": header.unix_start_time,
            "time_zone": header.time_zone,
            "processors": self.processors,
            "max_procs": header.max_procs,
            "max_nodes": header.max_nodes,
            "peak": None if self.peak is None else asdict(self.peak),
            "waits": None if self.waits is None else asdict(self.waits),
            "groups": {kind: [asdict(one) for one in groups] for kind, groups in self.groups.items()},
            "utilization": self.utilization,
            "requested_time_share": self.requested,
            "tasks": None if self.tasks is None else asdict(self.tasks),
            "applications": [asdict(one) for one in self.applications],
            "dependencies": None if self.dependencies is None else asdict(self.dependencies),
            "transformations": list(transformations(self.workload)),
            "oddities": [asdict(oddity) for oddity in self.workload.oddities],
            "simulated": self.simulated,
            "dropped": [drop.to_dict() for drop in self.dropped],
            "refusal": self.refusal,
            "header": [{"label": label, "text": text} for label, text in header.lines],
        }


def describe(
    workload: Workload,
    *,
    processors: int | None = None,
    format: str | None = None,  # noqa: A002
    strict: bool = False,
) -> Description:
    """Return what is in `workload`.

    Parameters
    ----------
    workload : Workload
        At least one job.
    processors : int, optional
        Of the machine, >= 1. Default: the header's MaxProcs, else unknown.
    format : str, optional
        Name of its format, to be repeated.
    strict : bool, default False
        Raise if a simulation would drop a job.

    Raises
    ------
    InputError
        If there is no job, `processors` < 1, or `strict` and a job would be dropped.
    """
    if not len(workload):
        raise InputError("has no job", file=workload.name)
    machine = processors if processors is not None else workload.header.max_procs
    # A machine of unknown size is taken as large enough for every job.
    size = machine if machine is not None else max(1, int(workload.processors.max()))
    if size < 1:
        raise InputError(f"must be at least 1, got {size}", field="processors")
    try:
        instance = Instance.of(workload, size, strict=strict)
    except InputError as error:
        if strict:
            raise
        return Description(workload, format, machine, 0, (), error.problem)
    return Description(workload, format, machine, len(instance), instance.dropped, None)


def format_name(source: str, name: str | None = None) -> str | None:
    """Return the name of the format in which `source` is read, or None if it is in no file.

    Parameters
    ----------
    source : str
        As for `echelon.read_workload`, which has read it.
    name : str, optional
        The format asked for.
    """
    if name is not None:
        return format_named(name).name
    if source == "-" or names_model(source) or names_grid(source):
        return None
    path = Path(source)
    if path.exists() and not path.is_file():
        return None  # a pipe or a device, which has given what it had
    if not path.is_file():
        path = datasets.find(source) or path
    with path.open("rb") as file:
        head = file.read(_HEAD)
    if head.startswith(b"\x1f\x8b"):
        with gzip.open(path) as packed:
            head = packed.read(_HEAD)
    return format_of(str(path), head).name
