"""The second-by-second program of trees on cases worked by hand: what it is checked by before it checks."""

from __future__ import annotations

import random
import sys
import tomllib
from dataclasses import replace
from fractions import Fraction as F  # noqa: N817  (numbers are all there is here)
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from random_trees import leaf_paths, paths, platform_file, random_jobs, random_tree
from second_by_second_trees import Inner, Job, Leaf, Queue, largest_job, leaves_of, simulate

# (submit, run, processors, request) on 4 processors, and the starts.
EASY = {
    "a: the head's guarantee": ([(0, 100, 3, 100), (1, 100, 4, 100), (2, 1000, 1, 1000)], [0, 100, 200]),
    "b: an early end": ([(0, 100, 3, 1000), (1, 100, 4, 100)], [0, 100]),
    "c: extra processors": ([(0, 100, 2, 100), (1, 100, 3, 100), (2, 1000, 1, 1000)], [0, 100, 2]),
    "d: plans, not runs": ([(0, 100, 3, 100), (1, 100, 4, 100), (2, 10, 1, 1000)], [0, 100, 200]),
    "e: a plain backfill": ([(0, 100, 3, 100), (1, 100, 4, 100), (2, 50, 1, 50)], [0, 100, 2]),
    "g: the shadow's order": (
        [(0, 1000, 1, 1000), (900, 500, 1, 500), (901, 100, 3, 100), (902, 440, 2, 440)],
        [0, 900, 1000, 1100],
    ),
    "in time to the second": ([(0, 10, 3, 10), (1, 5, 4, 5), (2, 8, 1, 8)], [0, 10, 2]),
    "extra processors run out": (
        [(0, 10, 2, 10), (1, 10, 3, 10), (2, 30, 1, 30), (2, 30, 1, 30)],
        [0, 10, 2, 20],
    ),
}


def jobs(*rows):
    """Return jobs of (submit, run, size), or with a request, or with what they wait for."""
    return [
        Job(row[0], row[1], row[2], row[3] if len(row) > 3 else row[1], row[4] if len(row) > 4 else ())
        for row in rows
    ]


@pytest.mark.parametrize("machine", [Leaf.count(4), Leaf.nodes((2, 2)), Leaf.nodes((1, 1, 1, 1))])
@pytest.mark.parametrize("case", EASY)
def test_easy(case, machine):
    """EASY starts the known cases as printed, by counts and on nodes, whose jobs may be anywhere."""
    rows, starts = EASY[case]
    assert simulate(machine, jobs(*rows)).start == starts


def test_the_first_that_does_not_fit_blocks_the_rest():
    """Without backfilling the third job waits behind the second, by first-fit it does not."""
    rows = jobs((0, 10, 3), (1, 10, 4), (2, 20, 1))
    assert simulate(Leaf.count(4, "none"), rows).start == [0, 10, 20]
    assert simulate(Leaf.count(4, "first-fit"), rows).start == [0, 22, 2]


def test_conservative_keeps_every_promise():
    """Job 4 would fit at 3 beside job 1, as under EASY, but delay job 3, to which 20 to 30 is promised."""
    rows = jobs((0, 10, 3), (1, 10, 2), (2, 10, 4), (3, 30, 1))
    assert simulate(Leaf.count(4, "easy"), rows).start == [0, 10, 33, 3]
    assert simulate(Leaf.count(4, "conservative"), rows).start == [0, 10, 20, 30]


def test_conservative_moves_promises_forward_once():
    """Job 1 ends at 4 instead of 10: job 2 is moved from 10 to 4, then job 3 from 15 to 9."""
    rows = jobs((0, 4, 3, 10), (1, 5, 4), (2, 5, 4))
    assert simulate(Leaf.count(4, "conservative"), rows).start == [0, 4, 9]


def test_a_promise_falls_due_where_nothing_else_happens():
    """Job 3 cannot move to 2, as job 4 holds 4 to 10; job 4 moves to 2 and ends at 8; job 3 starts at 10."""
    rows = jobs((0, 2, 1, 10), (0, 2, 2, 4), (1, 5, 3), (1, 6, 2))
    found = simulate(Leaf.count(3, "conservative"), rows)
    assert found.start == [0, 0, 10, 2]
    assert found.end == [2, 2, 15, 8]


