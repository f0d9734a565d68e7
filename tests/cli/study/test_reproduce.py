"""``echelon reproduce``."""

from __future__ import annotations

import dataclasses
import json
import re

import pytest

from echelon.errors import InputError
from echelon.reproduce import (
    STUDIES,
    Chart,
    Claim,
    Figure,
    Listing,
    PrintedRow,
    PrintedTable,
    Quantity,
    Reproduction,
    Sample,
    Study,
)

WAIT = Quantity("wait", "mean wait", "h", "mean(start - submit)")


def run(step, *, got=1.5):
    """Give a small outcome; 1.50 was printed."""
    return Reproduction(
        study=TINY,
        setting={"workload": "tiny"},
        printed=[Figure("A", WAIT, "1.50", "§ 1", got)],
        independent=[Figure("A", WAIT, "1.500", "a program", got)],
        samples=[Sample("Jobs of A", "table 1", ("job", "wait"), [(1, 0)], [(1, 0)])],
        claims=[Claim("C1", "A is <good>.", "§ 2", "holds", "It waits 1.5 h.")],
        charts=[Chart(WAIT, "figure 1", {"PQS": {"A": got}, "EASY": {"A": got / 2}})],
        notes=["Made by hand."],
        files={"PQS-A_tiny.time": lambda: b"1\t0\n"},
    )


TINY = Study("tiny", "A tiny study", "Nobody, 1900", "nothing", run)
APART = Study("apart", "A tiny study", "Nobody, 1900", "nothing", lambda step: run(step, got=1.6))
LOST = dataclasses.replace(
    APART,
    name="lost",
    run=lambda step: dataclasses.replace(run(step, got=1.6), study=LOST),
    to_the_digit=False,
)


@pytest.fixture(autouse=True)
def studies(monkeypatch, tmp_path_factory):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    monkeypatch.setattr("echelon.reproduce.STUDIES", {**STUDIES, "tiny": TINY, "apart": APART, "lost": LOST})


def test_the_list(echelon):
    """Without a name the studies are listed, each with its source and what it needs."""
    said = echelon("reproduce")
    assert (said.code, said.err) == (0, "")
    assert "schedlyzer" in said.out
    assert "Needs: sdsc-sp2" in said.out


def test_printed_beside_ours(echelon):
    """The table, the rows, the claims and the verdict are shown; exit code 0 when all agrees."""
    said = echelon("reproduce", "tiny")
    assert (said.code, said.err) == (0, "")
    assert " A    mean wait      1.50   1.50   h      as printed   § 1" in said.out
    assert "Jobs of A, table 1: 1 of 1 rows are as printed, in every column." in said.out
    assert "HOLDS: A is <good>." in said.out
    assert said.out.splitlines()[-1].startswith("Agrees: 1 of 1")


def test_a_difference_is_exit_code_1(echelon):
    """A figure that differs is marked, and the command fails, quiet or not."""
    said = echelon("reproduce", "apart")
    assert said.code == 1
    assert "DIFFERS" in said.out
    assert said.out.splitlines()[-1].startswith("Differs: 0 of 1")
    assert "1.500" in said.out  # the independent figure that differs
    assert echelon("reproduce", "apart", "--quiet") == (1, "", "")
    assert echelon("reproduce", "tiny", "--quiet") == (0, "", "")


def test_digits_are_not_asked_of_lost_input(echelon):
    """Where a study's input is not to be had, a difference is a finding: told, but no failure."""
    said = echelon("reproduce", "lost")
    assert said.code == 0
    assert "DIFFERS" in said.out


def test_files(echelon, tmp_path):
    """--out leaves results, page, a chart a metric and the study's files; a second time, too."""
    for _ in range(2):
        said = echelon("reproduce", "tiny", "--out", tmp_path / "out", "--json")
        assert said.code == 0
    out = tmp_path / "out"
    files = {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()}
    assert files == {"results.json", "report.html", "charts/wait.png", "files/PQS-A_tiny.time"}
    assert {str(out / file) for file in files} == set(said.json["files"])
    results = json.loads((out / "results.json").read_text())
    assert results["printed"] == said.json["printed"]
    assert results["command"][:3] == ["echelon", "reproduce", "tiny"]
    assert (out / "files/PQS-A_tiny.time").read_bytes() == b"1\t0\n"
    assert (out / "charts/wait.png").read_bytes().startswith(b"\x89PNG")
    page = (out / "report.html").read_text()
    assert "A is &lt;good&gt;." in page
    assert "data:image/png;base64," in page
    assert "http" not in page.replace("http-equiv", "")


def test_a_folder_of_a_run_is_refused(echelon, six_jobs, tmp_path):
    """The files of a study do not mix with those of a run, nor the other way round."""
    echelon("run", six_jobs, "--out", tmp_path / "run", "--quiet")
    assert "holds a run" in echelon("reproduce", "tiny", "--out", tmp_path / "run").sentence
    assert echelon("reproduce", "tiny", "--out", tmp_path / "study", "--quiet").code == 0
    assert "holds a reproduction" in echelon("run", six_jobs, "--out", tmp_path / "study").sentence


def test_unknown_and_missing_names(echelon, tmp_path):
    """An unknown study is one sentence with the nearest; --out and --json need a name."""
    said = echelon("reproduce", "shedlyzer")
    assert said.code == 2
    assert "schedlyzer" in said.sentence
    assert echelon("reproduce", "--json").code == 2
    assert "--out: needs the name of a study" in echelon("reproduce", "--out", tmp_path).sentence


