"""Result: one run, with the tables and numbers people want from it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.experiments.tables.dependencies import dependency_columns
from echelon.metrics import Measured, measure
from echelon.metrics.columns.job_values import preemptions, switch_time
from echelon.model.jobs.columns import code_names, distinct, has_groups
from echelon.model.jobs.fields import UNKNOWN
from echelon.model.schedules.features import Feature
from echelon.policies import estimator_capabilities, format_estimator

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import polars as pl
    from numpy.typing import ArrayLike

    from echelon.engine.contract import Scenario
    from echelon.experiments.summaries.explanation.explanation import Explanation
    from echelon.metrics import LogWaits, Metric, Trace
    from echelon.model import Instance, Platform, Schedule, Workload
    from echelon.model.jobs.columns import IntColumn

_NAMED = ("account", "reservation", "state")
"""Columns of a log's accounting whose codes have names."""

SITE = "cluster"
"""Name of the one site of a run on one machine."""


@dataclass(frozen=True)
class Result:
    """What one simulation gave.

    Parameters
    ----------
    scenario : Scenario
        What was run.
    schedule : Schedule
        When each job started.
    engine : {"reference", "compiled"}
        Which engine decided: what started when, and where.
    seconds : float
        Wall-clock time of the engine, in seconds.
    own : tuple of Metric, default empty
        Metrics of the user's own, measured beside the built-in ones.
    projections : {"", "reference", "compiled"}, default ""
        On a multicluster, which engine simulated the clusters' queues for forecasts, to the last bit alike.
    history : str, optional
        Where the run was recorded, without any password; None: nowhere.
    random_streams : tuple of str, default empty
        Names of the random streams that the simulation drew under its seed, in alphabetical order. With none
        it is the same under every seed; what its jobs were drawn from is not among them.
    varied : tuple of pairs of str, default empty
        In a comparison, settings that vary and that the label of the run does not tell, with their values.
    compares_waits : bool, optional
        Whether files and reports show the waits of the log beside the simulated ones. Default: if the log is
        the accounting of a batch system.
    is_dated : bool, default False
        Whether ``jobs.csv`` has dates, too.
    specs : tuple of (str, object), default empty
        Settings that name rules that are not built in, each with its spec as it was given.
    job_changes : tuple of (str, object), default empty
        Settings that changed the jobs before they were simulated, each with its value.
    """

    scenario: Scenario
    schedule: Schedule
    engine: str
    seconds: float
    own: tuple[Metric, ...] = ()
    projections: str = ""
    history: str | None = None
    random_streams: tuple[str, ...] = ()
    varied: tuple[tuple[str, str], ...] = ()
    compares_waits: bool | None = None
    is_dated: bool = False
    specs: tuple[tuple[str, Any], ...] = ()
    job_changes: tuple[tuple[str, Any], ...] = ()

    @property
    def instance(self) -> Instance:
        """The jobs simulated, with the run times they had, and the machine."""
        return self.schedule.instance

    @property
    def workload(self) -> Workload:
        """The workload they come from."""
        return self.instance.workload

    @property
    def processors(self) -> int:
        """Processors of the machine, or of all sites together."""
        return self.instance.processors

    @property
    def platform(self) -> Platform | None:
        """The sites of the grid; None on one machine."""
        return self.instance.platform

    @property
    def power_cap(self) -> float | None:
        """Most that the machine was allowed to draw, in W; None without a limit."""
        rules = self.scenario.nodes
        return rules.power_cap if rules is not None and np.isfinite(rules.power_cap) else None

    @property
    def unix_start_time(self) -> float | None:
        """Unix time of the log's second 0, where its header says it."""
        return self.workload.header.unix_start_time

    @property
    def time_zone(self) -> str | None:
        """The log's time zone, where its header says it."""
        return self.workload.header.time_zone

    @property
    def policy(self) -> str:
        """The canonical spec of the policy."""
        return self.scenario.policy.name

    @property
    def broker(self) -> str | None:
        """The canonical spec of the broker or the protocol that chose the sites; None on one machine.

        In a tree of sites first the broker of the root, then those of inner sites: ``mct@spain=ml``.
        """
        from echelon.experiments.systems.grid import broker_text

        return broker_text(self.scenario)

    @property
    def label(self) -> str:
        """What the run is called beside others: ``easy``, on a grid ``mpl a=0.5 + easy``."""
        from echelon.experiments.systems.grid import label_of_scenario

        return label_of_scenario(self.scenario, self.varied)

    @property
    def estimator(self) -> str:
        """The canonical spec of the estimator."""
        return format_estimator(self.scenario.estimator)

    @cached_property
    def metrics(self) -> dict[str, int | float]:
        """Every metric of `echelon.metrics.METRICS` by name, then the user's own; times in seconds."""
        return measure(self.measured, self.own)

    @cached_property
    def measured(self) -> Measured:
        """What metrics and tables are worked out from, each column once."""
        return Measured(self.schedule)

    def let_go(self) -> None:
        """Forget the columns behind metrics and tables; another metric has them made again."""
        self.__dict__.pop("measured", None)

    def explain(self, job: int | str) -> Explanation:
        """Return why a job started when it did; see `echelon.explain`.

        Parameters
        ----------
        job : int or str
            The job, by its number or name in the log.

        Returns
        -------
        Explanation
            From another run of the scenario, in the reference engine.

        Raises
        ------
        InputError
            If no job has this name.
        """
        from echelon.experiments.summaries.explanation.explain import explain_scenario

        return explain_scenario(self.scenario, job, is_settled=True)

    def measure(self, metric: str | Metric) -> int | float:
        """Return one more metric of the user's own: made with `echelon.metric`, or ``"FILE.py:NAME"``."""
        from echelon.metrics import own_metrics

        return own_metrics([metric])[0].value(self.measured)

    def trace(self, metric: str, *, times: ArrayLike | None = None) -> Trace:
        """Return the value of a metric as the run proceeded; see `echelon.metrics.trace`."""
        from echelon.metrics import trace

        return trace(self.schedule, metric, times=times)

    def traces(self, *, times: ArrayLike | None = None) -> pl.DataFrame:
        """Return all traces as a table: ``time`` in seconds, then a column a metric of `TRACED`."""
        # A heavy library that only tables need.
        import polars as pl

        from echelon.metrics import traces

        trace_by_name = traces(self.schedule, times=times)
        time = next(iter(trace_by_name.values())).time
        return pl.DataFrame({"time": time, **{name: trace.value for name, trace in trace_by_name.items()}})

    @cached_property
    def jobs(self) -> pl.DataFrame:
        """One row a simulated job, in the workload's order: the columns of ``jobs.csv``, times in seconds."""
        # A heavy library that only tables need.
        import polars as pl

        instance, schedule = self.instance, self.schedule
        kept, table = instance.kept, self.workload
        measured = self.measured
        ids: Any = table.job_id[kept] if table.labels is None else [table.labels[i] for i in kept]
        columns: dict[str, Any] = {
            "job_id": self._share_column("job_id", lambda: pl.Series(ids)),
            "submit_time": self._share_column("submit_time", lambda: pl.Series(instance.submit_time)),
            "start_time": schedule.start_time,
            "end_time": measured.end,
            "run_time": self._run_time(),
            "requested_time": self._share_column("requested_time", lambda: pl.Series(measured.requested)),
            "processors": self._share_column("processors", lambda: pl.Series(instance.size)),
            "wait_time": measured.wait,
            "turnaround_time": measured.delay + measured.run,
            "bounded_slowdown": measured.bounded_slowdown,
            "site": self._sites(schedule.site),
            "status": self._status(),
            "user": self._names("user"),
        }
        columns |= dependency_columns(measured)
        if self._has_homes:
            columns["home_site"] = self._sites(schedule.home_site)
        if estimator_capabilities(self.scenario.estimator).predicts:
            columns["planned_time"] = schedule.planned_time
        if instance.estimates == "kill":
            columns["killed_at"] = pl.Series(schedule.end_time).set(pl.Series(~measured.killed), None)
        if (table.int_column("queue")[kept] != UNKNOWN).any():
            columns["queue"] = self._names("queue")
        columns |= self._accounting()
        if not self._has_homes and (table.int_column("partition")[kept] != UNKNOWN).any():
            columns["partition"] = self._names("partition")
        if schedule.interrupted:
            columns["preemptions"] = preemptions(schedule)
            columns["response_time"] = schedule.response_time
            columns["suspended_time"] = schedule.suspended_time
            columns["switch_time"] = switch_time(schedule)
        if Feature.ATTEMPTS in measured.has:
            from echelon.experiments.tables.change_tables import change_columns

            columns |= change_columns(measured)
        if not self._is_counted:
            columns |= _columns_of_places(measured)
            columns |= self._queues()
        return pl.DataFrame(columns)

    @property
    def _has_homes(self) -> bool:
        """Whether it is known at which site jobs were submitted; the log's partitions are these sites."""
        homes = self.schedule.home_site
        return homes is not None and bool((homes >= 0).any())

    @property
    def _is_counted(self) -> bool:
        """Whether the machine is a number of processors: then nothing on nodes and sites is loaded."""
        return self.platform is None and self.instance.hardware is None

    def _queues(self) -> dict[str, Any]:
        """Return the column of queues where there are sites, some of which may have several."""
        if self.platform is None:
            return {}
        from echelon.experiments.tables.queue_column import queue_column

        return queue_column(self.scenario, self.schedule)

    @cached_property
    def segments(self) -> pl.DataFrame | None:
        """One row a time a job held processors: the columns of ``segments.csv``, in seconds.

        None if no job was preempted and no switch charged: then every job ran from its start to its end.
        """
        import polars as pl

        if (attempts := self.schedule.segments) is None:
            return None
        ids = self.jobs["job_id"].gather(attempts.job)
        size = self.instance.size[attempts.job]
        return pl.DataFrame(
            {
                "job_id": ids,
                "row": attempts.job,
                "start_time": attempts.start,
                "end_time": attempts.end,
                "processors": size,
            }
        )

    @cached_property
    def attempts(self) -> pl.DataFrame | None:
        """One row a time a job held processors, and why it lost them: the columns of ``attempts.csv``.

        None if the machine never changed, and no job was canceled or had a deadline.
        """
        if Feature.ATTEMPTS not in self.measured.has:
            return None
        from echelon.experiments.tables.change_tables import attempt_table

        return attempt_table(self.measured, self.jobs["job_id"])

    @cached_property
    def outages(self) -> pl.DataFrame | None:
        """One row an outage of a node: the columns of ``outages.csv``; None if there was none."""
        if Feature.OUTAGES not in self.measured.has:
            return None
        from echelon.experiments.tables.change_tables import outage_table

        return outage_table(self.schedule)

    @cached_property
    def reservations(self) -> pl.DataFrame | None:
        """One row an advance reservation: the columns of ``reservations.csv``; None if there was none."""
        if not self.scenario.changes.reservations and Feature.RESERVATIONS not in self.measured.has:
            return None
        from echelon.experiments.tables.change_tables import never_began, reservation_table

        never = never_began(self.scenario.changes.reservations, self.schedule.reservations)
        return reservation_table(self.measured, never)

    @cached_property
    def sites(self) -> pl.DataFrame | None:
        """One row a site of the grid; see `echelon.metrics.per_site`. None on one machine."""
        if self.platform is None:
            return None
        from echelon.metrics import per_site

        return per_site(self.schedule)

    @cached_property
    def replicas(self) -> pl.DataFrame | None:
        """One row a copy of a job: the columns of ``replicas.csv``; None if no job had two."""
        if self._is_counted:
            return None
        from echelon.experiments.tables.place_table import replica_table

        return replica_table(self.schedule, self.jobs["job_id"])

    @cached_property
    def holdings(self) -> pl.DataFrame | None:
        """One row for the cores that equal tasks of a job held in one processor: as ``holdings.csv``.

        None if the machine's nodes are not modeled individually.
        """
        if self._is_counted:
            return None
        from echelon.experiments.tables.place_table import holding_table

        return holding_table(self.schedule, self.jobs["job_id"])

    @cached_property
    def nodes(self) -> pl.DataFrame | None:
        """One row a node; see `echelon.metrics.per_node`. None if nodes are not modeled individually.

        On a multicluster those of `echelon.metrics.per_shared_node`, of sites with nodes of both kinds both.
        """
        if not self.measured.has & (Feature.CORES | Feature.PLACES):
            return None
        from echelon.metrics.tables.nodes.node_table import node_table

        return node_table(self.measured)

    @cached_property
    def places(self) -> pl.DataFrame | None:
        """One row a job and cluster in which it had tasks: the columns of ``places.csv``.

        None if not on a multicluster.
        """
        nodes = self.measured.shared_nodes
        return None if nodes is None else nodes.table(self.jobs["job_id"])

    @cached_property
    def forecasts(self) -> pl.DataFrame | None:
        """One row a forecast beside what happened: the columns of ``forecasts.csv``; None if there are none.

        Wall-clock seconds, its last column, are all that differs when the run is repeated.
        """
        if not self.schedule.forecasts:
            return None
        from echelon.metrics import forecast_table

        return forecast_table(self.schedule, self.jobs["job_id"])

    @cached_property
    def accuracy(self) -> pl.DataFrame | None:
        """Accuracy of each estimator that forecast; see `echelon.metrics.accuracy_table`."""
        if self.forecasts is None:
            return None
        from echelon.metrics import accuracy_table

        return accuracy_table(self.forecasts)

    @cached_property
    def rejected(self) -> pl.DataFrame | None:
        """One row a job that a run did not run: the columns of ``rejected.csv``.

        None if it ran all, or if there was no global queue and nothing changed.
        """
        import polars as pl

        dropped = [drop for drop in self.instance.dropped if drop.is_rejected]
        with_ends = self.schedule.delivered is not None or Feature.ATTEMPTS in self.measured.has
        if not with_ends or not dropped:
            return None
        table = self.workload
        positions = [position for drop in dropped for position in drop.positions]
        return pl.DataFrame(
            {
                "job_id": [table.label(position) for position in positions],
                "submit_time": table.submit_time[positions],
                "processors": table.processors[positions],
                "reason": [drop.reason for drop in dropped for _ in drop.positions],
            }
        )

    @cached_property
    def power(self) -> pl.DataFrame | None:
        """What the machine drew over time: the columns of ``power.csv``.

        None if nodes are not modeled individually or their power is unknown.
        """
        if self._is_counted:
            return None
        from echelon.experiments.tables.place_table import power_table

        return power_table(self.measured)

    @cached_property
    def users(self) -> pl.DataFrame:
        """One row a user: jobs, area, waits; see `echelon.metrics.per_user`."""
        from echelon.metrics import per_user

        return per_user(self.measured)

    @cached_property
    def partitions(self) -> pl.DataFrame | None:
        """One row a partition; see `echelon.metrics.per_code`.

        None if the log has not at least two, or if they are the home sites of the jobs.
        """
        return None if self._has_homes else self._groups("partition")

    @cached_property
    def queues(self) -> pl.DataFrame | None:
        """One row a queue, in Slurm's accounting a QOS; see `partitions`."""
        return self._groups("queue")

    @cached_property
    def accounts(self) -> pl.DataFrame | None:
        """One row an account that is charged; see `partitions`."""
        return self._groups("account")

    def _groups(self, column: str) -> pl.DataFrame | None:
        if not has_groups(self.workload, column):
            return None
        from echelon.metrics import per_code

        return per_code(self.measured, column)

    @cached_property
    def log_waits(self) -> LogWaits | None:
        """The waits that the log records beside the simulated ones; None if it records none."""
        from echelon.metrics import log_waits

        return log_waits(self.schedule)

    @property
    def shown_waits(self) -> LogWaits | None:
        """What files and reports show of `log_waits`: all of it, or None."""
        wanted = self.compares_waits
        return self.log_waits if (self.workload.header.is_accounting if wanted is None else wanted) else None

    @property
    def shows_log_waits(self) -> bool:
        """Whether files and reports show the waits of the log beside the simulated ones."""
        return self.shown_waits is not None

    @property
    def log_wait_table(self) -> pl.DataFrame | None:
        """The columns of ``log_waits.csv``: one row a job whose wait the log records; None without any."""
        return None if self.log_waits is None else self.log_waits.to_frame(self.jobs["job_id"])

    @property
    def dated_jobs(self) -> pl.DataFrame:
        """`jobs` with dates in ISO 8601, as ``jobs.csv`` has them with ``--dates iso``.

        Raises
        ------
        InputError
            If the log does not say when it began.
        """
        from echelon.experiments.tables.dates import with_dates

        return with_dates(self.jobs, self.workload)

    @cached_property
    def classes(self) -> pl.DataFrame:
        """One row a class of size and length; see `echelon.metrics.per_class`."""
        from echelon.metrics import per_class

        return per_class(self.measured)

    def _accounting(self) -> dict[str, Any]:
        """Return what the log's accounting says of the jobs, where it says anything."""
        import polars as pl

        table, kept = self.workload, self.instance.kept
        columns: dict[str, Any] = {}
        for name in table.accounting:
            values = table.accounting[name][kept]
            if (values != UNKNOWN).any():
                plain = pl.Series(values).set(pl.Series(values == UNKNOWN), None)
                columns[name] = self._names(name) if name in _NAMED else plain
        return columns

    def codes(self, column: str) -> tuple[IntColumn, list[str | None]]:
        """Return a column of the log such as ``"user"`` as places in a list of names, and this list.

        A name is None where the log has none. Cost: O(n).
        """

        def encode() -> tuple[IntColumn, list[str | None]]:
            codes, index = distinct(self.workload.int_column(column)[self.instance.kept])
            return index, code_names(self.workload, column, codes.tolist())

        return self.instance.once(f"{column} in codes", encode)

    def _run_time(self) -> pl.Series:
        """Return how long jobs ran: as in all runs of them, or less where some did not complete."""
        import polars as pl

        if self.schedule.tells_attempts:
            return pl.Series(self.measured.run)
        return self._share_column("run_time", lambda: pl.Series(self.instance.run_time))

    def _status(self) -> pl.Series:
        """Return what became of each job, as a keyword."""
        if self.schedule.status is not None:
            from echelon.experiments.tables.change_tables import STATUSES

            return _pick_texts(self.schedule.status.astype(np.int64), [*STATUSES])
        return self._share_column(
            "status", lambda: _pick_texts(self.instance.killed.astype(np.int64), ["completed", "killed"])
        )

    def _names(self, column: str) -> pl.Series:
        return self._share_column(column, lambda: _pick_texts(*self.codes(column)))

    def _share_column(self, column: str, make: Callable[[], pl.Series]) -> pl.Series:
        """Return a column of ``jobs.csv`` that is the same in all runs of these jobs."""
        return self.instance.once(f"{column} of the table of jobs", make)

    def _sites(self, places: IntColumn | None) -> pl.Series:
        """Return the names of sites, null where the place is -1; of one machine `SITE`."""
        if self.platform is None or places is None:
            return self._share_column(
                "site", lambda: _pick_texts(np.zeros(len(self.instance), dtype=np.int64), [SITE])
            )
        # An unknown place, -1, is the last of these texts.
        return _pick_texts(places % (len(self.platform) + 1), [*self.platform.names, None])

    def _repr_html_(self) -> str:
        """Return the main metrics as a table, which a notebook shows."""
        from echelon.experiments.notebook import run_table

        return run_table(self)

    def __repr__(self) -> str:
        return (
            f"Result({self.label!r}, {len(self.instance)} jobs, mean wait {self.metrics['mean_wait']:.2f} s)"
        )


def _pick_texts(index: np.ndarray[Any, Any], texts: list[str | None]) -> pl.Series:
    """Return ``texts[index]`` as a column of text without making a Python string a row."""
    import polars as pl

    return pl.Series(texts, dtype=pl.String).gather(index)


def _columns_of_places(measured: Measured) -> dict[str, Any]:
    """Return the columns of jobs that only nodes, clusters and time-shared machines have."""
    from echelon.experiments.tables.place_table import (
        cluster_job_columns,
        immediate_job_columns,
        place_columns,
    )

    return place_columns(measured) | cluster_job_columns(measured) | immediate_job_columns(measured)


def kind_of(results: Sequence[Result]) -> str:
    """Return what the runs of a comparison are: each a policy, or a run with further rules."""
    alone = all(result.platform is None and result.label == result.policy for result in results)
    return "policy" if alone else "run"
