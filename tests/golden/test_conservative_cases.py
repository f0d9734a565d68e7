"""Conservative backfilling on cases worked by hand: 4 processors, jobs as (submit, run, processors, request).

In the drawings ``.`` is waiting and ``=`` running; columns begin where something happens.
"""

from __future__ import annotations


def test_every_job_is_promised_a_start(assert_drawn):
    """Job 4 would delay job 3, the second in line (EASY lets it): it is promised 30 and waits."""
    assert_drawn(
        "conservative",
        [(0, 10, 3, 10), (1, 10, 2, 10), (2, 10, 4, 10), (3, 30, 1, 30)],
        """
        time  0    1    2    3    10   20   30   60
        1 x3  ====================
        2 x2       ...............=====
        3 x4            ...............=====
        4 x1                 ...............=====
        """,
    )


def test_a_hole_takes_who_delays_nobody(assert_drawn):
    """Before job 2's promise at 10 there is room for job 4 (until 10), not for job 3 (until 11)."""
    assert_drawn(
        "conservative",
        [(0, 10, 2, 10), (1, 10, 4, 10), (2, 9, 1, 9), (3, 7, 2, 7)],
        """
        time  0    1    2    3    10   20   29
        1 x2  ====================
        2 x4       ...............=====
        3 x1            ...............=====
        4 x2                 =====
        """,
    )


def test_a_hole_in_the_future(assert_drawn):
    """Job 4 is promised 6, between jobs 2 and 3, and starts there though nobody ends early."""
    assert_drawn(
        "conservative",
        [(0, 10, 3, 10), (0, 6, 1, 6), (1, 5, 4, 5), (2, 4, 1, 4)],
        """
        time  0    1    2    6    10   15
        1 x3  ====================
        2 x1  ===============
        3 x4       ...............=====
        4 x1            .....=====
        """,
    )


def test_compression_after_an_early_end(assert_drawn):
    """Job 1 ends at 5, not 10: jobs 2 and 3, promised 10 and 15, move up to 5 and 10."""
    assert_drawn(
        "conservative",
        [(0, 5, 4, 10), (1, 5, 3, 5), (2, 5, 2, 5)],
        """
        time  0    1    2    5    10   15
        1 x4  ===============
        2 x3       ..........=====
        3 x2            ..........=====
        """,
    )


def test_a_promise_falls_due_without_an_event(assert_drawn):
    """Each job moves once a compression, in queue order, so nothing else happens when job 3 starts.

    At 4 job 1 ends early. Job 3 comes first: job 4's promise [6, 10) is in its way, it stays at 10. Then
    job 4 moves to 4 and ends at 8, as planned: nobody ends early any more, and job 3 starts at 10, at
    which time no job ends and none arrives.
    """
    assert_drawn(
        "conservative",
        [(0, 4, 3, 10), (0, 6, 1, 6), (1, 5, 4, 5), (2, 4, 1, 4)],
        """
        time  0    1    2    4    6    8    10   15
        1 x3  ===============
        2 x1  ====================
        3 x4       .........................=====
        4 x1            .....==========
        """,
    )


def test_a_promise_due_when_jobs_arrive(assert_drawn):
    """At 10 job 2's promise falls due and jobs 3 and 4 arrive: job 3 does not fit beside it, job 4 does."""
    assert_drawn(
        "conservative",
        [(0, 10, 4, 10), (5, 10, 2, 10), (10, 10, 3, 10), (10, 10, 2, 10)],
        """
        time  0    5    10   20   30
        1 x4  ==========
        2 x2       .....=====
        3 x3            .....=====
        4 x2            =====
        """,
    )


def test_jobs_of_one_instant_are_promised_in_queue_order(assert_drawn):
    """Shortest first: job 3 is promised 10 before job 2, but job 4, later and shorter, comes after both."""
    assert_drawn(
        "conservative:shortest-first",
        [(0, 10, 4, 10), (1, 10, 4, 10), (1, 5, 4, 5), (2, 1, 4, 1)],
        """
        time  0    1    2    10   15   25   26
        1 x4  ===============
        2 x4       ...............=====
        3 x4       ..........=====
        4 x4            ...............=====
        """,
    )


def test_compression_goes_in_queue_order(assert_drawn):
    """The same, but job 1 ends at 6: compressed shortest first, job 4 moves to 6, job 3 to 7, job 2 to 12."""
    assert_drawn(
        "conservative:shortest-first",
        [(0, 6, 4, 10), (1, 10, 4, 10), (1, 5, 4, 5), (2, 1, 4, 1)],
        """
        time  0    1    2    6    7    12   22
        1 x4  ===============
        2 x4       ....................=====
        3 x4       ...............=====
        4 x4            .....=====
        """,
    )


def test_a_running_job_holds_its_processors_until_its_planned_end(assert_drawn):
    """At 3 job 1 is planned until 20: job 3 (until 12) fits beside it, job 2 is promised 20 and gets 12."""
    assert_drawn(
        "conservative",
        [(0, 11, 2, 20), (1, 5, 4, 5), (3, 9, 2, 9)],
        """
        time  0    1    3    11   12   17
        1 x2  ===============
        2 x4       ...............=====
        3 x2            ==========
        """,
    )


def test_kill_frees_nothing_early(assert_drawn):
    """Cut at its request, job 1 ends when planned, so nothing is compressed and job 2 starts at 5."""
    assert_drawn(
        "conservative",
        [(0, 50, 4, 5), (1, 3, 4, 3), (2, 9, 1, 3)],
        """
        time  0    1    2    5    8    11
        1 x4  ===============
        2 x4       ..........=====
        3 x1            ..........=====
        """,
        estimates="kill",
    )
