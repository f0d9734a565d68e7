"""Stores of each earlier version become stores of the present one, with all that is in them."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import inspect, text

from echelon.errors import InputError
from echelon.service.records import (
    AttemptRecord,
    AttemptState,
    ClusterRecord,
    Event,
    ForecastRecord,
    JobRecord,
    JobSpec,
    JobState,
)
from echelon.service.store import Store, migrate
from echelon.service.store.migrations import STEPS
from echelon.service.store.opening import connections_to
from echelon.service.store.schema import SCHEMA, VERSION

ROWS = """
INSERT INTO service_version VALUES ('echelon', 1);
INSERT INTO numbers VALUES ('jobs', 7), ('events', 12), ('tokens', 1), ('instances', 3);
INSERT INTO jobs VALUES (6, 'abc', 'ann', 'k', '{"command":["a","b"],"time_limit":60.0,"after":["def"]}',
    10.5, 'run', 'RUNNING', 'It runs.', 'alpha', 1, 1, 11.0, 12.0, NULL, NULL, NULL, 4);
INSERT INTO jobs VALUES (7, 'def', 'bob', NULL, '{"script":"#!/bin/sh\\n"}',
    10.5, 'run', 'FAILED', '', 'alpha', 2, 2, 11.0, 12.0, 13.0, 3, NULL, 9);
INSERT INTO attempts VALUES ('abc', 1, 1, 'alpha', 'RUNNING', '17', '',
    11.0, 11.5, 11.5, 17.5, 12.0, NULL, 0);
INSERT INTO decisions VALUES ('abc', 1, 11.0, 'mct', '[{"cluster":"alpha","free":4}]', 'alpha', 'Why.', 0.25);
INSERT INTO forecasts VALUES ('abc', 1, 11.0, 'sdpn', 1.5, NULL);
INSERT INTO clusters VALUES ('alpha', 'drained', TRUE, 13.0, 8, '', 0);
INSERT INTO events VALUES (12, 13.0, 'job', 'def', 'FAILED', 'Exit code 3.');
INSERT INTO tokens VALUES (1, '{token}', 'ann', 'read submit', '', 5.0, NULL, NULL);
""".replace("{token}", "0" * 64)
"""A store as version 1 left it."""


def make_old(address, number):
    """Make a store of an old version by that version's own statements, with rows."""
    kind = "postgresql" if address.startswith("postgresql") else "sqlite"
    tables = Path(__file__).with_name(f"version_{number}.{kind}.sql").read_text(encoding="utf-8")
    if kind == "sqlite":
        with sqlite3.connect(address) as file:
            file.executescript(tables + ROWS)
        file.close()
        return
    import psycopg

    with psycopg.connect(address) as server:
        server.execute(tables + ROWS)


def shape_of(address):
    """Return tables, columns, keys, indexes and comments of a database, as it tells them."""
    connections = connections_to(address)
    with connections.reading() as connection:
        looked = inspect(connection)
        shape = {
            table: (
                {
                    column["name"]: (str(column["type"]), column["nullable"], column.get("comment"))
                    for column in looked.get_columns(table)
                },
                looked.get_pk_constraint(table)["constrained_columns"],
                sorted((one["name"], one["column_names"]) for one in looked.get_indexes(table)),
                sorted(one["column_names"] for one in looked.get_unique_constraints(table)),
                sorted(
                    (one["constrained_columns"], one["referred_table"], one["options"])
                    for one in looked.get_foreign_keys(table)
                ),
                looked.get_table_comment(table) if connection.dialect.supports_comments else None,
            )
            for table in looked.get_table_names()
        }
    connections.close()
    return shape


def test_there_is_a_step_to_each_version():
    """The ladder has no missing step, and ends at the present version."""
    assert list(STEPS) == list(range(2, VERSION + 1))


