"""The tables of a service, and the meaning of each column.

The comments are the documentation: the reference lists them, and PostgreSQL keeps them with the tables.
All times are Unix times in seconds.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

from echelon.databases.ownership import column, version_table

VERSION = 2
"""Version of the tables; `migrations` leads to it from each earlier one."""

SCHEMA = MetaData()

_LARGE = BigInteger().with_variant(Integer(), "sqlite")
"""Numbers of what is counted for years; in SQLite only an INTEGER is the key of the table itself."""


def _number(meaning: str) -> Column[int]:
    """Return the key of a table whose rows the store numbers."""
    return Column("number", _LARGE, primary_key=True, autoincrement=False, comment=meaning)


def _of_job() -> Column[str]:
    """Return the first part of the key of what belongs to a job."""
    return Column("job", ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True, comment="of which job")


def _place(meaning: str) -> Column[int]:
    """Return the second part of the key of what belongs to a job."""
    return Column("number", Integer, primary_key=True, autoincrement=False, comment=meaning)


version = version_table("service_version", SCHEMA, of="a service's store")

numbers = Table(
    "numbers",
    SCHEMA,
    Column("name", Text, primary_key=True, comment="what is numbered: jobs, events, tokens, instances"),
    column("last", _LARGE, "the last number that was given; instances are services that have had this store"),
    comment="The last number of each kind, so that numbers have no gaps and are never given twice.",
)

jobs = Table(
    "jobs",
    SCHEMA,
    _number("from 1, in the order of submission"),
    Column("id", Text, nullable=False, unique=True, comment="32 hexadecimal digits"),
    column("owner", Text, "its user"),
    column("idempotency_key", Text, "by which its owner may submit it twice; null: none", optional=True),
    column("spec", Text, "what was asked for, as JSON, without what is as by default"),
    column("submitted_at", Double, "when it was submitted"),
    column("wanted", Text, "what its owner wants: run, hold or cancel"),
    column("state", Text, "HELD, QUEUED ... as in listings"),
    column("reason", Text, "why it is in that state"),
    column("cluster", Text, "chosen for it; empty: none"),
    column("run", Integer, "from 1, one more each time it runs again"),
    column("attempt", Integer, "number of its last attempt; 0: none"),
    column("assigned_at", Double, "when the cluster was chosen", optional=True),
    column("started_at", Double, "when it started", optional=True),
    column("ended_at", Double, "when it ended", optional=True),
    column("exit_code", Integer, "of its payload", optional=True),
    column("signal", Integer, "that ended its payload", optional=True),
    column("version", Integer, "one more at each change"),
    UniqueConstraint("owner", "idempotency_key"),
    Index("jobs_by_state", "state", "number"),
    Index("jobs_by_owner", "owner", "state", "number"),
    Index("jobs_by_cluster", "cluster", "state", "number"),
    Index("jobs_by_end", "ended_at"),
    comment="Jobs, waiting, running and ended.",
)

attempts = Table(
    "attempts",
    SCHEMA,
    _of_job(),
    _place("from 1, of this job"),
    column("run", Integer, "for which run of the job"),
    column("cluster", Text, "where"),
    column("state", Text, "INTENDED, UNCLEAR, ACCEPTED ..."),
    column("native_id", Text, "number at the cluster; empty: not known"),
    column("reason", Text, "why it is in that state"),
    column("intended_at", Double, "when it was intended"),
    column("answered_at", Double, "when the cluster answered", optional=True),
    column("seen_at", Double, "when a look first had it", optional=True),
    column("settled_at", Double, "when it settled", optional=True),
    column("started_at", Double, "when it started", optional=True),
    column("ended_at", Double, "when it ended", optional=True),
    column("absences", Integer, "complete looks in a row that did not have it"),
    comment="Attempts to submit jobs to clusters; each is here before it is made.",
)

decisions = Table(
    "decisions",
    SCHEMA,
    _of_job(),
    _place("from 1, of this job"),
    column("at", Double, "when"),
    column("broker", Text, "the rule that chose"),
    column("candidates", Text, "the clusters that were looked at, as JSON"),
    column("chosen", Text, "the cluster; empty: none will ever run it"),
    column("why", Text, "one sentence"),
    column("seconds", Double, "processor time of all decisions of that step"),
    comment="Why jobs went where they went.",
)

forecasts = Table(
    "forecasts",
    SCHEMA,
    _of_job(),
    _place("that of the decision"),
    column("at", Double, "when"),
    column("estimator", Text, "that made it"),
    column("wait_time", Double, "forecast from then to the start, in s; null: no forecast", optional=True),
    column("run_time", Double, "forecast from start to end, in s; null: no forecast", optional=True),
    column("earliest", Double, "beginning of the interval of the wait, in s; null: none", optional=True),
    column("latest", Double, "end of the interval of the wait, in s; null: none", optional=True),
    comment="What was forecast for jobs when their clusters were chosen.",
)

clusters = Table(
    "clusters",
    SCHEMA,
    Column("name", Text, primary_key=True, comment="its name"),
    column("mode", Text, "open or drained"),
    column("reachable", Boolean, "whether its last looks came back"),
    column("looked_at", Double, "when its last complete look began", optional=True),
    column("processors", Integer, "in service at that look"),
    column("problem", Text, "why looks fail"),
    column("failures", Integer, "looks in a row that failed"),
    comment="Clusters, as the service treats them.",
)

snapshots = Table(
    "snapshots",
    SCHEMA,
    Column("cluster", Text, primary_key=True, comment="of which cluster"),
    Column("began_at", Double, primary_key=True, comment="when the look began"),
    column("is_complete", Boolean, "whether it lists all jobs of the cluster"),
    column("content", LargeBinary, "what it saw, as JSON, compressed by zlib"),
    comment="What looks at clusters saw.",
)

events = Table(
    "events",
    SCHEMA,
    _number("from 1, in the order in which events became visible"),
    column("at", Double, "when"),
    column("kind", Text, "job, attempt, cluster or service"),
    column("subject", Text, "id of the job, or name of the cluster"),
    column("state", Text, "that it has since"),
    column("reason", Text, "why"),
    Index("events_by_subject", "subject", "number"),
    Index("events_by_time", "at"),
    comment="What happened, and why.",
)

tokens = Table(
    "tokens",
    SCHEMA,
    _number("from 1, by which a token is revoked"),
    Column("hash", Text, nullable=False, unique=True, comment="SHA-256 of the token, in hexadecimal digits"),
    column("user_name", Text, "whose it is"),
    column("scopes", Text, "what it allows, with blanks between"),
    column("label", Text, "what it is for"),
    column("created_at", Double, "when it was made"),
    column("expires_at", Double, "from when on it is worth nothing; null: never", optional=True),
    column("revoked_at", Double, "when it was revoked; null: it was not", optional=True),
    comment="Tokens; they themselves are nowhere.",
)