def test_a_log_that_can_not_be_had(echelon, monkeypatch, tmp_path):
    """Without log and network one sentence says where it is looked for and what to do."""
    monkeypatch.setenv("ECHELON_DATA", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("ECHELON_ARCHIVE", (tmp_path / "nowhere").as_uri())
    said = echelon("reproduce", "schedlyzer")
    assert said.code == 2
    assert "SDSC-SP2-1998-4.2-cln.swf.gz: could not be downloaded" in said.sentence
    assert "put the file into a folder of ECHELON_DATA" in said.sentence


def test_settings_of_a_study(echelon, monkeypatch):
    """Weeks, quick and stand-ins go to a study that takes them; another says that it does not."""
    seen = {}

    def taking(step, **settings):
        seen.update(settings)
        return run(step)

    takes = Study("takes", "A tiny study", "Nobody, 1900", "nothing", taking, ("weeks", "quick", "stand_ins"))
    monkeypatch.setattr("echelon.reproduce.STUDIES", {"takes": takes, "tiny": TINY})
    assert echelon("reproduce", "takes", "--weeks", 3, "--quick", "--stand-ins", "--quiet").code == 0
    assert seen == {"weeks": 3, "quick": True, "stand_ins": True}
    assert echelon("reproduce", "takes", "--quiet").code == 0
    said = echelon("reproduce", "tiny", "--quick")
    assert said.code == 2
    assert "study tiny: takes no quick" in said.sentence


def test_whole_tables(echelon, monkeypatch):
    """Printed tables show both lines of a row, listings their numbers, and what is not testable why."""
    rows = (PrintedRow(("rho",), ("0", "9"), (0.0, 8.0)), PrintedRow(("t_w",), ("1", "2"), None, "no logs"))
    table = PrintedTable("table 1", "Degradation", "page 1", ("metric",), ("A", "B"), rows)
    ours = Listing("l", "Ours", ("Name", "Value"), (("x", 1.5),), "What to see.")

    def with_tables(step):
        return dataclasses.replace(run(step), printed=(), tables=[table], listings=[ours])

    monkeypatch.setattr(
        "echelon.reproduce.STUDIES", {"t": Study("t", "A tiny study", "Nobody, 1900", "nothing", with_tables)}
    )
    said = echelon("reproduce", "t")
    assert said.code == 1
    assert "printed   0   9" in said.out
    assert "ours      0   8   1.00" in said.out
    assert "1 of 2 as printed." in said.out
    assert "Not testable: no logs." in said.out
    assert "What to see." in said.out


def test_the_last_verdict_is_in_the_list(echelon):
    """The list says how long a study takes, and once it has been run here, what came of it and when."""
    assert "Last verdict: not run here yet" in echelon("reproduce").out
    echelon("reproduce", "apart", "--quiet")
    said = " ".join(echelon("reproduce").out.split())
    assert re.search(r"Last verdict: \d{4}-\d\d-\d\d, 0 s: Differs: 0 of 1 printed figures", said)


def test_a_spoilt_file_of_verdicts_is_none(echelon, tmp_path, monkeypatch):
    """What is no file of verdicts counts as none, and the next run writes it again."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "echelon").mkdir()
    for content in ("{", "[1]", '{"tiny": {"verdict": 1, "wrong": 2}}'):
        (tmp_path / "echelon" / "reproductions.json").write_text(content)
        assert "not run here yet" in echelon("reproduce").out
    assert echelon("reproduce", "tiny", "--quiet").code == 0
    assert "Agrees: 1 of 1" in " ".join(echelon("reproduce").out.split())


def all_of(monkeypatch, *some):
    monkeypatch.setattr("echelon.reproduce.STUDIES", {study.name: study for study in some})


def test_all_in_one_report(echelon, tmp_path, monkeypatch):
    """All studies leave a folder each and one page with every verdict, claim, figure and difference."""
    all_of(monkeypatch, TINY, LOST)
    said = echelon("reproduce", "all", "--out", str(tmp_path / "all"))
    assert (said.code, said.err) == (0, "")
    assert "tiny (0 s): Agrees: 1 of 1" in said.out
    page = (tmp_path / "all" / "report.html").read_text(encoding="utf-8")
    for shown in ('id="tiny"', 'id="lost"', "A is &lt;good&gt;.", "printed 1.50, ours 1.60 h", "not known"):
        assert shown in page
    assert (tmp_path / "all" / "tiny" / "files" / "PQS-A_tiny.time").read_bytes() == b"1\t0\n"
    digests = json.loads((tmp_path / "all" / "studies.json").read_text(encoding="utf-8"))["studies"]
    assert [(one["name"], one["as_printed"], one["printed"]) for one in digests] == [
        ("tiny", 1, 1),
        ("lost", 0, 1),
    ]


def test_all_goes_on_after_a_study_that_can_not_be_run(echelon, tmp_path, monkeypatch):
    """What a study lacks is said in a sentence, the others are run, and the exit code is 1."""

    def lacking(step):
        raise InputError("no such log", file="x.swf")

    all_of(monkeypatch, dataclasses.replace(TINY, name="lacking", run=lacking), TINY)
    said = echelon("reproduce", "all", "--out", str(tmp_path), "--json")
    assert said.code == 1
    assert said.err == "echelon: lacking could not be run: x.swf: no such log\n"
    found = json.loads(said.out)["studies"]
    assert [one.get("problem", one.get("verdict", "")).split(":")[0] for one in found] == ["x.swf", "Agrees"]
    assert "Could not be run: x.swf: no such log" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_all_fails_where_digits_are_asked_for(echelon, tmp_path, monkeypatch):
    """A figure that differs of a study to the digit is exit code 1; so it needs a folder, and no speed."""
    all_of(monkeypatch, APART)
    assert echelon("reproduce", "all", "--out", str(tmp_path), "--quiet") == (1, "", "")
    assert echelon("reproduce", "all").code == 2
    assert echelon("reproduce", "all", "--out", str(tmp_path / "b"), "--speed").code == 2
