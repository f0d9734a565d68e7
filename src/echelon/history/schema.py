"""The tables of a history: the repository of M-CISNE, adapted, and the meaning of each column.

The comments are the documentation: the reference lists them, and PostgreSQL keeps them with the tables.

**Source**: M-CISNE thesis, appendix B (seven entities), whose names are in `WAS`. What differs and why is in
decision 38.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Double,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

from echelon.databases.ownership import column, version_table

VERSION = 1
"""Version of the tables; it increases when they change."""

SCHEMA = MetaData()


def _number(meaning: str) -> Column[int]:
    """Return the column of a table's own numbers."""
    return Column("id", Integer, primary_key=True, comment=meaning)


def _key(name: str, meaning: str, *references: ForeignKey) -> Column[int]:
    """Return a column of a key of several columns, such as the position of a job in its run."""
    return Column(name, Integer, *references, primary_key=True, autoincrement=False, comment=meaning)


def _reference(name: str, to: str, meaning: str) -> Column[int]:
    """Return a column that is the number of a row of another table."""
    return Column(name, Integer, ForeignKey(to), nullable=False, comment=meaning)


def _of_job(name: str) -> ForeignKeyConstraint:
    """Return the constraint that a row belongs to a job.

    Of a pair only the first job is checked: a pair is made of two jobs of one run in the transaction that
    inserts both, and each check would cost as much as the row.
    """
    return ForeignKeyConstraint(["experiment", name], ["jobs.experiment", "jobs.job"], ondelete="CASCADE")


version = version_table("history_version", SCHEMA, of="a history")

policies = Table(
    "policies",
    SCHEMA,
    _number("number of the policy"),
    Column("name", Text, nullable=False, unique=True, comment="spec of the policy, as in the command line"),
    column("description", Text, "free text; may be empty"),
    comment="Scheduling policies of runs.",
)

applications = Table(
    "applications",
    SCHEMA,
    _number("number of the application"),
    column("name", Text, "the executable, or its code in the log; empty if unknown"),
    column("compute_share", Double, "share of its dedicated time in which it computes, 0 to 1"),
    column("memory", Double, "that each task holds, in bytes"),
    column("bandwidth", Double, "that each task needs on its node's link, in bytes a second"),
    column("library", Text, "message-passing library that it needs; empty: any"),
    column("requires", Text, "further software that it needs, names separated by blanks"),
    UniqueConstraint("name", "compute_share", "memory", "bandwidth", "library", "requires"),
    comment="Parallel programs that jobs ran.",
)

nodes = Table(
    "nodes",
    SCHEMA,
    _number("number of the node"),
    column("platform", Text, "name of the multicluster"),
    column("site", Text, "name of the cluster"),
    column("number", Integer, "of the node in its cluster, from 0"),
    column("type", Text, "name of its type; may be empty"),
    column("power", Double, "relative power P, above 0 to 1"),
    column("processors", Integer, "that tasks and the owner share"),
    column("memory", Double, "in bytes; may be infinite"),
    column("bandwidth", Double, "capacity of its link, in bytes a second; may be infinite"),
    column("mpl", Integer, "most parallel tasks in it at once, by the social contract"),
    column(
        "memory_share", Double, "largest share of its memory that parallel tasks may hold, by the contract"
    ),
    column("bandwidth_share", Double, "largest share of its link that they may demand, by the contract"),
    column(
        "cpu_share", Double, "largest share of its processors that they get beside its owner, by the contract"
    ),
    UniqueConstraint(
        *("platform", "site", "number", "type", "power", "processors", "memory", "bandwidth"),
        *("mpl", "memory_share", "bandwidth_share", "cpu_share"),
    ),
    comment="Nodes of clusters; a changed node is a new node.",
)

experiments = Table(
    "experiments",
    SCHEMA,
    _number("number of the run, in the order in which runs were recorded"),
    column("recorded_at", DateTime, "when it was recorded, in UTC"),
    column("workload", Text, "name of the workload"),
    column("platform", Text, "name of the multicluster, grid or machine"),
    _reference("policy", "policies.id", "policy of the run"),
    column("estimator", Text, "spec of the estimator that decided; empty if none did"),
    column("settings", Text, "all other settings of the run, as in its command line or scenario"),
    column("seed", BigInteger, "seed of its random choices", optional=True),
    column("valid", Boolean, "whether estimators may learn from it"),
    Index("experiments_by_platform", "platform", "policy"),
    sqlite_autoincrement=True,  # the number of a run that was forgotten is given to no other
    comment="Runs.",
)