def test_tasks_take_the_first_free_cores():
    """Job 2 takes the last core of the first node and one of the second, job 3 what job 1 gives back."""
    found = simulate(Leaf.nodes((3, 1, 4)), jobs((0, 5, 2), (1, 9, 3), (5, 1, 4)))
    assert found.nodes == [{0: 2}, {0: 1, 1: 1, 2: 1}, {0: 2, 2: 2}]
    assert found.start == [0, 1, 5]


def test_processes_share_the_cores_evenly():
    """Two jobs share the core for 10 s, three until 100, when the short one ends; 25 s are left of each."""
    found = simulate(Leaf.time_shared(1), jobs((0, 60, 1), (0, 60, 1), (10, 30, 1)))
    assert found.end == [150, 150, 100]


def test_speed_and_parts_of_cores():
    """Three processes on two cores of half speed go at a third each, one alone at a half."""
    found = simulate(Leaf.time_shared(2, F(1, 2)), jobs((0, 1, 2), (0, 2, 1)))
    # 1 s of work takes 3 s; the third process has 1 s left then, for 2 s.
    assert found.end == [3, 5]
    found = simulate(Leaf.time_shared(2), jobs((0, 10, 1), (1, 10, 2)))
    # 9 s left at 1 s; at two thirds they take 13.5 s, in which the other gets 9 of its 10.
    assert found.end == [F(29, 2), F(31, 2)]


def test_ends_come_before_joins_before_decisions():
    """At 10 the broker sees that job 1 has ended, and what it has itself assigned at this instant."""
    tree = Inner("ml", (Leaf.count(2), Leaf.count(3)))
    found = simulate(tree, jobs((0, 10, 2), (1, 20, 1), (10, 1, 1), (10, 1, 1), (10, 1, 1)))
    # At 10: 0 and 1 jobs; then 1 and 1, a tie that goes to the smaller; then 2 and 1.
    assert found.leaf == [0, 1, 0, 0, 1]
    assert [event for event in found.events if event[0] == 10] == [
        (10, "end", 0, 0),
        (10, "join", 2, 0),
        (10, "join", 3, 0),
        (10, "join", 4, 1),
        (10, "start", 2, 0),
        (10, "start", 3, 0),
        (10, "start", 4, 1),
    ]


def test_ends_are_in_the_order_of_dispatch():
    """Job 3 is dispatched at 2, job 2 at 4; both end at 6, job 3 first, at whatever leaves they are."""
    tree = Inner("first-site", (Leaf.count(2, "none"), Leaf.time_shared(3)))
    found = simulate(tree, jobs((0, 4, 2), (1, 2, 1), (2, 4, 3)))
    assert found.leaf == [0, 0, 1]
    assert [(time, job) for time, what, job, _ in found.events if what == "end"] == [(4, 0), (6, 2), (6, 1)]


def test_jobs_start_at_once_on_a_time_shared_machine():
    """In one instant its jobs are dispatched as they join, before those that a queue decides upon."""
    tree = Inner("ml", (Leaf.count(2), Leaf.time_shared(3)))
    found = simulate(tree, jobs((0, 2, 1), (0, 2, 1)))
    assert found.leaf == [0, 1]
    assert [(what, job) for _, what, job, _ in found.events[:4]] == [
        ("join", 0),
        ("join", 1),
        ("start", 1),
        ("start", 0),
    ]


def test_a_broker_reads_the_sum_over_the_leaves_of_a_child():
    """The group runs 2 jobs on 6 processors, the cluster 1 on 2: per processor the group has fewer."""
    group = Inner("ml", (Leaf.count(2), Leaf.count(4)))
    tree = Inner("mlp", (group, Leaf.count(2)))
    found = simulate(tree, jobs((0, 99, 1), (1, 99, 1), (2, 99, 1), (3, 99, 1), (4, 99, 1)))
    # The cluster is the smaller child. Then: 0/6, 1/6 and 2/6 against 1/2, and a tie of 3/6 with 1/2.
    assert found.leaf == [2, 0, 1, 0, 2]


