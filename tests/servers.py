"""Servers that tests may use, where there are any."""

from __future__ import annotations

import os
from contextlib import contextmanager
from urllib.parse import quote
from uuid import uuid4

import pytest


@contextmanager
def postgres_schema(kind):
    """Give an URL of a schema of its own on the server that tests may use; without one the test skips."""
    server = os.environ.get("ECHELON_TEST_POSTGRES")
    if not server:
        pytest.skip("no PostgreSQL server: ECHELON_TEST_POSTGRES names none")
    psycopg = pytest.importorskip("psycopg")
    name = f"{kind}_{uuid4().hex}"
    with psycopg.connect(server, autocommit=True, connect_timeout=10) as admin:
        admin.execute(f"CREATE SCHEMA {name}")
        try:
            yield f"{server}{'&' if '?' in server else '?'}options={quote(f'-csearch_path={name}')}"
        finally:
            admin.execute(f"DROP SCHEMA {name} CASCADE")
