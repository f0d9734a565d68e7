"""A log survives whoever is killed while writing it."""

from __future__ import annotations

import json

import pytest

from echelon.experiments.study.run.case import Case
from echelon.experiments.study.run.outcome import Outcome
from echelon.experiments.study.store.log import Log, read_log
from echelon.experiments.study.store.store_error import StoreError


def outcome(name, ending="done", problem=""):
    case = Case({"workload": name}, {"workload": name.upper()})
    return Outcome(case, "k" if ending == "done" else "", ending, {"jobs": 1}, problem, 1.5, 0.5)


def test_what_is_added_is_read(tmp_path):
    """Every outcome is a line with case, key, ending, seconds and problem."""
    with Log(tmp_path / "log.jsonl") as log:
        log.add(outcome("a"))
        log.add(outcome("b", "failed", "a line\nand another"))
    first, second = read_log(tmp_path / "log.jsonl")
    assert first.case == Case({"workload": "a"}, {"workload": "A"})
    assert (first.key, first.ending, first.seconds, first.engine_seconds) == ("k", "done", 1.5, 0.5)
    assert (second.key, second.ending, second.problem) == ("", "failed", "a line\nand another")


def test_no_log_has_no_entries(tmp_path):
    """A study that was never run has none."""
    assert list(read_log(tmp_path / "log.jsonl")) == []


@pytest.mark.parametrize("torn", range(1, 60, 7))
def test_a_torn_line_is_left_out(tmp_path, torn):
    """Wherever the last line was cut off, the others are read, and the next outcome has a line of its own."""
    path = tmp_path / "log.jsonl"
    with Log(path) as log:
        log.add(outcome("a"))
        log.add(outcome("b"))
    whole = path.read_bytes()
    path.write_bytes(whole[: whole.index(b"\n") + 1 + torn])
    assert [entry.case.settings["workload"] for entry in read_log(path)] == ["a"]
    with Log(path) as log:
        log.add(outcome("c"))
    assert [entry.case.settings["workload"] for entry in read_log(path)] == ["a", "c"]


def test_lines_of_something_else_are_left_out(tmp_path):
    """JSON that is no outcome is not taken for one."""
    path = tmp_path / "log.jsonl"
    path.write_text('[1]\n{"a": 1}\n5\n\n' + "[" * 100_000)
    assert list(read_log(path)) == []


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("settings", ["x"]),
        ("labels", None),
        ("labels", {"a": 1}),
        ("key", 3),
        ("ending", "x"),
        ("seconds", "1"),
        ("engine_seconds", None),
        ("chance", "yes"),
        ("problem", 5),
    ],
)
def test_a_line_with_another_kind_of_value_is_left_out(tmp_path, key, value):
    """A line that someone has changed is read like one that was torn; the others are read."""
    path = tmp_path / "log.jsonl"
    with Log(path) as log:
        log.add(outcome("a"))
        log.add(outcome("b"))
    first, second = path.read_text().splitlines()
    path.write_text(json.dumps({**json.loads(first), key: value}) + f"\n{second}\n")
    assert [entry.case.settings["workload"] for entry in read_log(path)] == ["b"]


def test_a_log_that_can_not_be_written(tmp_path):
    """A folder in its place is one sentence."""
    with pytest.raises(StoreError, match="cannot be written"):
        Log(tmp_path)
