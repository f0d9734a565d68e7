"""The earlier name of the room of global queues."""

from __future__ import annotations

import pytest

from echelon import testing
from echelon.policies import global_queue, upper_queue


@pytest.mark.parametrize(
    ("earlier", "name"),
    [
        ("Deliver", "Deliver"),
        ("UpperQueue", "GlobalQueueRule"),
        ("UpperView", "GlobalQueueView"),
        ("UPPER_QUEUES", "GLOBAL_QUEUES"),
        ("upper_queue", "global_queue"),
        ("format_upper_queue", "format_global_queue"),
    ],
)
def test_earlier_names_are_read(earlier, name):
    """Rules that import by the earlier names of room and classes get the present ones."""
    assert getattr(upper_queue, earlier) is getattr(global_queue, name)


def test_a_name_that_never_was_is_an_error():
    """What the room has not is missing under its earlier name, too."""
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        upper_queue.nothing  # noqa: B018


def test_the_check_has_its_earlier_name():
    """`echelon.testing` has the check of global queues under both names."""
    assert testing.check_upper_queue is testing.check_global_queue
