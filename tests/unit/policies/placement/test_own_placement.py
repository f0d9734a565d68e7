"""Placements of one's own: answers are looked at, and nothing they are shown can be changed."""

from __future__ import annotations

import pytest

from echelon.errors import InputError, PolicyError
from echelon.model import Job
from echelon.policies import placement_of
from echelon.testing import FixedRoom, small_machines

ROW = small_machines()[1]
JOB = Job(0, 7, 0.0, 2, 10.0)


class Own:
    """A placement that answers by a function of the room."""

    name = "own"

    def __init__(self, answer):
        self.answer = answer

    def place(self, job, cores, room):
        """Return what the function says."""
        return self.answer(room)


def test_a_right_answer_is_passed_on():
    """As plain numbers, whatever kind of sequence it was; None stays None."""
    assert placement_of(Own(lambda room: ROW.first_core[:2])).place(JOB, 2, FixedRoom.of(ROW)) == (0, 4)
    assert placement_of(Own(lambda room: None)).place(JOB, 2, FixedRoom.of(ROW)) is None
    once = placement_of(Own(None))
    assert placement_of(once) is once


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ("ab", "gets 'ab'; expected core numbers or None"),
        (3, "gets 3; expected core numbers or None"),
        ({1, 2}, "gets {1, 2}; expected core numbers or None"),
        ([1.0, 2.0], "gets [1.0, 2.0]; expected core numbers"),
        ([True, 2], "gets [True, 2]; expected core numbers"),
        ([1], "gets 1 cores, 1 of them different; expected 2"),
        ([1, 2, 3], "gets 3 cores, 3 of them different; expected 2"),
        ([1, 1], "gets 2 cores, 1 of them different; expected 2"),
        ([1, 16], "gets core 16, but there are 0 to 15"),
        ([-1, 1], "gets core -1, but there are 0 to 15"),
    ],
)
def test_a_wrong_answer_is_refused(answer, problem):
    """The error names the placement, the job and what it got."""
    with pytest.raises(PolicyError) as error:
        placement_of(Own(lambda room: answer)).place(JOB, 2, FixedRoom.of(ROW))
    assert str(error.value) == f"policy 'own': job 7 {problem}"


def test_one_that_fails_is_told():
    """So is one that does not take the question."""
    with pytest.raises(PolicyError, match="makes the placement fail with ZeroDivisionError"):
        placement_of(Own(lambda room: 1 / 0)).place(JOB, 2, FixedRoom.of(ROW))
    with pytest.raises(PolicyError, match="makes the placement fail with TypeError"):
        placement_of(Own(lambda: 1)).place(JOB, 2, FixedRoom.of(ROW))


@pytest.mark.parametrize(
    "change",
    [
        lambda room: room.cores.fill(0),
        lambda room: room.memory.fill(0),
        lambda room: room.asleep.fill(True),
        lambda room: room.running.fill(0),
        lambda room: room.draws(JOB).fill(0),
        lambda room: room.idle(0).clear(),
        lambda room: setattr(room, "cores", None),
    ],
)
def test_a_room_can_not_be_changed(change):
    """Whoever tries fails, and the room stays as it was."""
    room = FixedRoom.of(ROW)
    with pytest.raises(PolicyError, match="makes the placement fail with"):
        placement_of(Own(change)).place(JOB, 2, room)
    assert room.cores.tolist() == [4] * 4


def test_one_that_minds_the_hardware_is_asked():
    """Its own check is passed on; without one every machine will do."""

    class Picky(Own):
        def check(self, hardware):
            raise InputError("needs wings")

    placement_of(Own(None)).check(ROW)
    with pytest.raises(InputError, match="needs wings"):
        placement_of(Picky(None)).check(ROW)
