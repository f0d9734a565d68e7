"""One service at a time works with a store, however it ended and by whatever name the store is called."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys

import pytest

from echelon.errors import InputError
from echelon.service.records import JobSpec
from echelon.service.store import Store, migrate

HOLDING = """
import sys
from echelon.service.store import Store
store = Store.open(sys.argv[1])
store.lock()
print("held", flush=True)
sys.stdin.read()
"""


def test_only_one_has_a_store(address, monkeypatch):
    """A second service, and a migration, are refused while the first one has the store, not after it."""
    monkeypatch.setattr("echelon.file_lock.PATIENCE", 0.1)
    with Store.open(address) as first:
        first.lock()
        with Store.open(address) as second:
            with pytest.raises(InputError, match="only one service may act"):
                second.lock()
            with pytest.raises(InputError, match="only one service may act"):
                migrate(address)
            # It may read and write tokens: commands of an operator do so while the service works.
            assert second.add_token("0" * 64, "ann", ["read"]).number == 1
        assert first.token("0" * 64).user == "ann"
    with Store.open(address) as third:
        third.lock()


@pytest.mark.slow
def test_the_lock_ends_with_its_process(address):
    """A service that was killed with -9 leaves no lock behind."""
    command = [sys.executable, "-c", HOLDING, address]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as process, Store.open(address) as store:
        assert process.stdout.readline() == "held\n"
        with pytest.raises(InputError) as caught:
            store.lock()
        if not address.startswith("postgresql"):
            assert f"process {process.pid} works with this store" in str(caught.value)
        os.kill(process.pid, signal.SIGKILL)
        process.wait(10)
        for _ in range(100):  # a server notices it within moments
            try:
                store.lock()
                break
            except InputError:
                continue
        assert store.add_jobs("ann", [JobSpec()], [None], 1.0, ["1" * 32])[0][1]


def test_a_link_has_the_lock_of_its_file(tmp_path):
    """The same file by another name is the same store."""
    (tmp_path / "link.db").symlink_to(tmp_path / "service.db")
    with Store.open(tmp_path / "service.db") as first, Store.open(tmp_path / "link.db") as second:
        first.lock()
        with pytest.raises(InputError, match="only one service may act"):
            second.lock()


def test_a_store_is_for_its_user_only(tmp_path):
    """The files of a store, in which there may be secrets of jobs, can be read by nobody else."""
    old = os.umask(0o022)
    try:
        with Store.open(tmp_path / "service.db") as store:
            store.lock()
            store.add_jobs("ann", [JobSpec()], [None], 1.0, ["1" * 32])
            modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
    finally:
        os.umask(old)
    assert len(modes) == 4
    assert set(modes.values()) == {0o600}
