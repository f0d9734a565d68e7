"""Jobs that wait below a global queue for too long are rejected, on sites of every kind."""

from __future__ import annotations

import random

import pytest

import echelon as ec
from echelon.errors import InputError
from echelon.experiments.folders.manifest import manifest
from echelon.model import Cluster, Core, Hardware, Node, Platform, Processor, Site

NODES = Hardware((Cluster((Node((Processor((Core(1.0),) * 2),)),) * 2),))
KINDS = {"count": 4, "nodes": NODES}


def log(seed: int, count: int = 30) -> list[tuple[int, int, int]]:
    """Return (submission, run time, processors) of jobs that crowd four processors."""
    draw = random.Random(seed)
    return sorted((draw.randint(0, 60), draw.randint(1, 12), draw.choice((2, 2, 3, 4))) for _ in range(count))


def workload(jobs: list[tuple[int, int, int]]) -> ec.Workload:
    """Return the jobs as a workload."""
    submit, run, size = zip(*jobs, strict=True)
    return ec.Workload.from_columns(submit_time=submit, run_time=run, processors=size)


def second_by_second(jobs: list[tuple[int, int, int]], stay: int) -> dict[int, int]:
    """Return the starts under first come, first served: ENDs, JOINs, LEAVE, DECIDE in every second."""
    free, ends, waiting, starts = 4, [], [], {}
    for now in range(1000):
        free += sum(size for end, size in ends if end == now)
        waiting += [number for number, job in enumerate(jobs) if job[0] == now]
        waiting = [number for number in waiting if now - jobs[number][0] < stay]
        while waiting and jobs[waiting[0]][2] <= free:
            number = waiting.pop(0)
            _, run, size = jobs[number]
            starts[number] = now
            free -= size
            ends.append((now + run, size))
    return starts


@pytest.mark.parametrize("kind", [*KINDS])
@pytest.mark.parametrize("limit", [0, 1, "unlimited"])
@pytest.mark.parametrize("seed", range(4))
def test_first_come_first_served_is_that_of_a_plain_program(kind, limit, seed):
    """Wherever a job waits, in the queue or at the site, it leaves after its stay, and the next may start."""
    jobs = log(seed)  # all too large for the other site
    expected = second_by_second(jobs, 9)
    result = ec.simulate(
        workload(jobs), platform=Platform((Site("a", KINDS[kind]), Site("b", 1))), policy="fcfs",
        global_queue="fcfs", queue_limit=limit, longest_stay=9,
    )  # fmt: skip
    kept = result.schedule.instance.kept.tolist()
    assert dict(zip(kept, result.schedule.start_time.tolist(), strict=True)) == expected
    assert 0 < len(kept) < len(jobs)
    assert result.rejected.height == result.metrics["rejected_jobs"] == len(jobs) - len(kept)


@pytest.mark.parametrize("policy", ["conservative", "round-robin:quantum=3"])
def test_a_job_that_leaves_an_inner_queue_leaves_every_level(policy):
    """Brokers above count it no more: what they know at the end is nothing, and cores are held once."""
    tree = Platform((Site("x/a", NODES), Site("x/b", 4), Site("c", 2)))
    jobs = log(7, 60)
    result = ec.simulate(
        workload(jobs), platform=tree, policy=policy, broker="mpl", global_queue="fcfs@x=fpfs",
        queue_limit=2, longest_stay=9,
    )  # fmt: skip
    schedule = result.schedule
    assert len(schedule.instance) + result.rejected.height == len(jobs)
    assert {*schedule.holdings.job.tolist()} == {
        position for position, site in enumerate(schedule.site.tolist()) if site == 0
    }
    assert (schedule.attempts.counts() > 0).all()


def test_a_job_waits_for_one_that_is_rejected_until_then():
    """The predecessor is rejected at 5 s; its successor joins at that instant, and starts at the next END."""
    jobs = workload([(0, 7, 4), (0, 50, 4), (0, 1, 4)]).with_dependencies([1], [2])
    result = ec.simulate(jobs, platform=[4], policy="fcfs", global_queue="fcfs", longest_stay=5)
    assert result.rejected["job_id"].to_list() == ["2"]
    assert result.schedule.instance.submit_time.tolist() == [0, 5]
    assert result.schedule.start_time.tolist() == [0, 7]
    assert result.schedule.instance.absent_predecessors == 0


def test_a_run_tells_its_longest_stay():
    """The manifest has it where the queue is no multicluster's, too; without a queue it is refused."""
    jobs = workload(log(1))
    found = manifest(ec.simulate(jobs, platform=[4, 4], global_queue="fcfs", longest_stay=9))
    assert found["longest_stay"] == 9
    with pytest.raises(InputError, match=r"longest-stay: rejects jobs .* give one with --global-queue"):
        ec.simulate(jobs, platform=[4, 4], longest_stay=9)
    with pytest.raises(InputError, match="longest-stay: got -1, expected seconds > 0"):
        ec.simulate(jobs, platform=[4, 4], global_queue="fcfs", longest_stay=-1)
