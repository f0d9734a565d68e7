"""Drains, maintenance and reservations by hand: worked cases, in every shape that has a queue."""

from __future__ import annotations

import math
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
from closed_nodes import SHAPES, Changes, outages, run, scenario_of, times, workload

import echelon as ec
from echelon.availability import Requeueing
from echelon.engine import compiled, reference
from echelon.engine.contract import Scenario
from echelon.engine.immediate.rules import ImmediateRules
from echelon.engine.system_model import LeafRules, TreeOfSites, tree_of_sites
from echelon.errors import DeadlockError, InputError
from echelon.model import Instance, JobStatus, OutageKind, Outages, Platform, Site, TimeSharedMachine
from echelon.model.machines.reservations import Reservation
from echelon.policies import broker_named, policy
from echelon.testing import check_calendar

HELD = (None, None, "a reservation that ended before they started")
NEVER_FITS = (None, None, "a reservation that was too short or too small for them")
in_both_engines = pytest.mark.parametrize("engine", [reference, compiled])
in_every_shape = pytest.mark.parametrize("shape", SHAPES)

R1 = workload((0, 60, 2), (1, 50, 4), (2, 10, 2, 95))
R3 = workload((0, 40, 2), (1, 30, 4), (2, 100, 1), (3, 30, 2, 35))


@in_every_shape
@pytest.mark.parametrize(
    ("spec", "expected"),
    [("easy", [(0, 60), (200, 250), (2, 12)]), ("fcfs", [(0, 60), (200, 250), (250, 260)])],
)
def test_a_day_of_maintenance(shape, spec, expected):
    """Cases R1e and R1n: the large job waits for its end, and only EASY lets the small one run before."""
    changes = Changes(outages(("maintenance", 100, 200, (1, 2, 3, 4))))
    assert times(shape, 4, R1, changes, spec) == expected


@in_every_shape
@pytest.mark.parametrize("spec", ["easy", "conservative", "plan", "easy:reservations=2", "selective"])
def test_a_reservation_for_a_user(shape, spec):
    """Case R2: others are kept out for as long as they are planned, and its user is let in."""
    jobs = workload((0, 60, 2), (0, 50, 3), (10, 30, 3, 40), user=[2, 2, 1])
    changes = Changes(reservations=(Reservation("r", 50, 100, (0, 1, 2), users=("1",)),))
    assert times(shape, 4, jobs, changes, spec) == [(100, 160), (0, 50), (50, 80)]


@in_every_shape
@pytest.mark.parametrize("spec", ["easy", "conservative", "plan", "easy:reservations=2", "selective"])
def test_what_is_left_over_later_does_not_count(shape, spec):
    """Case R3: a job of one node would hold it beyond 80, and move the head, though it seems left over."""
    changes = Changes(outages(("maintenance", 60, 80, (1, 2, 3))))
    assert times(shape, 4, R3, changes, spec) == [(0, 40), (80, 110), (110, 210), (3, 33)]


@in_every_shape
@pytest.mark.parametrize("spec", ["easy", "fcfs", "conservative"])
def test_a_drained_node(shape, spec):
    """Case F5: what runs there goes on, and nothing starts there until it is over."""
    jobs, changes = workload((0, 100, 2), (10, 20, 1), (10, 20, 2)), outages(("drain", 10, 200, (2,)))
    assert times(shape, 2, jobs, Changes(changes), spec) == [(0, 100), (100, 120), (200, 220)]


@in_every_shape
def test_a_job_may_overlap_the_beginning_of_a_drain(shape):
    """Of two nodes, one is drained from 10 on: a job of 15 s starts there at 5, of maintenance at the end."""
    jobs = workload((0, 100, 1), (5, 15, 1))
    assert times(shape, 2, jobs, Changes(outages(("drain", 10, 50, (2,)))), "easy") == [(0, 100), (5, 20)]
    kept = Changes(outages(("maintenance", 10, 50, (2,))))
    assert times(shape, 2, jobs, kept, "easy") == [(0, 100), (50, 65)]


