"""One process or thread at a time."""

from __future__ import annotations

import os
import sys
from threading import Event, Thread, Timer

import pytest

from echelon import file_lock
from echelon.file_lock import alone, is_held, take

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no such locks there")


def test_the_second_waits_for_the_first(tmp_path):
    """Who comes second enters when the first has left; the file that was made for it is gone in the end."""
    path, entered, order = tmp_path / "one.lock", Event(), []

    def second():
        entered.wait()
        with alone(path, makes=True):
            order.append("second")

    other = Thread(target=second)
    other.start()
    with alone(path, makes=True):
        entered.set()
        other.join(0.05)
        assert is_held(path)
        order.append("first")
    other.join()
    assert order == ["first", "second"]
    assert not is_held(path)
    assert not path.exists()


def test_a_folder_is_locked_as_it_is(tmp_path):
    """A folder can stand for what is done in it; it is left as it was."""
    with alone(tmp_path):
        assert is_held(tmp_path)
    assert not is_held(tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_lock_that_is_let_go_in_a_moment_is_waited_for(tmp_path):
    """A program that a killed process was starting holds locks a moment longer; that is waited for."""
    first, second = (os.open(tmp_path, os.O_RDONLY) for _ in range(2))
    try:
        take(first)
        Timer(0.1, os.close, [first]).start()
        take(second)
        assert is_held(tmp_path)
    finally:
        os.close(second)
    assert not is_held(tmp_path)


def test_a_lock_that_stays_is_taken(tmp_path, monkeypatch):
    """A lock that another holds all the while is refused."""
    monkeypatch.setattr(file_lock, "PATIENCE", 0.05)
    held = os.open(tmp_path, os.O_RDONLY)
    try:
        with alone(tmp_path), pytest.raises(BlockingIOError):
            take(held)
    finally:
        os.close(held)
