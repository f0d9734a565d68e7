"""Workload: the jobs of a log or a model, as immutable columns."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError, UnknownNameError
from echelon.model.jobs.columns import FloatColumn, IntColumn, float_column, int_column, read_only
from echelon.model.jobs.fields import ACCOUNTING_FIELDS, ACCOUNTING_NAMES, FIELD_NAMES, FIELDS, UNKNOWN
from echelon.model.jobs.header import Header
from echelon.model.jobs.job import JobRecord

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from numpy.typing import ArrayLike

    from echelon.model.jobs.applications import Applications
    from echelon.model.jobs.demands import Demands
    from echelon.model.jobs.dependencies import Dependencies

_OF_TASKS = {"run_time", "allocated_processors", "requested_processors"}
"""Columns that say of the job as a whole what its demands say of its tasks."""


@dataclass(frozen=True, slots=True)
class Anomaly:
    """An anomaly that a reader found in a file, and how it was read.

    Parameters
    ----------
    kind : str
        A short kebab-case name: ``"unsorted"``, ``"extra-columns"`` ...
    count : int
        Number of lines (or jobs) with it.
    sentence : str
        The anomaly, and how it was handled.
    first_line : int, optional
        1-based number of the first line with it.
    """

    kind: str
    count: int
    sentence: str
    first_line: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Workload:
    """Jobs as columns: submit times, sizes, run times, users.

    Every column is read-only and has shape (n_jobs,), in the order of the file; -1 means unknown.
    Build one with `Workload.from_columns` or a reader of `echelon.workloads`; change one with `take`,
    `with_columns` or the transforms of `echelon.workloads.transform`.

    Parameters
    ----------
    columns : mapping of str to column
        All 18 of `echelon.model.jobs.fields.FIELDS`, in that table's units.
    header : Header, default empty
        The header of the log.
    name : str, default ``"workload"``
        The file's or model's name, for titles and messages.
    labels : tuple of str, optional
        The log's own job names where they are not whole numbers (Slurm's ``5312850_12``), one a job.
    names : mapping of str to tuple of str, default empty
        Names behind the codes of a column (``"user"``, ``"group"``, ``"queue"`` ...), where the log has
        them: code c is the name at index c - 1.
    anomalies : tuple of Anomaly, default empty
        Anomalies that the reader found.
    digest : str, default ``""``
        SHA-256 of the file's bytes, in hexadecimal, or empty.
    file : str, default ``""``
        The file as the user named it, for messages; empty if there was none.
    demands : Demands, optional
        Demands of the jobs' tasks on nodes and cores, if the file has them; one a job.
    applications : Applications, optional
        The parallel programs that the jobs run, if the file has them; one a job.
    accounting : mapping of str to column, default empty
        Those of `echelon.model.jobs.fields.ACCOUNTING_FIELDS` that the log has: GPUs, accounts, and how long
        a job that was submitted could not be scheduled yet. Times of submission and waits count from when it
        could.
    dependencies : Dependencies, optional
        Predecessors of jobs, if a file has more than one a job; one row a job. Those of
        the columns ``preceding_job`` and ``think_time`` come on top: see `echelon.model.Instance.of`.

    Raises
    ------
    InputError
        If a column is missing, or columns or labels are not equally long.
    """

    columns: Mapping[str, FloatColumn | IntColumn]
    header: Header = field(default_factory=Header)
    name: str = "workload"
    labels: tuple[str, ...] | None = None
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    anomalies: tuple[Anomaly, ...] = ()
    digest: str = ""
    file: str = ""
    demands: Demands | None = None
    applications: Applications | None = None
    dependencies: Dependencies | None = None
    accounting: Mapping[str, FloatColumn | IntColumn] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if missing := [name for name in FIELD_NAMES if name not in self.columns]:
            raise InputError(f"a workload needs all 18 columns, missing: {', '.join(missing)}")
        lengths = {name: len(column) for name, column in (*self.columns.items(), *self.accounting.items())}
        if len(set(lengths.values())) > 1:
            raise InputError(f"columns must be equally long, got {lengths}")
        for problem, rows in (
            ("labels must name every job, got", self.labels),
            ("needs one demand a job, got", self.demands),
            ("needs one application a job, got", self.applications),
            ("needs dependencies of every job, got those of", self.dependencies),
        ):
            if rows is not None and len(rows) != len(self):
                raise InputError(f"{problem} {len(rows)} for {len(self)} jobs")

    @classmethod
    def from_columns(
        cls, *, name: str = "workload", header: Header | None = None, **columns: ArrayLike
    ) -> Workload:
        """Return a workload from named columns; missing columns are unknown.

        Parameters
        ----------
        name : str, default ``"workload"``
            Name for titles and messages.
        header : Header, optional
            Default: empty.
        **columns : array-like, shape (n_jobs,)
            Columns with the names and units of `echelon.model.jobs.fields.FIELDS` and of
            `echelon.model.jobs.fields.ACCOUNTING_FIELDS`. ``processors`` stands for
            ``requested_processors``. ``job_id`` defaults to 1, 2, 3 ... At least one column is needed.

        Raises
        ------
        InputError
            If a column has another length or is not numbers, or a time is not finite.
        UnknownNameError
            If a column's name is not a field.
        """
        if "processors" in columns:
            columns["requested_processors"] = columns.pop("processors")
        for column_name in columns:
            if column_name not in (*FIELD_NAMES, *ACCOUNTING_NAMES):
                raise UnknownNameError("column", column_name, [*FIELD_NAMES, "processors", *ACCOUNTING_NAMES])
        if not columns:
            raise InputError("a workload needs at least one column, got none")
        n_jobs = len(np.atleast_1d(np.asarray(next(iter(columns.values())))))
        columns.setdefault("job_id", np.arange(1, n_jobs + 1))
        built: dict[str, FloatColumn | IntColumn] = {}
        for spec in (*FIELDS, *(spec for spec in ACCOUNTING_FIELDS if spec.name in columns)):
            values = columns.get(spec.name, np.full(n_jobs, UNKNOWN))
            built[spec.name] = (float_column if spec.kind == "float" else int_column)(values, spec.name)
            if spec.kind == "float" and not np.isfinite(built[spec.name]).all():
                position = int(np.flatnonzero(~np.isfinite(built[spec.name]))[0])
                raise InputError(
                    f"must be finite, got {built[spec.name][position]} at position {position}; -1 is unknown",
                    field=spec.name,
                )
        accounting = {column: built.pop(column) for column in ACCOUNTING_NAMES if column in built}
        known_columns = {column: values for column, values in accounting.items() if (values != UNKNOWN).any()}
        return cls(built, header if header is not None else Header(), name, accounting=known_columns)

    def __len__(self) -> int:
        """Return the number of jobs."""
        return len(self.columns["job_id"])

    def __repr__(self) -> str:
        return f"Workload({self.name!r}, {len(self)} jobs)"

    def _repr_html_(self) -> str:
        """Return the jobs as a table, which a notebook shows; of many the first and the last five."""
        from echelon.model.jobs.html_table import workload_table

        return workload_table(self)

    def __eq__(self, other: object) -> bool:
        """Two workloads are equal when their jobs are: columns, labels, accounting, demands, applications."""
        if not isinstance(other, Workload):
            return NotImplemented
        parts = ("labels", "demands", "applications", "dependencies")
        same = all(getattr(self, name) == getattr(other, name) for name in parts)
        same = same and self.accounting.keys() == other.accounting.keys()
        own, others = {**self.columns, **self.accounting}, {**other.columns, **other.accounting}
        return same and all(np.array_equal(own[name], others[name]) for name in own)

    __hash__ = None  # type: ignore[assignment]

    def __getitem__(self, position: int) -> JobRecord:
        """Return the job at `position` (0-based, negative from the end) as a record."""
        size = len(self)
        if not -size <= position < size:
            raise IndexError(f"position {position} of a workload of {size} jobs")
        values: dict[str, Any] = {name: self.columns[name][position].item() for name in FIELD_NAMES}
        allocated, requested = values["allocated_processors"], values["requested_processors"]
        size = allocated if allocated > 0 else requested if requested > 0 else UNKNOWN
        return JobRecord(**values, processors=size)

    def __iter__(self) -> Iterator[JobRecord]:
        """Yield every job as a record, in the file's order."""
        columns = [self.columns[name].tolist() for name in FIELD_NAMES]
        return map(JobRecord._make, zip(*columns, self.processors.tolist(), strict=True))

    def float_column(self, name: str) -> FloatColumn:
        """Return one of the columns measured in seconds or kilobytes."""
        return np.asarray(self._column(name), dtype=np.float64)

    def int_column(self, name: str) -> IntColumn:
        """Return one of the columns of counts and codes."""
        return np.asarray(self._column(name), dtype=np.int64)

    def _column(self, name: str) -> FloatColumn | IntColumn:
        """Return a column by its name; values missing in the log's accounting are unknown."""
        if name in ACCOUNTING_NAMES:
            return self.accounting.get(name, np.full(len(self), UNKNOWN))
        return self.columns[name]

    @property
    def oddities(self) -> tuple[Anomaly, ...]:
        """An earlier name of `anomalies`."""
        return self.anomalies

    @property
    def job_id(self) -> IntColumn:
        """The log's job numbers."""
        return self.int_column("job_id")

    @property
    def submit_time(self) -> FloatColumn:
        """Submit times, in seconds."""
        return self.float_column("submit_time")

    @property
    def run_time(self) -> FloatColumn:
        """Run times in the log, in seconds."""
        return self.float_column("run_time")

    @property
    def requested_time(self) -> FloatColumn:
        """The users' estimates of the run times, in seconds."""
        return self.float_column("requested_time")

    @property
    def processors(self) -> IntColumn:
        """Processors of each job: allocated, otherwise requested, otherwise -1."""
        allocated, requested = (
            self.int_column("allocated_processors"),
            self.int_column("requested_processors"),
        )
        return np.where(allocated > 0, allocated, np.where(requested > 0, requested, UNKNOWN))

    @property
    def user(self) -> IntColumn:
        """Codes of the users."""
        return self.int_column("user")

    def label(self, position: int) -> str:
        """Return the log's own name of the job at `position`."""
        return self.labels[position] if self.labels is not None else str(self.job_id[position])

    def take(self, positions: IntColumn) -> Workload:
        """Return the jobs at `positions` (0-based, or a mask of shape (n_jobs,)), in that order."""
        index = np.flatnonzero(positions) if positions.dtype == np.bool_ else positions
        columns = {name: read_only(column[index]) for name, column in self.columns.items()}
        accounting = {name: read_only(column[index]) for name, column in self.accounting.items()}
        labels = None if self.labels is None else tuple(self.labels[i] for i in index)
        parts = {
            name: part.take(np.asarray(index))
            for name in ("demands", "applications", "dependencies")
            if (part := getattr(self, name)) is not None
        }
        return replace(self, columns=columns, labels=labels, accounting=accounting, **parts)

    def with_columns(self, **columns: ArrayLike) -> Workload:
        """Return this workload with some columns replaced; names and units as in `from_columns`.

        Demands of tasks are dropped when sizes or run times are replaced, which they would contradict.
        """
        built, accounting = dict(self.columns), dict(self.accounting)
        kinds = {spec.name: spec.kind for spec in (*FIELDS, *ACCOUNTING_FIELDS)}
        for name, values in columns.items():
            if name not in kinds:
                raise UnknownNameError("column", name, tuple(kinds))
            column = (float_column if kinds[name] == "float" else int_column)(values, name)
            (accounting if name in ACCOUNTING_NAMES else built)[name] = column
        demands = None if _OF_TASKS & set(columns) else self.demands
        return replace(self, columns=built, demands=demands, accounting=accounting)

    def with_dependencies(
        self, predecessor: ArrayLike, successor: ArrayLike, *, delay: ArrayLike | None = None
    ) -> Workload:
        """Return this workload with these dependencies in place of its own.

        Those of ``preceding_job`` stay.

        Parameters
        ----------
        predecessor, successor : array-like of int, shape (n_edges,)
            0-based positions: successor[k] joins the queue when predecessor[k] has ended.
        delay : array-like of float, shape (n_edges,), optional
            Delay after that, in seconds, >= 0. Default: 0.

        Raises
        ------
        InputError
            If a position or a delay is invalid, or jobs wait for each other in a circle.
        """
        before, after = int_column(predecessor, "predecessor"), int_column(successor, "successor")
        waits = np.zeros(len(before)) if delay is None else float_column(delay, "delay")
        if not len(before) == len(after) == len(waits):
            problem = f"must be equally long, got {len(before)}, {len(after)} and {len(waits)}"
            raise InputError(problem, field="predecessor, successor, delay")
        from echelon.model.jobs.dependencies import Dependencies

        edges = Dependencies.of_edges(len(self), before, after, delay=waits)
        return replace(self, dependencies=edges)
