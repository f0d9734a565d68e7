"""EASY on cases worked by hand: 4 processors, jobs as (submit, run, processors, request).

In the drawings ``.`` is waiting and ``=`` running; columns begin where something happens.
"""

from __future__ import annotations

import pytest

from echelon.engine.contract import CYCLES, Scenario
from echelon.policies import policy
from echelon.testing.workloads import EASY_CASES

JOBS_WITH_CHOICE = [(0, 10, 2, 10), (1, 10, 4, 10), (2, 8, 1, 8), (2, 4, 2, 4)]


def test_a_guarantee(assert_drawn):
    """Job 3 fits beside job 1, but would push the head from 100 to 1002: it waits."""
    assert_drawn(
        "easy",
        [(0, 100, 3, 100), (1, 100, 4, 100), (2, 1000, 1, 1000)],
        """
        time  0    1    2    100  200  1200
        1 x3  ===============
        2 x4       ..........=====
        3 x1            ..........=====
        """,
    )


def test_b_early_finish(assert_drawn):
    """Job 1 is planned until 1000 but ends at 100: the head starts at 100."""
    assert_drawn(
        "easy",
        [(0, 100, 3, 1000), (1, 100, 4, 100)],
        """
        time  0    1    100  200
        1 x3  ==========
        2 x4       .....=====
        """,
    )


def test_c_extra_processors(assert_drawn):
    """The head leaves one processor over at 100: job 3 takes it, however long it runs."""
    assert_drawn(
        "easy",
        [(0, 100, 2, 100), (1, 100, 3, 100), (2, 1000, 1, 1000)],
        """
        time  0    1    2    100  200  1002
        1 x2  ===============
        2 x3       ..........=====
        3 x1            ===============
        """,
    )


def test_d_estimates_hide_truth(assert_drawn):
    """Job 3 would be gone at 12, but is planned until 1002: it waits behind the head."""
    assert_drawn(
        "easy",
        [(0, 100, 3, 100), (1, 100, 4, 100), (2, 10, 1, 1000)],
        """
        time  0    1    2    100  200  210
        1 x3  ===============
        2 x4       ..........=====
        3 x1            ..........=====
        """,
    )


def test_e_plain_backfill(assert_drawn):
    """Job 3 ends by the head's shadow time: it starts at once."""
    assert_drawn(
        "easy",
        [(0, 100, 3, 100), (1, 100, 4, 100), (2, 50, 1, 50)],
        """
        time  0    1    2    52   100  200
        1 x3  ====================
        2 x4       ...............=====
        3 x1            =====
        """,
    )


def test_g_shadow_order(assert_drawn):
    """Job 3's shadow time is 1000, when job 1 ends by plan, though job 2 started later and ends later."""
    assert_drawn(
        "easy",
        [(0, 1000, 1, 1000), (900, 500, 1, 500), (901, 100, 3, 100), (902, 440, 2, 440)],
        """
        time  0    900  901  902  1000 1100 1400 1540
        1 x1  ====================
        2 x1       =========================
        3 x3            ..........=====
        4 x2                 ..........==========
        """,
    )


STARTS = {
    "easy-a-guarantee": [0, 100, 200],
    "easy-b-early-finish": [0, 100],
    "easy-c-extra-processors": [0, 100, 2],
    "easy-d-estimates-hide-truth": [0, 100, 200],
    "easy-e-plain-backfill": [0, 100, 2],
    "easy-g-shadow-order": [0, 900, 1000, 1100],
}


@pytest.mark.parametrize("known", EASY_CASES, ids=lambda known: known.name)
def test_cases_of_the_package(engine, known):
    """The six cases that `echelon.testing` offers are these, and pass in every rule of cycles."""
    for cycles in CYCLES:
        schedule = engine(Scenario(known.instance(), policy("easy"), cycles=cycles))
        assert schedule.start_time.tolist() == STARTS[known.name]


def test_ending_at_the_shadow_time_is_in_time(assert_drawn):
    """A candidate planned to end exactly when the head is to start delays nobody."""
    assert_drawn(
        "easy",
        [(0, 10, 3, 10), (1, 5, 4, 5), (2, 8, 1, 8)],
        """
        time  0    1    2    10   15
        1 x3  ===============
        2 x4       ..........=====
        3 x1            =====
        """,
    )


def test_extra_counts_every_end_at_the_shadow_time(assert_drawn):
    """Job 1's end lets the head in, but job 2 ends at 10 too: its processor is left over for job 4."""
    assert_drawn(
        "easy",
        [(0, 10, 2, 10), (0, 10, 1, 10), (1, 10, 3, 10), (2, 30, 1, 30)],
        """
        time  0    1    2    10   20   32
        1 x2  ===============
        2 x1  ===============
        3 x3       ..........=====
        4 x1            ===============
        """,
    )


def test_extra_processors_are_used_up(assert_drawn):
    """One processor is left over at 10: job 3 takes it, so job 4, as long, may not start too."""
    assert_drawn(
        "easy",
        [(0, 10, 2, 10), (1, 10, 3, 10), (2, 30, 1, 30), (2, 30, 1, 30)],
        """
        time  0    1    2    10   20   32   50
        1 x2  ===============
        2 x3       ..........=====
        3 x1            ===============
        4 x1            ..........==========
        """,
    )


