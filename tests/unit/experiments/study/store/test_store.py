"""A store holds whole runs only, never overwrites one, and refuses folders that are not its own."""

from __future__ import annotations

import errno
import os
import subprocess
import sys

import pytest

from echelon.errors import InputError
from echelon.experiments.study.run.case import Case
from echelon.experiments.study.run.outcome import Outcome
from echelon.experiments.study.store.parts import part_name
from echelon.experiments.study.store.store import Store
from echelon.experiments.study.store.store_error import StoreError

KEY, OTHER = "ab" + "0" * 62, "ab" + "1" * 62


@pytest.fixture
def store(tmp_path):
    """Return an empty store of the study "one"."""
    return Store.open(tmp_path / "out", name="one")


def test_a_run_is_there_after_it_was_put(store):
    """What was put under a key is read back under it, in the folder of its first two digits."""
    assert not store.has(KEY)
    assert store.put(KEY, {"metrics.json": b'{"jobs": 1}', "scenario.json": b"{}"})
    assert store.has(KEY)
    assert store.read(KEY).metrics == {"jobs": 1}
    assert (store.folder / "runs" / "ab" / KEY / "scenario.json").read_bytes() == b"{}"
    assert not list((store.folder / ".parts").iterdir())


def test_runs_come_by_key(store):
    """All runs are told in the order of their keys, whatever was put first."""
    for key in (OTHER, KEY, "00" + "f" * 62):
        store.put(key, {"metrics.json": b"{}"})
    assert [run.key for run in store.runs()] == ["00" + "f" * 62, KEY, OTHER]


def test_the_second_changes_nothing(store):
    """Who comes second with a run leaves the first one as it is, and nothing beside it."""
    assert store.put(KEY, {"metrics.json": b"first"})
    assert not store.put(KEY, {"metrics.json": b"second"})
    assert (store.read(KEY).folder / "metrics.json").read_bytes() == b"first"
    assert not list((store.folder / ".parts").iterdir())


@pytest.mark.slow
def test_many_processes_put_the_same_run(store):
    """Of processes that finish the same run at once exactly one keeps its own, whole."""
    code = (
        "import sys; from pathlib import Path; from echelon.experiments.study.store.store import Store\n"
        "store = Store(Path(sys.argv[1]))\n"
        "for k in range(40):\n"
        "    key = f'{k:064x}'\n"
        "    files = {f'{n}': sys.argv[2].encode() * 5000 for n in range(3)}\n"
        "    print(int(store.put(key, files)), end='')\n"
    )
    writers = [
        subprocess.Popen([sys.executable, "-c", code, store.folder, str(n)], stdout=subprocess.PIPE)
        for n in range(4)
    ]
    told = [[int(digit) for digit in writer.communicate()[0].decode()] for writer in writers]
    assert [sum(column) for column in zip(*told, strict=True)] == [1] * 40
    for run in store.runs():
        contents = {(run.folder / str(n)).read_bytes() for n in range(3)}
        assert len(contents) == 1
        assert len(contents.pop()) == 5000


def test_a_store_opens_again(store):
    """The same study goes on in its folder, and so does one that gives no name."""
    store.put(KEY, {})
    assert Store.open(store.folder, name="one").has(KEY)
    assert Store.open(store.folder).has(KEY)
    assert Store.existing(store.folder).about()["name"] == "one"


def test_another_study_is_refused(store):
    """Runs of two studies do not mix."""
    with pytest.raises(
        InputError, match=r"is the folder of the study 'one', with which runs of 'two' would mix"
    ):
        Store.open(store.folder, name="two")


