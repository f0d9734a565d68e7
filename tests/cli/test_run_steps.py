"""What run and compare have in common."""

from __future__ import annotations

import gc
import threading

import pytest

from echelon.cli import main
from echelon.cli.run_steps import meanwhile
from echelon.errors import InputError


def test_tasks_are_done_in_order_beside_the_block():
    """They run in another thread, one after the other, and all of them are done when the block is left."""
    done, begun = [], threading.Event()

    def first():
        begun.wait(10)
        done.append((1, threading.current_thread() is threading.main_thread()))

    with meanwhile([first, lambda: done.append((2, False))]):
        assert done == []
        begun.set()
    assert done == [(1, False), (2, False)]


def test_what_a_task_raises_comes_before_what_the_block_raises():
    """Its error is the one that is told, as if the tasks had been done before the block."""

    def full():
        raise InputError("no space is left")

    with pytest.raises(InputError, match="no space is left"), meanwhile([full]):
        pass
    with pytest.raises(InputError, match="no space is left"), meanwhile([full]):
        raise RuntimeError("the block")


def test_no_further_task_is_begun_when_the_block_fails():
    """A block that is stopped waits for the task at hand alone."""
    going, may_end, done = threading.Event(), threading.Event(), []

    def long():
        going.set()
        may_end.wait(10)

    def failing():
        with meanwhile([long, lambda: done.append(2)]):
            going.wait(10)
            threading.Timer(0.2, may_end.set).start()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        failing()
    assert done == []


def test_a_command_inside_a_program_leaves_the_garbage_collector_as_it_was():
    """How often garbage is looked for is the program's again afterwards, and nothing is set apart."""
    before, apart = gc.get_threshold(), gc.get_freeze_count()
    assert main(["policies", "--help"]) == 0
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() <= apart
    assert gc.isenabled()
