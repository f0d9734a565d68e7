"""None, first-fit and plan on cases worked by hand: 4 processors, jobs as (submit, run, processors, request).

In the drawings ``.`` is waiting and ``=`` running; columns begin where something happens.
"""

from __future__ import annotations


def test_none_lets_nobody_overtake(assert_drawn):
    """Job 3 would fit at 2 and end before job 2 starts, but waits behind it."""
    assert_drawn(
        "fcfs",
        [(0, 10, 3, 10), (1, 10, 4, 10), (2, 1, 1, 1)],
        """
        time  0    1    2    10   20   21
        1 x3  ===============
        2 x4       ..........=====
        3 x1            ..........=====
        """,
    )


def test_none_with_an_order(assert_drawn):
    """Largest first: at 10 job 4 leaves one processor idle, and jobs 2 and 3 wait for it."""
    assert_drawn(
        "largest-first",
        [(0, 10, 4, 10), (1, 5, 1, 5), (2, 5, 2, 5), (3, 5, 3, 5)],
        """
        time  0    1    2    3    10   15   20
        1 x4  ====================
        2 x1       ....................=====
        3 x2            ...............=====
        4 x3                 .....=====
        """,
    )


def test_first_fit_starves_the_head(assert_drawn):
    """Job 3 and then job 4 start as soon as they fit; job 2 waits until both are gone."""
    assert_drawn(
        "first-fit",
        [(0, 10, 3, 10), (1, 10, 4, 10), (2, 20, 1, 20), (12, 20, 3, 20)],
        """
        time  0    1    2    10   12   22   32   42
        1 x3  ===============
        2 x4       .........................=====
        3 x1            ===============
        4 x3                      ==========
        """,
    )


def test_plan_lays_out_the_queue_anew(assert_drawn):
    """At 4 job 1 ends early: with no promise to keep, job 3 moves to 6 and job 4 behind it, to 11."""
    assert_drawn(
        "plan",
        [(0, 4, 3, 10), (0, 6, 1, 6), (1, 5, 4, 5), (2, 4, 1, 4)],
        """
        time  0    1    2    4    6    11   15
        1 x3  ===============
        2 x1  ====================
        3 x4       ...............=====
        4 x1            ...............=====
        """,
    )


def test_plan_keeps_no_promise(assert_drawn):
    """Shortest first: job 3, later and shorter, is planned before job 2 (conservative keeps job 2 at 10)."""
    jobs = [(0, 10, 4, 10), (1, 10, 4, 10), (2, 5, 4, 5)]
    assert_drawn(
        "plan:shortest-first",
        jobs,
        """
        time  0    1    2    10   15   25
        1 x4  ===============
        2 x4       ...............=====
        3 x4            .....=====
        """,
    )
    assert_drawn(
        "conservative:shortest-first",
        jobs,
        """
        time  0    1    2    10   20   25
        1 x4  ===============
        2 x4       ..........=====
        3 x4            ..........=====
        """,
    )


def test_plan_protects_every_waiting_job(assert_drawn):
    """Job 4 would delay job 3, the second in line: it is planned for 30."""
    assert_drawn(
        "plan",
        [(0, 10, 3, 10), (1, 10, 2, 10), (2, 10, 4, 10), (3, 30, 1, 30)],
        """
        time  0    1    2    3    10   20   30   60
        1 x3  ====================
        2 x2       ...............=====
        3 x4            ...............=====
        4 x1                 ...............=====
        """,
    )


def test_event_decides_after_every_event(assert_drawn):
    """Jobs 1 and 2 end at 10: after the first END job 4 fits; one pass for both lets job 3 start."""
    jobs = [(0, 10, 2, 10), (0, 10, 2, 10), (1, 10, 4, 10), (2, 5, 2, 5)]
    assert_drawn(
        "first-fit",
        jobs,
        """
        time  0    1    2    10   20   25
        1 x2  ===============
        2 x2  ===============
        3 x4       ..........=====
        4 x2            ..........=====
        """,
    )
    assert_drawn(
        "first-fit",
        jobs,
        """
        time  0    1    2    10   15   25
        1 x2  ===============
        2 x2  ===============
        3 x4       ...............=====
        4 x2            .....=====
        """,
        cycles="event",
    )


def test_pyss_submits_before_early_ends(assert_drawn):
    """At 10 job 1 ends early and job 3 arrives: by pyss it arrives first and takes the free processor.

    Then the END: 3 processors are free, too few for job 2, which with one pass for both is the first to
    start.
    """
    jobs = [(0, 10, 3, 99), (1, 5, 4, 5), (10, 2, 1, 2)]
    assert_drawn(
        "first-fit",
        jobs,
        """
        time  0    1    10   15   17
        1 x3  ==========
        2 x4       .....=====
        3 x1            .....=====
        """,
    )
    assert_drawn(
        "first-fit",
        jobs,
        """
        time  0    1    10   12   17
        1 x3  ==========
        2 x4       ..........=====
        3 x1            =====
        """,
        cycles="pyss",
    )


def test_pyss_frees_planned_ends_before_submits(assert_drawn):
    """The same, job 1 planned to end at 10: its processors are free before job 3 arrives, so job 2 starts."""
    assert_drawn(
        "first-fit",
        [(0, 10, 3, 10), (1, 5, 4, 5), (10, 2, 1, 2)],
        """
        time  0    1    10   15   17
        1 x3  ==========
        2 x4       .....=====
        3 x1            .....=====
        """,
        cycles="pyss",
    )