def test_an_old_store_keeps_all_rows(address):
    """A store of version 1 is refused until it is migrated; then it has its rows and numbers."""
    make_old(address, 1)
    with pytest.raises(InputError, match=r"has tables of version 1, .*; keep a copy, then run: .* migrate"):
        Store.open(address)
    assert migrate(address) == (1, VERSION)
    assert migrate(address) == (VERSION, VERSION)
    with Store.open(address, create=False) as store:
        store.lock()
        running = JobRecord(
            "abc",
            6,
            "ann",
            JobSpec(command=("a", "b"), time_limit=60.0, after=("def",)),
            10.5,
            state=JobState.RUNNING,
            reason="It runs.",
            cluster="alpha",
            attempt=1,
            assigned_at=11.0,
            started_at=12.0,
            version=4,
        )
        attempt = AttemptRecord("abc", 1, 1, "alpha", AttemptState.RUNNING, "17", "", 11.0)
        open_records = store.read_open_records()
        assert open_records.jobs == (running,)
        assert [one.settled_at for one in open_records.attempts] == [17.5]
        assert open_records.attempts[0].native_id == attempt.native_id
        assert open_records.ended == {"def"}
        assert open_records.clusters == (ClusterRecord("alpha", "drained", looked_at=13.0, processors=8),)
        assert store.job(7).exit_code == 3
        assert store.decisions("abc")[0].candidates[0].free == 4
        assert store.forecasts("abc") == [ForecastRecord("abc", 1, 11.0, "sdpn", 1.5)]
        assert store.events() == [Event(13.0, "job", "def", "FAILED", "Exit code 3.", 12)]
        assert store.token("0" * 64).scopes == {"read", "submit"}
        store.commit([ForecastRecord("abc", 2, 14.0, "sdpn", 1.5, None, 0.5, 2.5)])
        assert store.forecasts("abc")[1].latest == 2.5
        assert store.add_jobs("ann", [JobSpec()], [None], 1.0, ["1" * 32])[0][0].number == 8
        assert store.last_event() == 13


def test_a_migrated_store_is_like_a_new_one(address, tmp_path):
    """Tables, columns, types, keys, indexes and comments are those that a new store has."""
    make_old(address, 1)
    migrate(address)
    migrated = shape_of(address)
    assert set(migrated) == set(SCHEMA.tables)
    connections = connections_to(address)
    with connections.writing() as connection:
        SCHEMA.drop_all(connection)
    connections.close()
    Store.open(address).close()
    assert shape_of(address) == migrated


def test_a_migration_that_fails_changes_nothing(address, monkeypatch):
    """If its last statement fails, the tables are those of before, and the next try works."""
    make_old(address, 1)
    before = shape_of(address)
    with monkeypatch.context() as broken:
        broken.setitem(STEPS, 2, (*STEPS[2], "CREATE TABLE jobs (x INTEGER)"))
        with pytest.raises(Exception, match="already exists"):
            migrate(address)
    assert shape_of(address) == before
    assert migrate(address) == (1, VERSION)


def test_a_store_of_the_future_is_refused(address):
    """Tables of a later version are left alone: neither opened nor migrated."""
    with Store.open(address) as store:
        later = text("UPDATE service_version SET version = 99")
        store._writer.write(lambda transaction: transaction.connection.execute(later))
    for refused in (Store.open, migrate):
        with pytest.raises(InputError, match=r"has tables of version 99, .* up to 2; update Echelon"):
            refused(address)


def test_what_is_no_store_is_left_alone(address):
    """A database of something else, an empty one, a missing file and one in memory are sentences."""
    connections = connections_to(address)
    with connections.writing() as connection:
        connection.exec_driver_sql("CREATE TABLE other (x INTEGER)")
    for refused in (Store.open, migrate):
        with pytest.raises(InputError, match=r"tables of something else \(other\); a store needs"):
            refused(address)
    with connections.writing() as connection:
        connection.exec_driver_sql("DROP TABLE other")
        connection.exec_driver_sql("CREATE TABLE service_version (x INTEGER)")
    with pytest.raises(InputError, match="is not a store of Echelon"):
        Store.open(address)
    with connections.writing() as connection:
        connection.exec_driver_sql("DROP TABLE service_version")
    with pytest.raises(InputError, match="holds no store yet"):
        Store.open(address, create=False)
    with pytest.raises(InputError, match="holds no store yet"):
        migrate(address)
    connections.close()


def test_where_no_store_can_be(tmp_path):
    """A missing file is not made unless asked for, and a store in memory would keep nothing."""
    with pytest.raises(InputError, match="no such file"):
        Store.open(tmp_path / "none.db", create=False)
    with pytest.raises(InputError, match="no such file"):
        migrate(tmp_path / "none.db")
    assert not list(tmp_path.iterdir())
    with pytest.raises(InputError, match="database: must outlive the service"):
        Store.open("sqlite://")