def test_areas_and_sizes_are_read_below_a_child():
    """By sizes job 3 goes to the group, by areas to the cluster; both are read from all its leaves."""
    for broker, leaf in (("mpl", 0), ("mlb", 2)):
        tree = Inner(broker, (Inner("first-site", (Leaf.count(3), Leaf.count(3))), Leaf.count(6)))
        # Sizes: the group 1 of 6, the cluster 2 of 6. Areas: 50 of 6 and 20 of 6.
        found = simulate(tree, jobs((0, 50, 1), (0, 10, 2), (1, 1, 1)))
        assert found.leaf == [0, 2, leaf]


def test_balance_is_not_the_least_load():
    """Job 2 to the small site leaves loads of 8 and 2, to the large one of 0 and 4, which are nearer."""
    # What differs by rule is the measure: 16 of 8 processors are 4 in size, 4 in time.
    rows = jobs((0, 4, 4), (1, 16, 1))
    chosen = {"mlb": 0, "lbal-w": 1, "lbal-t": 1, "lbal-s": 0}
    for broker, leaf in chosen.items():
        assert simulate(Inner(broker, (Leaf.count(2), Leaf.count(8))), rows).leaf == [1, leaf]


def test_balance_is_of_all_children():
    """The load of a child to which job 2 may not go counts: 6, 0, 10 lie nearer than 0, 3, 10."""
    tree = Inner("lbal-w", (Leaf.count(2), Leaf.count(4), Leaf.count(40)), F(1, 8))
    assert simulate(tree, jobs((0, 10, 40), (1, 6, 2))).leaf == [2, 0]


def test_a_job_goes_where_some_leaf_can_hold_it():
    """The group has 6 processors, but no leaf of more than 3: a job of 4 goes to the cluster of 4."""
    tree = Inner("first-site", (Inner("ml", (Leaf.count(3), Leaf.count(3))), Leaf.count(4)))
    found = simulate(tree, jobs((0, 9, 4), (0, 9, 3), (1, 9, 4)))
    assert found.leaf == [2, 0, 2]
    with pytest.raises(ValueError, match="5 processors"):
        simulate(tree, jobs((0, 9, 5)))


def test_ties_go_to_the_child_with_the_smaller_largest_job():
    """The group of 2 + 2 processors comes before the cluster of 3, and equals in the order of the file."""
    group = Inner("ml", (Leaf.count(2), Leaf.count(2)))
    tree = Inner("ml", (Leaf.count(3), group, group))
    assert simulate(tree, jobs((0, 9, 1), (0, 9, 1), (0, 9, 1), (0, 9, 1))).leaf == [1, 3, 0, 2]


def test_admissible_children():
    """With a = 0.5 the first children, by largest job, that have half of what could hold the job."""
    group = Inner("ml", (Leaf.count(3), Leaf.count(3), Leaf.count(3)))
    tree = Inner("ml", (Leaf.count(8), group, Leaf.count(2)), F(1, 2))
    # 2, 9 and 8 of 19: a job of 1 may go to the first two, one of 3 to the group (9 of 17), of 4 to the last.
    found = simulate(tree, jobs((0, 9, 1), (0, 9, 1), (0, 9, 1), (0, 9, 3), (0, 9, 3), (0, 9, 4)))
    assert found.leaf == [4, 1, 4, 2, 3, 0]


def test_every_broker_takes_turns_of_its_own():
    """Round robin counts the children in the order of the file, at each inner site by itself."""
    group = Inner("round-robin", (Leaf.count(4), Leaf.count(2)))
    tree = Inner("round-robin", (group, Leaf.count(3)))
    found = simulate(tree, jobs(*[(time, 99, 1) for time in range(6)], (6, 99, 4), (7, 99, 1), (8, 99, 1)))
    assert found.leaf == [0, 2, 1, 2, 0, 2, 0, 2, 1]