@in_every_shape
@pytest.mark.parametrize(
    ("conflict", "expected"),
    [
        ("kill", {1: (0, 50, "EVICTED"), 2: (80, 100, "COMPLETED")}),
        ("wait", {1: (0, 100, "COMPLETED"), 2: (100, 120, "COMPLETED")}),
    ],
)
def test_maintenance_that_is_announced_too_late(shape, conflict, expected):
    """Known from 30 on, it begins over a job: that is killed, or the nodes join when it ends."""
    jobs = workload((0, 100, 2), (10, 20, 2))
    changes = Changes(outages(("maintenance", 50, 80, (1, 2), 30)), conflict=conflict)
    assert run(shape, 2, jobs, changes, "easy") == expected


@in_every_shape
def test_a_reservation_may_ignore_what_runs(shape):
    """It begins over the job and kills nothing; no other starts there until it is over."""
    jobs = workload((0, 100, 1), (10, 20, 2))
    late = Reservation("r", 50, 120, (0, 1), announced=40, ignore_jobs=True)
    assert times(shape, 2, jobs, Changes(reservations=(late,)), "easy") == [(0, 100), (120, 140)]


@in_every_shape
@pytest.mark.parametrize("spec", ["easy", "conservative", "fcfs"])
def test_an_announcement_withdraws_what_was_reserved(shape, spec):
    """The job that was to start at 20 is planned again at 10, when maintenance becomes known."""
    jobs = workload((0, 20, 2), (1, 20, 2))
    changes = Changes(outages(("maintenance", 25, 60, (1,), 10)))
    assert times(shape, 2, jobs, changes, spec) == [(0, 20), (60, 80)]


@in_every_shape
def test_jobs_that_name_a_reservation(shape):
    """They run inside it, before others of their queue; those that still wait or do not fit are held."""
    jobs = workload(
        (0, 10, 1), (0, 60, 1), (0, 20, 2), (60, 60, 1), (120, 5, 1),
        reservation=[-1, -1, 1, 1, 1], names=["class"],
    )  # fmt: skip
    changes = Changes(reservations=(Reservation("class", 50, 100, (0, 1)),))
    found = run(shape, 3, jobs, changes, "easy")
    assert found == {
        1: (0, 10, "COMPLETED"), 2: (0, 60, "COMPLETED"), 3: (50, 70, "COMPLETED"), 4: NEVER_FITS, 5: HELD,
    }  # fmt: skip


@in_every_shape
def test_a_reservation_that_is_over_before_a_job_joins(shape):
    """Jobs canceled at their submission or before it were canceled; others are held as they come."""
    jobs = workload(
        (0, 5, 1), (50, 9, 1), (60, 9, 1), (60, 9, 1), (61, 9, 1),
        cancel_time=[-1, 50, 30, -1, 70], reservation=[-1, 1, 1, 1, 1], names=["r"],
    )  # fmt: skip
    changes = Changes(reservations=(Reservation("r", 10, 20, (0,)),))
    found = run(shape, 2, jobs, changes, "easy")
    canceled = (None, None, "a cancellation before they started")
    assert found == {1: (0, 5, "COMPLETED"), 2: canceled, 3: canceled, 4: HELD, 5: HELD}


@in_every_shape
def test_a_reservation_that_ends_while_a_job_waits_for_its_delay(shape):
    """Its node fails, and it is held when it would join again; one that is canceled before that is not."""
    jobs = workload(
        (0, 50, 1), (0, 50, 1), (0, 90, 1),
        cancel_time=[-1, 25, -1], reservation=[1, 1, -1], names=["r"],
    )  # fmt: skip
    failures = outages(("fail", 15, 40, (1, 2)))
    changes = Changes(failures, (Reservation("r", 0, 20, (0, 1), flex=True),), Requeueing(delay=30.0))
    statuses = {number: row[-1] for number, row in run(shape, 3, jobs, changes, "easy").items()}
    assert statuses == {1: "HELD", 2: "CANCELED_WAITING", 3: "COMPLETED"}


@in_every_shape
def test_a_reservation_that_is_on_comes_first(shape):
    """Under FCFS the job that names it overtakes the head of the queue from its start on, and not before."""
    jobs = workload((0, 60, 2), (10, 30, 3), (20, 10, 1), reservation=[-1, -1, 1], names=["r"])
    changes = Changes(reservations=(Reservation("r", 40, 100, (2,)),))
    assert times(shape, 3, jobs, changes, "fcfs") == [(0, 60), (100, 130), (40, 50)]


