"""The journal of a cluster of processes: all lines or none, whatever is cut off."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.backends.contract import Outcome, Submission
from echelon.backends.process import journal as module
from echelon.backends.process.entry import Entry, entries_of
from echelon.backends.process.journal import Journal
from echelon.errors import InputError

TEXT = st.text(st.characters(exclude_characters="\0"), max_size=8)
PAIRS = st.lists(st.tuples(TEXT, TEXT), max_size=2).map(tuple)


@pytest.fixture
def journal(tmp_path):
    opened = Journal(tmp_path)
    yield opened
    opened.close()


def test_lines_are_there_again(journal, tmp_path):
    """What was added is read again by the next one, in order."""
    journal.add([{"a": 1}, {"b": "\n\udcff"}])
    journal.add([{"c": []}], lasts=False)
    journal.close()
    again = Journal(tmp_path)
    assert again.read() == [{"a": 1}, {"b": "\n\udcff"}, {"c": []}]
    again.replace([{"d": 1}])
    again.add([{"e": 2}])
    assert again.read() == [{"d": 1}, {"e": 2}]
    again.close()
    journal.__init__(tmp_path)


def test_a_line_that_was_cut_off_is_removed(journal, tmp_path):
    """Wherever a crash cuts the last line, the lines before it stay, and more can be added."""
    journal.add([{"kept": 1}])
    last = b'{"lost":"one"}'
    for length in range(1, len(last) + 1):
        with (tmp_path / "journal").open("ab") as file:
            file.write(last[:length])
        assert journal.read() == [{"kept": 1}]
    journal.add([{"more": 2}])
    assert journal.read() == [{"kept": 1}, {"more": 2}]


def test_a_full_disk_leaves_nothing(journal, monkeypatch):
    """If lines cannot be written as a whole, none of them is there."""
    journal.add([{"kept": 1}])
    real, calls = os.write, []

    def write(file, text):
        calls.append(text)
        if len(calls) > 1:
            raise OSError(28, "No space left on device")
        return real(file, text[:5])

    monkeypatch.setattr(module.os, "write", write)
    with pytest.raises(OSError, match="No space left"):
        journal.add([{"lost": 1}, {"lost": 2}])
    monkeypatch.undo()
    assert journal.read() == [{"kept": 1}]


def test_one_at_a_time(journal, tmp_path, monkeypatch):
    """A second journal in the same directory is refused."""
    monkeypatch.setattr("echelon.file_lock.PATIENCE", 0.1)
    with pytest.raises(InputError, match="is used by another process"):
        Journal(tmp_path)


@given(
    command=st.lists(TEXT, max_size=3).map(tuple),
    script=TEXT,
    environment=PAIRS,
    limit=st.none() | st.floats(1, 9),
)
@examples(60)
def test_jobs_are_there_again_as_they_were(command, script, environment, limit):
    """A job of any texts is the same after its lines are written and read, in each of its states."""
    job = Submission("tag", command, script, 2, limit, "/d", environment, options=environment)
    waiting = Entry.make_waiting(7, job, 1.5)
    running = waiting.start(2.5, "boot")
    for entry in (waiting, running, running.with_end(Outcome.FAILED, 3.5, "exit code 1", 2.75)):
        text = module._bytes(entry.lines()).splitlines()
        found, following = entries_of([module.json.loads(line) for line in text])
        assert (found, following) == ({7: entry}, 8)