def test_first_fit_looks_for_room():
    """The lowest child with room beside all its jobs, waiting ones too; without any, by sizes."""
    tree = Inner("first-fit", (Leaf.count(4), Inner("first-fit", (Leaf.count(2), Leaf.count(2)))))
    rows = jobs((0, 99, 1), (0, 99, 2), (0, 99, 1), (0, 99, 3), (0, 99, 1), (0, 99, 1), (0, 99, 1))
    # The group fills up; 3 go to the cluster, then 1; now 4/4 and 4/4 are full, and the group is lower.
    assert simulate(tree, rows).leaf == [1, 2, 1, 0, 0, 1, 0]


def test_dependencies_are_released_by_ends_anywhere():
    """Ends between two seconds release jobs at that instant, or so many seconds later, at any leaf."""
    tree = Inner("first-site", (Leaf.count(1), Leaf.time_shared(3)))
    rows = jobs(
        (0, 10, 1),
        (0, 1, 3),  # 5 processes on 3 cores: both are at 1 s of work at 5/3
        (0, 2, 2),  # and this one's last second of work it has alone, until 8/3
        (1, 4, 1, 4, ((1, 3),)),
        (1, 1, 2, 1, ((2, 0),)),
        (4, 1, 2, 1, ((4, 0),)),
    )
    found = simulate(tree, rows)
    assert found.leaf == [0, 1, 1, 0, 1, 1]
    assert found.start == [0, 0, 0, 10, F(8, 3), 4]
    assert found.end == [10, F(5, 3), F(8, 3), 14, F(11, 3), 5]
    joined = [time for time, what, _, _ in found.events if what == "join"]
    assert joined == [0, 0, 0, F(8, 3), 4, F(14, 3)]


def test_a_mixed_tree():
    """Nodes and a shared machine under a broker of their own, and beside them a cluster under the root's."""
    group = Inner("mpl", (Leaf.nodes((2, 1), "first-fit"), Leaf.time_shared(2)))
    tree = Inner("ml", (group, Leaf.count(4)))
    rows = jobs((0, 4, 2), (0, 8, 4), (1, 6, 2), (2, 5, 2), (3, 2, 3), (4, 4, 1))
    found = simulate(tree, rows)
    # 0: tie, the group holds 3 at most and is lower; there the shared machine of 2 is. Then job 2 is too
    # large for it. 1: tie, the group: 2/2 at the shared machine, 0/3 at the nodes. 2: two jobs against one,
    # so the cluster. 3: two against two: the nodes alone hold 3 there, and are not free before 7.
    # 4: job 1 has ended, and two against two again: 0/2 at the shared machine.
    assert found.leaf == [1, 2, 0, 2, 0, 1]
    assert found.start == [0, 0, 1, 8, 7, 4]
    assert found.nodes[4] == {0: 2, 1: 1}


@pytest.mark.parametrize("seed", range(40))
def test_random_trees_are_as_promised(seed):
    """They have 2 to 7 leaves and at most 3 levels, their jobs fit, and their file names every site."""
    rng = random.Random(seed)
    tree = random_tree(rng, factors=(F(1), F(1, 2)))
    assert 2 <= len(leaves_of(tree)) <= 7
    assert all(path.count("/") <= 2 for path in leaf_paths(tree))
    rows = random_jobs(rng, tree)
    assert [job.submit for job in rows] == sorted(job.submit for job in rows)
    assert all(1 <= job.size <= largest_job(tree) and job.planned >= job.run >= 1 for job in rows)
    read = tomllib.loads(platform_file(tree))
    assert [site["name"] for site in read["site"]] == leaf_paths(tree)
    for site, leaf in zip(read["site"], leaves_of(tree), strict=True):
        nodes = [node["processor"]["cores"] for node in site.get("node", []) for _ in range(node["count"])]
        assert tuple(nodes or [site["processors"]]) == leaf.cores
        assert site.get("speed") == (leaf.speed if leaf.kind == "time-shared" else None)
    groups = [(path, site) for path, site in paths(tree) if isinstance(site, Inner)]
    for one, (path, site) in zip(read.get("group", []), groups, strict=len(groups) > 1):
        assert (one["path"], one["broker"]) == (path, site.broker)
        assert one.get("admissible", 1) == site.admissible