@in_every_shape
@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ({}, {1: (50, 100, "EVICTED"), 2: (0, 10, "COMPLETED")}),
        ({"overrun": True}, {1: (50, 150, "COMPLETED"), 2: (0, 10, "COMPLETED")}),
        ({"flex": True}, {1: (0, 100, "COMPLETED"), 2: (100, 110, "COMPLETED")}),
    ],
)
def test_flags_of_reservations(shape, flags, expected):
    """A job that runs on at the end is killed unless it may overrun; a flexible one begins at once."""
    jobs = workload((0, 100, 2, 40), (0, 10, 2), reservation=[1, -1], names=["r"])
    changes = Changes(reservations=(Reservation("r", 50, 100, (0, 1), **flags),))
    assert run(shape, 2, jobs, changes, "easy", estimates="request") == expected


@in_every_shape
@pytest.mark.parametrize("who", [{"users": ("ann",)}, {"users": ("1",)}, {"accounts": ("7",)}])
def test_access_by_name_code_or_account(shape, who):
    """Its job may use the reserved nodes and others; it starts at once on all three."""
    jobs = workload((0, 10, 3), (0, 10, 1), user=[1, 2], account=[7, 8])
    jobs = replace(jobs, names={**jobs.names, "user": ("ann", "bob")})
    changes = Changes(reservations=(Reservation("r", 0, 50, (0, 1), **who),))
    assert times(shape, 3, jobs, changes, "easy") == [(0, 10), (10, 20)]


@pytest.mark.parametrize("spec", ["easy", "conservative", "slack", "relaxed", "selective", "plan", "fcfs"])
def test_nodes_that_never_come_back(spec):
    """The large job is counted as unfinished, with its reason; others may overtake unless none ever may."""
    jobs, changes = workload((0, 10, 1), (1, 5, 2), (2, 5, 1)), Changes(outages(("drain", 5, math.inf, (2,))))
    found = run("processors", 2, jobs, changes, spec)
    assert found[1] == (0, 10, "COMPLETED")
    never = (None, None, "no processors left to run on")
    assert found[2] == never
    assert found[3] == (never if spec == "fcfs" else (2, 7, "COMPLETED"))


@in_both_engines
def test_a_sliding_reservation_waits_for_somebody(engine):
    """Its job comes at 4,000 s: by then it has moved to 10,800 s, and there it stays and begins."""
    jobs = workload((4000, 100, 2), (4000, 9000, 1), reservation=[1, -1], names=["r"])
    changes = Changes(reservations=(Reservation("r", 3600, 5400, (0, 1), slide=3600),))
    schedule = engine.simulate(scenario_of("processors", 3, jobs, changes, "easy"))
    assert schedule.start_time.tolist() == [10_800, 4000]
    (kept,) = schedule.reservations
    assert (kept.start, kept.end) == (10_800, 12_600)
    check_calendar(schedule, changes).require()


@in_both_engines
def test_a_sliding_reservation_that_nobody_wants(engine):
    """It never begins and is not among those kept; as it moves to 10,800 s at 3,900 s, 6,900 s are free."""
    jobs = workload((0, 3000, 2), (100, 6900, 2), (4000, 3600, 1))
    changes = Changes(reservations=(Reservation("r", 3600, 5400, (0, 1), slide=3600),))
    schedule = engine.simulate(scenario_of("processors", 2, jobs, changes, "easy"))
    assert schedule.start_time.tolist() == [0, 3900, 10_800]
    assert not schedule.reservations


@in_both_engines
def test_jobs_too_long_for_a_sliding_reservation(engine):
    """It is never more than two hours ahead, so a job of three can never start, and the run says so."""
    jobs = workload((0, 10_800, 1))
    changes = Changes(reservations=(Reservation("r", 3600, 5400, (0, 1), slide=3600),))
    with pytest.raises(DeadlockError, match=r"1 job can never start.*calendar"):
        engine.simulate(scenario_of("processors", 2, jobs, changes, "easy"))