jobs = Table(
    "jobs",
    SCHEMA,
    _key("experiment", "of which run", ForeignKey("experiments.id", ondelete="CASCADE")),
    _key("job", "position of the job in its run, from 0"),
    column("label", Text, "its name in the log"),
    _reference("application", "applications.id", "its application"),
    column("user_name", Text, "user who submitted it: the log's code; empty if unknown"),
    column("queue_name", Text, "to which queue of the log; empty if unknown"),
    column("site", Text, "name of the cluster that it ran in"),
    column("nodes", Integer, "that it needed, one task each"),
    column("submit_time", Double, "when it was submitted, in s since the run's second 0"),
    column("deliver_time", Double, "when it joined its cluster's queue, in s"),
    column("start_time", Double, "when it started, in s"),
    column("end_time", Double, "when it ended, in s"),
    column("dedicated_time", Double, "what it takes alone on dedicated nodes of full power, in s"),
    column("used_work", Double, "processor-seconds that it computes there"),
    column("waiting_jobs", Integer, "jobs in the queue that it joined"),
    column("waiting_work", Double, "processor-seconds that those compute on dedicated nodes"),
    column("mpl", Integer, "most tasks in one of its nodes right after its start, itself included"),
    column("error", Text, "killed: cut at its request; empty: it ended by itself"),
    Index("jobs_by_end", "experiment", "end_time"),
    comment="Jobs that have ended.",
)

forecasts = Table(
    "forecasts",
    SCHEMA,
    _key("experiment", "of which run"),
    _key("job", "about which job"),
    Column("estimator", Text, primary_key=True, comment="spec of the estimator that made it"),
    column(
        "wait_time",
        Double,
        "forecast from joining the queue to the start, in s; null: no forecast",
        optional=True,
    ),
    column("run_time", Double, "forecast from start to end, in s; null: no forecast", optional=True),
    column("seconds", Double, "wall-clock time of the forecast", optional=True),
    _of_job("job"),
    sqlite_with_rowid=False,
    comment="Forecasts of estimators for jobs when they joined their cluster's queue.",
)

job_nodes = Table(
    "job_nodes",
    SCHEMA,
    _key("experiment", "of which run"),
    _key("job_1", "the job that started first"),
    _key("job_2", "the job that started second; the same: the job held the node"),
    _key("node", "that both held", ForeignKey("nodes.id")),
    column("start_time", Double, "from when, in s"),
    column("end_time", Double, "to when, in s"),
    _of_job("job_1"),
    sqlite_with_rowid=False,
    comment="Pairs of jobs that held a node at the same time, with the times.",
)

queue_at_arrive = Table(
    "queue_at_arrive",
    SCHEMA,
    _key("experiment", "of which run"),
    _key("job_1", "the job that joined its cluster's queue"),
    _key("job_2", "a job that waited there"),
    column("position", Integer, "its place in the queue then, from 1, by when jobs joined"),
    _of_job("job_1"),
    sqlite_with_rowid=False,
    comment="Jobs that waited, and their places, when another job came.",
)

WAS = {
    "policies": ("Policies", {"id": "PID", "name": "Name", "description": "Description"}),
    "applications": (
        "Applications",
        {"id": "AID", "name": "Name", "compute_share": "CpuRatio", "memory": "Memory", "bandwidth": "Ppbw"}
        | {"library": "Type"},
    ),
    "nodes": (
        "Nodes",
        {"id": "NID", "type": "Name", "power": "PWeidth", "memory": "Memory", "bandwidth": "MaxBW"},
    ),
    "experiments": (
        "Experiments",
        {"id": "EID", "recorded_at": "Time", "policy": "Jobs.PID", "valid": "State", "settings": "ConfFile"}
        | {"estimator": "WTClass, EUIJClass, ERTClass"},
    ),
    "jobs": (
        "Jobs",
        {
            "experiment": "EID",
            "job": "HIJID",
            "label": "JID",
            "application": "AID",
            "submit_time": "ArriveTime",
        }
        | {"start_time": "StartTime", "end_time": "FinishTime", "nodes": "Applications.Processors"}
        | {"dedicated_time": "Applications.MaxTime", "used_work": "UsedJiffies"}
        | {"waiting_work": "AheadJiffies", "error": "Error"},
    ),
    "forecasts": (
        "of Jobs",
        {"wait_time": "SimStartTime", "run_time": "SimFinishTime", "seconds": "TimetoHis, TimetoSim"},
    ),
    "job_nodes": (
        "JobNodes",
        {"job_1": "HIJID1", "job_2": "HIJID2", "node": "NID", "start_time": "StartTime"}
        | {"end_time": "FinishTime"},
    ),
    "queue_at_arrive": ("QueueAtArrive", {"job_1": "HIJID1", "job_2": "HIJID2", "position": "Position"}),
}
"""What the thesis calls each table and column, where it has it."""