def test_one_pass_for_all_events_of_an_instant(assert_drawn):
    """At 10 job 1 ends and jobs 3 and 4 arrive: job 2 is first, then job 4 beside it."""
    assert_drawn(
        "easy",
        [(0, 10, 4, 10), (5, 10, 2, 10), (10, 10, 3, 10), (10, 10, 2, 10)],
        """
        time  0    5    10   20   30
        1 x4  ==========
        2 x2       .....=====
        3 x3            .....=====
        4 x2            =====
        """,
    )


def test_candidates_in_queue_order(assert_drawn):
    """By arrival job 3 is tried first and takes the processor that job 4 needs."""
    assert_drawn(
        "easy",
        JOBS_WITH_CHOICE,
        """
        time  0    1    2    10   20   24
        1 x2  ===============
        2 x4       ..........=====
        3 x1            =====
        4 x2            ..........=====
        """,
    )


def test_candidates_in_an_order_of_their_own(assert_drawn):
    """Shortest first among candidates: job 4 starts at 2; job 3 can no more end by 10 and waits."""
    assert_drawn(
        "easy:candidates=shortest-first",
        JOBS_WITH_CHOICE,
        """
        time  0    1    2    6    10   20   28
        1 x2  ====================
        2 x4       ...............=====
        3 x1            ...............=====
        4 x2            =====
        """,
    )


def test_best_fit_candidates(assert_drawn):
    """The largest candidate that may start is taken first: job 4, as if shortest first."""
    assert_drawn(
        "easy:fit=best-fit",
        JOBS_WITH_CHOICE,
        """
        time  0    1    2    6    10   20   28
        1 x2  ====================
        2 x4       ...............=====
        3 x1            ...............=====
        4 x2            =====
        """,
    )


def test_the_head_is_the_first_by_the_order(assert_drawn):
    """Smallest first: job 3 becomes the head and starts at 5; job 2 waits for the whole machine."""
    assert_drawn(
        "easy:smallest-first",
        [(0, 5, 3, 5), (1, 10, 4, 10), (2, 9, 2, 9)],
        """
        time  0    1    2    5    14   24
        1 x3  ===============
        2 x4       ...............=====
        3 x2            .....=====
        """,
    )


def test_raise_plans_with_the_longer_time(assert_drawn):
    """Job 3 asks for 5 and runs 50: planned with 50, it may not overtake the head at 10."""
    assert_drawn(
        "easy",
        [(0, 10, 3, 10), (1, 10, 4, 10), (2, 50, 1, 5)],
        """
        time  0    1    2    10   20   70
        1 x3  ===============
        2 x4       ..........=====
        3 x1            ..........=====
        """,
        estimates="raise",
    )


def test_kill_cuts_at_the_request(assert_drawn):
    """The same under kill: job 3 is cut after its 5 s and starts at once."""
    assert_drawn(
        "easy",
        [(0, 10, 3, 10), (1, 10, 4, 10), (2, 50, 1, 5)],
        """
        time  0    1    2    7    10   20
        1 x3  ====================
        2 x4       ...............=====
        3 x1            =====
        """,
        estimates="kill",
    )


def test_exact_knows_the_run_time(assert_drawn):
    """Case D under exact estimates: job 3 is known to end at 12 and starts at once."""
    assert_drawn(
        "easy",
        [(0, 100, 3, 100), (1, 100, 4, 100), (2, 10, 1, 1000)],
        """
        time  0    1    2    12   100  200
        1 x3  ====================
        2 x4       ...............=====
        3 x1            =====
        """,
        estimates="exact",
    )


def test_two_reservations_protect_the_second(assert_drawn):
    """Job 4 would delay job 3, the second in line: with two reservations it waits until 30."""
    jobs = [(0, 10, 3, 10), (1, 10, 2, 10), (2, 10, 4, 10), (3, 30, 1, 30)]
    assert_drawn(
        "easy",
        jobs,
        """
        time  0    1    2    3    10   20   33   43
        1 x3  ====================
        2 x2       ...............=====
        3 x4            ....................=====
        4 x1                 ===============
        """,
    )
    assert_drawn(
        "easy:reservations=2",
        jobs,
        """
        time  0    1    2    3    10   20   30   60
        1 x3  ====================
        2 x2       ...............=====
        3 x4            ...............=====
        4 x1                 ...............=====
        """,
    )


def test_two_reservations_leave_the_third_unprotected(assert_drawn):
    """Job 5 delays nobody but job 4, the third in line: two reservations allow it, three do not."""
    jobs = [(0, 10, 3, 10), (1, 10, 3, 10), (2, 10, 3, 10), (3, 10, 4, 10), (4, 40, 1, 40)]
    assert_drawn(
        "easy:reservations=2",
        jobs,
        """
        time  0    1    2    3    4    10   20   30   44   54
        1 x3  =========================
        2 x3       ....................=====
        3 x3            ....................=====
        4 x4                 .........................=====
        5 x1                      ====================
        """,
    )
    assert_drawn(
        "easy:reservations=3",
        jobs,
        """
        time  0    1    2    3    4    10   20   30   40   80
        1 x3  =========================
        2 x3       ....................=====
        3 x3            ....................=====
        4 x4                 ....................=====
        5 x1                      ....................=====
        """,
    )
