"""One process or thread at a time."""

from __future__ import annotations

import sys
from threading import Event, Thread

import pytest

from echelon.file_lock import alone, is_held

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
