"""``echelon info`` of failure traces."""

from __future__ import annotations

import gzip
import io
import sys

import numpy as np
import pytest

from echelon.availability.laws import Exponential, Lognormal, Weibull, law_named

HOUR = 3600.0


@pytest.fixture
def trace(tmp_path):
    """Return a file of 600 failures of three nodes by known laws, in seconds of a log."""
    rng = np.random.default_rng(1)
    rows = []
    for node in (1, 2, 3):
        up = Weibull(0.5, 100 * HOUR).sample(rng, 200)
        down = Lognormal(0.0, 1.0, "h").sample(rng, 200)
        begin = np.cumsum(up) + np.concatenate(([0.0], np.cumsum(down)[:-1]))
        rows += [(node, a, a + b) for a, b in zip(begin.tolist(), down.tolist(), strict=True)]
    file = tmp_path / "outages.csv"
    file.write_text("node,down,up\n" + "".join(f"{node},{a!r},{b!r}\n" for node, a, b in rows))
    return file


def test_a_trace_is_recognized_and_its_laws_are_shown(echelon, trace):
    """Without --as the content decides; figures, fits with the best marked, and no anomaly."""
    said = echelon("info", trace)
    assert (said.code, said.err) == (0, "")
    flat = " ".join(said.out.split())
    assert "outages.csv: 600 failures of 3 nodes" in flat
    assert "format outages" in flat
    assert "597 times, mean" in flat
    assert "No anomalies were found." in flat
    marked = [line for line in said.out.splitlines() if "*" in line and ":" in line.split(" ")[1]]
    assert any("weibull:shape=0." in line for line in marked)
    assert any("lognormal:mu=" in line for line in marked)
    assert echelon("info", trace, "--as", "failures").out == said.out


def test_laws_can_be_typed_as_they_are_shown(echelon, trace):
    """Each law that is shown reads as one, with the parameters that JSON has in full, to the digits shown."""
    shown = [
        line.split()[0] for line in echelon("info", trace).out.splitlines() if ":" in line and "h " in line
    ]
    laws = [law_named(law) for law in shown if law.startswith(("exponential:", "weibull:", "lognormal:"))]
    assert len(laws) == 12
    told = echelon("info", trace, "--json").json
    exact = {fit["law"]: fit for fit in told["up"]["fits"]}
    assert isinstance(laws[0], Exponential)
    assert laws[0].mean == pytest.approx(exact["exponential"]["mean"], rel=1e-4)
    assert laws[1].scale == pytest.approx(exact["weibull"]["scale"], rel=1e-3)
    assert laws[2].mu == pytest.approx(exact["lognormal"]["mu"], abs=1e-4)


def test_json_holds_the_same_exactly(echelon, trace):
    """--json prints exact values in seconds and nothing else."""
    told = echelon("info", trace, "--json").json
    assert (told["failures"], told["nodes"], told["dated"], told["format"]) == (600, 3, False, "outages")
    assert (told["up"]["n"], told["down"]["n"], told["up"]["best"]) == (597, 600, "weibull")
    up, down = told["mean_up"], told["mttr"]
    assert told["availability"] == pytest.approx(up / (up + down))
    assert told["anomalies"] == []
    assert 0 < min(fit["ks_distance"] for fit in told["down"]["fits"]) < 0.06


def test_systems_and_anomalies_are_shown(echelon, tmp_path):
    """A trace of two systems has a table of them; what is unusual is named with its line; dates are dates."""
    file = tmp_path / "lanl.csv.gz"
    text = "System,nodenumz,Prob Started,Down Time\n" + "".join(
        f"{system},{node},{month}/{2 + node}/2001 8:0{month},{month * month}\n"
        for system in (2, 20)
        for node in (0, 1)
        for month in (1, 3, 4, 8)
    )
    file.write_bytes(gzip.compress(f"{text}2,0,12/1/2001 0:00,0\n".encode()))
    said = echelon("info", file)
    assert (said.code, said.err) == (0, "")
    for expected in (
        "first failure   2001-01-02 08:01 UTC",
        "systems         2",
        "1 outage of no length",
        "first in line 18",
        "MTBF of a node",
    ):
        assert expected in said.out
    rows = [line.split() for line in said.out.splitlines() if line.split()[:1] in (["2"], ["20"])]
    assert [row[:3] for row in rows] == [["2", "2", "9"], ["20", "2", "8"]]


def test_standard_input(echelon, trace, monkeypatch):
    """- reads standard input, compressed or not."""
    packed = io.BytesIO(gzip.compress(trace.read_bytes()))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(packed))
    assert "standard input: 600 failures of 3 nodes" in echelon("info", "-", "--as", "failures").out


def test_few_failures_have_no_laws(echelon, tmp_path):
    """One failure has no times between; that is said instead of a table."""
    (tmp_path / "one.csv").write_text("node,down,up\n1,10,20\n")
    said = echelon("info", tmp_path / "one.csv")
    assert said.code == 0
    assert "1 failure of 1 node" in said.out
    assert said.out.count("Fewer than two differ: no law is fitted.") == 4


def test_what_is_no_trace_is_refused_where_one_was_asked_for(echelon, six_jobs):
    """--as failures of a workload names the first line; --as workload reads a trace as jobs, and says so."""
    said = echelon("info", six_jobs, "--as", "failures")
    assert said.code != 0
    assert "not as any list of outages that is known" in said.err
    trace = six_jobs.parent / "events.csv"
    trace.write_text("node,down,up\n1,10,20\n")
    said = echelon("info", trace, "--as", "workload")
    assert said.code != 0
    assert "failure" not in said.out
    assert echelon("info", trace, "--format", "outages").code == 0
    assert "swf" in echelon("info", six_jobs).out


def test_an_outage_that_is_not_over_is_not_fitted(echelon, tmp_path):
    """Of a node that never returns no time to repair is known, which is said here, where laws are fitted."""
    (tmp_path / "lasting.csv").write_text("node,down,up\n1,10,20\n1,50,inf\n")
    flat = " ".join(echelon("info", tmp_path / "lasting.csv").out.split())
    assert "the node never returns; its repair is not fitted; first in line 3" in flat
