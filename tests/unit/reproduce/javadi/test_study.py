"""The study of the Failure Trace Archive on a small trace: where it is found, its figures and its claims."""

from __future__ import annotations

import hashlib
import json
import lzma

import numpy as np
import pytest

from echelon.errors import InputError
from echelon.reproduce import STUDIES
from echelon.reproduce.javadi import data
from echelon.reproduce.javadi.study import MEASURES, PUBLISHED
from echelon.reproduce.machinery.printed_table import printed_figures

HEAD = (
    "event_id component_id node_id platform_id node_name event_type event_start_time event_stop_time "
    "event_end_reason"
)


def a_trace(up: list[int], down: list[int]) -> bytes:
    """Return the trace of two nodes that are down and up in turn, the second a second later."""
    lines, number = [HEAD], 0
    for node in (7, 8):
        now = 1_000_000 + node
        for length, pause in zip(down, up, strict=True):
            lines.append(f"{number} 0 {node} 3 {node}.000 0 {now} {now + length} 8000")
            now += length + pause
            number += 1
    return ("\n".join(lines) + "\n").encode()


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Return a function that makes a text the trace of the study, under a name in a folder of the user."""

    def put(text: bytes, name: str = "LANL05-event_trace.tab") -> None:
        (tmp_path / name).write_bytes(lzma.compress(text) if name.endswith(".xz") else text)
        monkeypatch.setenv("ECHELON_DATA", str(tmp_path))
        monkeypatch.setattr(data, "SHA256", hashlib.sha256(text).hexdigest())

    return put


@pytest.fixture
def small():
    """Return a trace of forty outages whose times vary, one of them without length."""
    rng = np.random.default_rng(5)
    up = rng.integers(3_600, 5_000_000, size=20).tolist()
    return a_trace(up, [0, *rng.integers(60, 90_000, size=19).tolist()])


@pytest.mark.parametrize("name", ["LANL05-event_trace.tab", "FTA-event_trace.tab.xz", "event_trace.tab"])
def test_the_whole(here, small, name):
    """Figures, claims and tables are there and go into JSON, whatever the file is called."""
    here(small, name)
    found = PUBLISHED.run()
    assert [figure.quantity.name for figure in found.printed] == [
        *("mean", "weibull_shape", "weibull_scale"),
        *("mean", "weibull_shape", "weibull_scale", "lognormal_mu", "lognormal_sigma"),
    ]
    said = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert [len(listing["rows"]) for listing in said["listings"]] == [2, 16]
    assert said["setting"]["failures"] == 40
    assert STUDIES["javadi"].needs.startswith("the event trace of LANL05")


def test_another_trace_has_other_figures(here, small):
    """Figures are those of the trace: no small one has the printed ones."""
    here(small)
    found = PUBLISHED.run()
    assert not found.agrees
    assert {figure.agreement for figure in found.printed} == {"differs"}


def test_figures_are_in_hours_of_times_that_last(here):
    """The mean leaves out what has no length, and times are hours."""
    here(a_trace([3_600, 7_200, 10_800], [0, 1_800, 5_400]))
    found = PUBLISHED.run()
    got = {(figure.subject, figure.quantity.name): figure.got for figure in found.printed}
    # What follows the last outage of a node is not known.
    assert got["availability", "mean"] == pytest.approx(1.5)
    assert got["unavailability", "mean"] == pytest.approx(1.0)
    assert got["unavailability", "lognormal_mu"] == pytest.approx(np.log([0.5, 1.5]).mean())
    assert got["unavailability", "lognormal_sigma"] == pytest.approx(np.log([0.5, 1.5]).std())


def test_the_claim_fails_where_interpretations_agree(here):
    """If no outage is without length, leaving them out changes nothing, and the statement does not hold."""
    rng = np.random.default_rng(5)
    up, down = rng.integers(3_600, 5_000_000, size=20), rng.integers(60, 90_000, size=20)
    here(a_trace(up.tolist(), down.tolist()))
    claims = {claim.name: claim for claim in PUBLISHED.run().claims}
    assert [outcome for _, outcome in claims["C1a"].statements][1] == "does not hold"
    assert claims["C1b"].verdict == "not testable"


def test_where_it_is_not_found(tmp_path, monkeypatch):
    """Without the file one sentence says where it is looked for and where it is from."""
    monkeypatch.setenv("ECHELON_DATA", str(tmp_path))
    with pytest.raises(InputError, match=r"LANL05: the event trace .* put its event_trace\.tab there"):
        PUBLISHED.run()


def test_the_trace_of_another_system_is_not_taken(tmp_path, monkeypatch, small):
    """All traces of the archive have one name: one with another hash is not the study's, and is named."""
    (tmp_path / "event_trace.tab").write_bytes(small)
    monkeypatch.setenv("ECHELON_DATA", str(tmp_path))
    with pytest.raises(InputError, match=r"not the same: .*event_trace\.tab"):
        PUBLISHED.run()


def test_printed_figures():
    """Each of the eight has a measure and is a number."""
    lines = printed_figures("javadi", "lanl05")
    assert len(lines) == 8
    assert all(
        line.quantity in {measure.quantity.name for measure in MEASURES} and float(line.printed) > 0
        for line in lines
    )