def test_a_foreign_folder_is_refused(tmp_path):
    """A folder that holds anything else is left alone, and the sentence names what is in it."""
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(InputError, match=r"not empty: it holds 'thesis\.tex'"):
        Store.open(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_no_store_is_no_store(tmp_path):
    """Reading a folder without a study, or with one of another layout, is one sentence."""
    with pytest.raises(InputError, match=r"is not a study folder: it has no study\.json"):
        Store.existing(tmp_path)
    (tmp_path / "study.json").write_text('{"layout": 7}')
    with pytest.raises(InputError, match="has the layout 7, this release knows 1"):
        Store.existing(tmp_path)
    (tmp_path / "study.json").write_text("[")
    with pytest.raises(InputError, match="cannot be read"):
        Store.existing(tmp_path)


def test_a_file_in_the_way(tmp_path):
    """A file where the folder should be is one sentence."""
    (tmp_path / "out").write_text("")
    with pytest.raises(StoreError, match="cannot be written"):
        Store.open(tmp_path / "out")


def test_a_full_disk_is_one_sentence(store, monkeypatch):
    """When the disk is full in the middle of a run, nothing of it is left, and all else is kept."""
    store.put(KEY, {"metrics.json": b"{}"})
    write = os.write
    calls = iter(range(100))

    def full(handle, content):
        if next(calls) == 1:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(handle, content)

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(
        StoreError, match=r"cannot be written: no space is left on its disk; .*; finished runs are kept"
    ):
        store.put(OTHER, {"a": b"1", "b": b"2"})
    assert not store.has(OTHER)
    assert store.has(KEY)
    assert not list((store.folder / ".parts").iterdir())


def test_short_writes_are_gone_on_with(store, monkeypatch):
    """An operating system that takes only some bytes at a time gets them all."""
    write = os.write
    monkeypatch.setattr(os, "write", lambda handle, content: write(handle, content[:3]))
    store.put(KEY, {"a": b"0123456789"})
    assert (store.read(KEY).folder / "a").read_bytes() == b"0123456789"


def test_sync_reaches_the_disk_before_the_run_is_there(tmp_path, monkeypatch):
    """With sync every file, its folder and the one above are handed to the disk."""
    synced = []
    monkeypatch.setattr(os, "fsync", synced.append)
    store = Store.open(tmp_path, sync=True)
    store.put(KEY, {"a": b"1", "b": b"2"})
    assert len(synced) == 4
    Store.open(tmp_path).put(OTHER, {"a": b"1"})
    assert len(synced) == 4


def test_what_the_dead_left_is_swept(store):
    """Parts of processes that have ended are removed, those of this one and of other machines are not."""
    dead = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, pathlib; from echelon.experiments.study.store.parts import part_name; "
            "name = part_name(); "
            "(pathlib.Path(sys.argv[1]) / '.parts' / name).mkdir(); print(name)",
            store.folder,
        ],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    mine, far, old = part_name(), "feedfacefeed-1-00", "feedfacefeed-2-00"
    for name in (mine, far, old):
        (store.folder / ".parts" / name).mkdir()
    os.utime(store.folder / ".parts" / old, (0, 0))
    assert (store.folder / ".parts" / dead).is_dir()
    Store.open(store.folder)
    assert {part.name for part in (store.folder / ".parts").iterdir()} == {mine, far}


def test_failures_are_kept_until_they_are_gone(store):
    """A case that failed is told with its sentence, and no longer once it is dropped."""
    case = Case({"workload": "none.swf"}, {"workload": "none"})
    store.put_failure(Outcome(case, "", "failed", {}, "no such file"))
    told = store.failures()
    assert list(told) == [store.failure_name(case)]
    assert told[store.failure_name(case)] == {
        "settings": {"workload": "none.swf"},
        "labels": {"workload": "none"},
        "key": "",
        "problem": "no such file",
    }
    store.drop_failure(case)
    store.drop_failure(case)
    assert store.failures() == {}


def test_a_damaged_failure_says_so(store):
    """The file of a case that failed is named when it is not what was written, and what to do about it."""
    case = Case({"workload": "none.swf"}, {"workload": "none"})
    store.put_failure(Outcome(case, "", "failed", {}, "no such file"))
    (file,) = (store.folder / "failures").glob("*.json")
    for content in (b"", b"{", b"[1]", b"\xff", b"[" * 100_000):
        file.write_bytes(content)
        with pytest.raises(InputError, match=r"cannot be read .*; remove it and run the study again"):
            store.failures()


def test_the_study_file_is_the_last_one(store):
    """The study file that is kept is the one last run."""
    store.put_study_file("a = 1")
    store.put_study_file("a = 2")
    assert (store.folder / "study.toml").read_text() == "a = 2"


def test_a_damaged_run_says_so(store):
    """A file of a run that is not JSON any more is named, and what to do about it."""
    store.put(KEY, {"metrics.json": b""})
    with pytest.raises(InputError, match=r"metrics\.json: cannot be read .* remove the folder of this run"):
        _ = store.read(KEY).metrics
    with pytest.raises(InputError, match="holds no run '000000000000'"):
        store.read("0" * 64)


def test_the_error_of_a_store_travels():
    """A worker's sentence is the same in the process that hears of it."""
    import pickle

    error = StoreError("out", OSError(errno.ENOSPC, "No space left on device"))
    again = pickle.loads(pickle.dumps(error))
    said = (
        "out: cannot be written: no space is left on its disk; free some, or write to another one; "
        "finished runs are kept"
    )
    assert str(again) == str(error) == said


def test_locks_of_killed_processes_are_swept(store):
    """The lock of a run that somebody makes stays; one that nobody holds any more goes."""
    left = store.folder / ".parts" / "81c0.lock"
    left.write_bytes(b"")
    with store.making("3f9a"):
        store.sweep()
        assert [part.name for part in (store.folder / ".parts").iterdir()] == ["3f9a.lock"]
    assert not list((store.folder / ".parts").iterdir())
