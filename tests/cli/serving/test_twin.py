"""``echelon serve twin``: a mistake is one sentence; recorded days are in tests of the service."""

from __future__ import annotations

import pytest

from echelon.service.store import Store


@pytest.fixture(autouse=True)
def _state(tmp_path, monkeypatch):
    monkeypatch.setenv("ECHELON_STATE", str(tmp_path))
    Store.open(f"sqlite:///{tmp_path}/echelon.db", create=True).close()


@pytest.mark.parametrize("option", ["--since", "--until"])
@pytest.mark.parametrize("text", ["yesterday", "99999-01-01", "0001-01-01", "-1h", "1e400s"])
def test_what_is_no_time_is_named_with_its_option(echelon, option, text):
    """Dates are expected there, too, not only how long ago it was."""
    said = echelon("serve", "twin", option, text)
    expected = "expected a date and time such as 2026-03-02T08:00, or how long ago, such as 6h"
    assert (said.code, said.err) == (2, f"echelon: {option}: got {text!r}, {expected}\n")


def test_a_store_without_jobs_has_no_day(echelon):
    """There is nothing to replay."""
    said = echelon("serve", "twin")
    assert (said.code, "has no job of that time that has run to an end" in said.err) == (2, True)