@pytest.mark.parametrize("seed", range(40))
def test_random_runs_keep_what_must_hold(seed):
    """No leaf holds more than it has, no job starts before it joins, and time-shared machines never wait."""
    rng = random.Random(seed)
    tree = random_tree(rng)
    rows = random_jobs(rng, tree)
    found, leaves = simulate(tree, rows), leaves_of(tree)
    joined = {job: time for time, what, job, _ in found.events if what == "join"}
    for now in found.start:
        for number, leaf in enumerate(leaves):
            here = [j for j in range(len(rows)) if found.leaf[j] == number]
            running = [j for j in here if found.start[j] <= now < found.end[j]]
            for node, cores in enumerate(leaf.cores):
                held = sum(found.nodes[j].get(node, 0) for j in running)
                assert leaf.kind == "time-shared" or held <= cores
    for j, job in enumerate(rows):
        leaf = leaves[found.leaf[j]]
        assert joined[j] == max([job.submit, *(found.end[k] + delay for k, delay in job.after)])
        assert sum(found.nodes[j].values()) == job.size <= sum(leaf.cores)
        if leaf.kind == "time-shared":
            assert found.start[j] == joined[j]
            assert found.end[j] - found.start[j] >= job.run / leaf.speed
        else:
            assert found.start[j] >= joined[j]
            assert found.end[j] - found.start[j] == job.run


def test_mct_looks_at_the_last_planned_end():
    """The small site is planned to be done at 20, the large one at 9: job 3 goes there, though it waits."""
    rows = jobs((0, 5, 2, 20), (0, 9, 3), (1, 3, 3), (1, 1, 1))
    tree = Inner("mct:grid-state=actual", (Leaf.count(2), Leaf.count(3)))
    found = simulate(tree, rows)
    # 1: 20 against 9; then, with job 3 planned from 9 to 12, 20 against 12.
    assert found.leaf == [0, 1, 1, 1]
    assert found.start == [0, 0, 9, 12]


def test_mct_with_the_job_or_of_the_job():
    """With job 3 either site is done at 12; job 3 itself ends at 12 behind job 1, or at 7 beside job 2."""
    leaves = (Leaf.count(2), Leaf.count(4))
    rows = jobs((0, 5, 2), (0, 12, 3), (0, 7, 1), (1, 2, 2))
    # 0: both are empty, and the small one is lower; job 2 is too large for it.
    for of, leaf in (("after", 0), ("job", 0)):
        found = simulate(Inner(f"mct:of={of}:grid-state=actual", leaves), rows)
        assert found.leaf[:2] == [0, 1]
        assert found.leaf[3] == leaf
    # Job 3 itself would end at 12, as it waits until 5, or at 7.
    assert simulate(Inner("mct:of=after:grid-state=actual", leaves), rows).leaf[2] == 0
    assert simulate(Inner("mct:of=job:grid-state=actual", leaves), rows).leaf[2] == 1


def test_mst_looks_at_the_planned_start():
    """Behind the head of the small site's queue job 3 would start at 14, at the large one at 10."""
    leaves = (Leaf.count(2), Leaf.count(4))
    rows = jobs((0, 9, 2), (0, 10, 4), (1, 5, 2), (2, 1, 2))
    found = simulate(Inner("mst:grid-state=actual", leaves), rows)
    assert found.leaf == [0, 1, 0, 1]
    assert found.start == [0, 0, 9, 10]


def test_grid_states_differ_once_a_job_ends_early():
    """Job 1 asked for 50 s and ends after 5: as allocated its site is full until 50, in fact it is idle."""
    leaves = (Leaf.count(2), Leaf.count(2))
    rows = jobs((0, 5, 2, 50), (0, 30, 2), (6, 9, 2))
    for state, leaf in (("planned", 1), ("actual", 0)):
        for name in ("mct", "mst"):
            assert simulate(Inner(f"{name}:grid-state={state}", leaves), rows).leaf == [0, 1, leaf]
    # By numbers of jobs, too: at 31 only the allocated first site still has one.
    late = [*rows[:2], *jobs((31, 9, 2))]
    assert simulate(Inner("ml:grid-state=planned", leaves), late).leaf == [0, 1, 1]
    assert simulate(Inner("ml:grid-state=actual", leaves), late).leaf == [0, 1, 0]