@in_both_engines
@pytest.mark.parametrize(("slides", "repair"), [((3600, 3900), "unknown"), ((3600,), 1000.0)])
def test_sliding_reservations_do_not_keep_a_run_going(engine, slides, repair):
    """A node never returns, so job 1 never ends: moves, and repairs expected again, end in vain."""
    jobs = workload((0, 100, 2), (0, 100, 1))
    kept = tuple(Reservation(f"r{slide}", 7200, 9000, (1,), slide=slide) for slide in slides)
    changes = Changes(outages(("fail", 50, math.inf, (1,))), kept, repair=repair)
    schedule = engine.simulate(scenario_of("processors", 2, jobs, changes, "easy"))
    assert schedule.status.tolist() == [JobStatus.UNFINISHED, JobStatus.COMPLETED]


def test_a_broker_sends_a_job_to_its_reservation():
    """The job names a reservation of the second site, and may go nowhere else."""
    jobs = workload((0, 10, 1), (0, 10, 1), reservation=[-1, 1], names=["r"])
    changes = Changes(reservations=(Reservation("r", 30, 50, (0,), site=1),))
    schedule = reference.simulate(scenario_of("grid of processors", 2, jobs, changes, "easy"))
    assert schedule.site.tolist() == [0, 1]
    assert schedule.start_time.tolist() == [0, 30]


@pytest.mark.parametrize("shape", ["processors", "nodes", "grid of nodes"])
def test_nodes_that_are_not_there_are_refused(shape):
    """Nodes are numbered from 1 in messages; sites, too."""
    jobs, far = workload((0, 10, 1)), Changes(outages(("drain", 5, 9, (4,))))
    with pytest.raises(InputError, match="names node 4, but there are 3 nodes"):
        reference.simulate(scenario_of(shape, 3, jobs, far, "easy"))
    rows = Outages.of([(5, 9, (0,), OutageKind.MAINTENANCE, -math.inf, 2)])
    with pytest.raises(InputError, match="names site 3"):
        reference.simulate(scenario_of(shape, 3, jobs, Changes(rows), "easy"))


def time_shared(changes):
    """Return the starts and ends of two jobs on a time-shared machine of two cores, in a grid of two."""
    platform = Platform((Site("desk", TimeSharedMachine(2, speed=1.0)), Site("b", 2)))
    given = Instance.of(workload((0, 10, 1), (20, 10, 1)), platform)
    rules = LeafRules(time_shared=ImmediateRules())
    model = TreeOfSites(tree_of_sites(broker_named("first-site")).controllers, rules)
    return reference.simulate(Scenario(given, policy("easy"), system_model=model, changes=changes))


def test_time_shared_machines_go_down_for_maintenance():
    """Both cores are gone from 5 to 12, so the job begins again then; a drain of one core is no hindrance."""
    both = time_shared(Changes(outages(("maintenance", 5, 12, (1, 2)))))
    assert both.end_time.tolist() == [22, 30]
    assert time_shared(Changes(outages(("drain", 5, 12, (1,))))).end_time.tolist() == [10, 30]


def test_time_shared_machines_cannot_be_reserved():
    """Jobs start there as they come: the refusal says so."""
    with pytest.raises(InputError, match="time-shared machine, where jobs start as they come"):
        time_shared(Changes(reservations=(Reservation("r", 5, 12, (0,)),)))


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["fcfs", "easy"])
def test_a_real_log_with_a_shift_of_maintenance_every_week(spec):
    """Twelve hundred jobs of KTH-SP2, eight hours a week: nobody is in the way, and nobody is lost."""
    log = ec.read_workload("kth-sp2")
    jobs = log.take(np.arange(1200))
    week, begin = 604_800.0, float(jobs.submit_time.min())
    rows = (("maintenance", begin + week * n, begin + week * n + 28_800, range(1, 101)) for n in range(1, 9))
    changes = Changes(outages(*rows))
    schedule = reference.simulate(scenario_of("processors", 100, jobs, changes, spec))
    check_calendar(schedule, changes).require()
    assert (schedule.status <= 1).all()
    assert len(schedule.status) == len(Instance.of(jobs, 100))
    assert schedule.end_time.max() > begin + 2 * week
