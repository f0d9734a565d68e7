"""The rows of round robin: who joins which, and whose turn it is."""

from __future__ import annotations

from types import SimpleNamespace

from echelon.model import Job
from echelon.policies.preemptive.matrix import Matrix


def fitting(processors):
    return lambda jobs: sum(job.processors for job in jobs) <= processors


def job(position, size):
    return Job(position, position + 1, 0.0, size, 10.0)


def seen(waiting=(), running=()):
    """Return what a matrix reads of a view."""
    running = [SimpleNamespace(position=one.position, job=one) for one in running]
    return SimpleNamespace(queue=waiting, running=running)


def rows(matrix):
    return [[one.position for one in row] for row in matrix.rows]


def filled(*sizes, processors=4):
    jobs = [job(position, size) for position, size in enumerate(sizes)]
    matrix = Matrix()
    for one in jobs:
        matrix.place(one, fitting(processors))
    return matrix, jobs


def test_first_row_with_room():
    """Jobs of 3, 2, 1, 2 and 4 processors of 4: 1 goes beside 3, 2 beside 2, and 4 alone."""
    matrix, jobs = filled(3, 2, 1, 2, 4)
    assert rows(matrix) == [[0, 2], [1, 3], [4]]
    matrix.place(jobs[0], fitting(4))
    assert rows(matrix) == [[0, 2], [1, 3], [4]]


def test_turns_go_round():
    """The first turn is the first row's; each next one puts the row before it behind all."""
    matrix, _ = filled(4, 4, 4)
    matrix.next_turn()
    assert rows(matrix) == [[0], [1], [2]]
    matrix.next_turn()
    assert rows(matrix) == [[1], [2], [0]]


def test_an_empty_row_loses_its_turn():
    """When all of the running row have ended, the next one is first without going round."""
    matrix, jobs = filled(3, 1, 4, 4)
    matrix.next_turn()
    matrix.remove_ended(seen(waiting=jobs[2:], running=jobs[:1]))
    assert rows(matrix) == [[0], [2], [3]]
    assert not matrix.turn_is_lost
    matrix.remove_ended(seen(waiting=jobs[2:]))
    assert rows(matrix) == [[2], [3]]
    assert matrix.turn_is_lost
    matrix.next_turn()
    assert rows(matrix) == [[2], [3]]


def test_a_job_with_other_tasks_is_a_new_one():
    """Of a job in several clusters a row has the tasks here; with others it joins the first row with room."""
    matrix, jobs = filled(3, 2, 1)
    assert rows(matrix) == [[0, 2], [1]]
    back = jobs[0]._replace(processors=2)
    matrix.remove_ended(seen(waiting=jobs[1:], running=[back]))
    assert rows(matrix) == [[2], [1]]
    matrix.place(back, fitting(4))
    assert rows(matrix) == [[2, 0], [1]]


def test_what_is_known_of_a_job_is_brought_up_to_date():
    """A job that joins again with another planned time keeps its row."""
    matrix, jobs = filled(3, 2)
    longer = jobs[1]._replace(planned_time=99.0)
    matrix.remove_ended(seen(waiting=[longer], running=jobs[:1]))
    assert matrix.rows == [[jobs[0]], [longer]]
    assert matrix.turn_is_lost


def test_turns_nobody_was_woken_for():
    """Quanta follow each other from the last one known; one that ends now has not passed yet."""
    matrix, _ = filled(4)
    matrix.next_turn()
    matrix.turn_ends = 10.0
    for now, ends in ((9, 10), (10, 10), (10.5, 14), (14, 14), (31, 34)):
        matrix.renew(now, 4.0)
        assert matrix.turn_ends == ends