def test_a_group_is_foreseen_by_the_choice_of_its_broker():
    """The group's own broker would send job 2 behind job 1, to 9, though its other site is idle."""
    group = Inner("first-site", (Leaf.count(2), Leaf.count(2)))
    tree = Inner("mst:grid-state=actual", (group, Leaf.count(3)))
    rows = jobs((0, 9, 2), (1, 8, 3), (2, 1, 2), (3, 1, 2))
    # 2: the group offers 9, the cluster 9 as well (1 + 8), and the group is lower. Then 10 against 9.
    assert simulate(tree, rows).leaf == [0, 2, 0, 2]


def test_decisions_take_time_one_after_the_other():
    """Decisions of 2 s for jobs that come at 0, 0 and 5 are complete at 2, 4 and 7."""
    tree = Inner("ml", (Leaf.count(2), Leaf.count(2)), decision_time=2)
    found = simulate(tree, jobs((0, 9, 2), (0, 9, 2), (5, 9, 1)))
    assert [time for time, what, *_ in found.events if what == "join"] == [2, 4, 7]
    assert found.start == [2, 4, 11]
    # At 7 both sites have a job, and the tie goes to the first.
    assert found.leaf == [0, 1, 0]


def test_an_inner_decision_begins_when_the_outer_one_is_complete():
    """3 s at the root and 1 s in the group: the jobs reach the cluster at 4 and 7, and count on their way."""
    group = Inner("first-site", (Leaf.count(4),), decision_time=1)
    tree = Inner("ml", (group, Leaf.count(9)), decision_time=3)
    found = simulate(tree, jobs((0, 1, 1), (0, 1, 1)))
    assert [(time, leaf) for time, what, _, leaf in found.events if what == "join"] == [(4, 0), (7, 0)]
    slower = Inner("ml", (replace(group, decision_time=4), Leaf.count(9)), decision_time=3)
    # The first waits in the group from 3 to 7; at 6 it counts there, so the second goes to the cluster.
    assert simulate(slower, jobs((0, 1, 1), (0, 1, 1))).leaf == [0, 1]


def test_the_queue_keeps_the_order_of_release():
    """A job that was released first, but comes later from its broker, is before the others in the queue."""
    slow = Inner("first-site", (Leaf.count(3, "none"),), decision_time=5)
    rows = jobs((0, 20, 3), (8, 5, 3), (9, 5, 3))
    assert simulate(slow, rows).start == [5, 25, 30]
    queue = Queue(Leaf.count(3, "none"), rows)
    for job, now in ((2, 9), (1, 13)):
        queue.join(now, job, (rows[job].submit, job))
    assert queue.waiting == [1, 2]


def test_a_cycle_after_each_event():
    """At 10 job 1 ends, then job 2; after the first END job 4 fits and job 3 does not, after both it does."""
    rows = jobs((0, 10, 2), (0, 10, 2), (1, 5, 3), (2, 5, 2))
    assert simulate(Leaf.count(4, "first-fit"), rows).start == [0, 0, 10, 15]
    assert simulate(Leaf.count(4, "first-fit"), rows, "event").start == [0, 0, 15, 10]
    # Its neighbor's END is no event of a leaf.
    two = Inner("round-robin", (Leaf.count(4, "first-fit"), Leaf.count(4, "first-fit")))
    found = simulate(two, jobs((0, 10, 2), (0, 10, 2), (1, 5, 3), (2, 5, 3)), "event")
    assert [event[1:] for event in found.events if event[0] == 10] == [
        ("end", 0, 0),
        ("start", 2, 0),
        ("end", 1, 1),
        ("start", 3, 1),
    ]


def test_joins_of_one_instant_may_be_overtaken_by_their_cycles():
    """Each job is planned when it comes: job 2 starts before job 3, which is shorter, is known."""
    rows = jobs((0, 9, 2), (0, 1, 2), (0, 1, 1))
    found = simulate(Leaf.count(3, "none"), rows, "event")
    assert [event[1:3] for event in found.events if event[0] == 0] == [
        ("join", 0),
        ("start", 0),
        ("join", 1),
        ("join", 2),
    ]
