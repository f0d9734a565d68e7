"""The experiments of chapter 4, run: each line of their checklist."""

from __future__ import annotations

import pytest

from echelon.experiments import simulate
from echelon.model import Cluster, Core, Hardware, Node, Processor
from echelon.reproduce.irmasim.experiments import NETWORK, run_trace
from echelon.reproduce.irmasim.observed_run import ObservedRun
from echelon.reproduce.irmasim.setups import TRACES, Forced, mpi, platform_of, sequential, workload_of


def test_first_trace_starts_at_once_with_both_sequential_jobs_in_a_node_each(found):
    """E1a: all start at 0 and end at 1; jobs 1 and 2 are in one node each, not the same."""
    for run in found.random["E1a"]:
        assert [run.start(job) for job in (1, 2, 3)] == [0, 0, 0]
        assert [run.end(job) for job in (1, 2, 3)] == [1, 1, 1]
        assert len(run.nodes(1)) == len(run.nodes(2)) == 1
        assert run.nodes(1) != run.nodes(2)


def test_second_trace_has_a_job_wait_for_a_node(found):
    """E1b: job 3 starts at 1 in one node, though two cores of each were free; makespan 2."""
    for run in found.random["E1b"]:
        assert run.start(3) == 1
        assert len(run.nodes(3)) == 1
        assert run.free_at_start == {0: 2, 1: 2}
        assert run.makespan == 2


def test_third_trace_by_order(found):
    """E1c: first come first served blocks job 3, smallest first job 2, which never starts on ten cores."""
    for run in found.random["E1c"]:
        assert [run.start(job) for job in (1, 2, 3)] == [0, 0, 1]
        assert run.makespan == 2
    for run in found.random["E1c smallest first"]:
        assert [run.start(job) for job in (1, 2, 3)] == [0, 1, 0]
        assert sum(run.free_at_start.values()) == 10
        assert run.makespan == 2


def test_seeds_choose_different_cores(found):
    """The random choice of cores is one: ten seeds give job 1 both nodes."""
    assert {run.nodes(1) for run in found.random["E1b"]} == {(0,), (1,)}


def test_volumes(found):
    """E2a: 800,000,000 bytes on the forced cores; E2b: none; in the trace's order none either."""
    assert found.runs["E2a"].volume == 800_000_000
    assert {job: found.runs["E2a"].cores(job) for job in (1, 2, 3)} == dict(TRACES["E2a"].cores)
    assert found.runs["E2b"].volume == 0


def test_contention_slows_one_job_by_its_factor(found):
    """E3: S_f = 0.98, so job 2 ends at 1.0204081633; jobs 1 and 3 end at 1."""
    run = found.runs["E2a"]
    assert run.speed_factor(2, 0) == pytest.approx(0.98, rel=1e-12)
    assert run.end(2) == pytest.approx(1 / 0.98, rel=1e-12)
    assert run.end(1) == run.end(3) == 1
    assert found.runs["E2a alone"].makespan == 1


def test_finished_tasks_of_an_mpi_job_keep_their_cores(found):
    """E4: eight tasks end at 1, the ninth at 1.0204, when all nine cores are given back at once."""
    run = found.runs["E4"]
    assert run.holdings_by_node(1, "end") == pytest.approx({0: 1.0, 1: 1 / 0.98})
    assert run.holdings_by_node(1, "release") == pytest.approx({0: 1 / 0.98, 1: 1 / 0.98})
    assert found.runs["E4 and one more"].start(2) == run.end(1)


def test_power_of_eight_busy_cores(found):
    """905 W for eight busy cores of platform A, and EDP is energy times makespan."""
    run = found.runs["E2b"]
    assert run.energy / run.makespan == pytest.approx(905)
    assert run.energy_of_used == pytest.approx(900)
    assert found.runs["E2a alone"].energy_of_used == pytest.approx(1150)
    assert run.result.metrics["energy_delay_product"] == pytest.approx(run.energy * run.makespan)


def test_a_forced_job_waits_for_its_cores():
    """Two jobs forced on the same core run one after the other."""
    twice = workload_of("twice", [mpi(1), mpi(2)])
    forced = Forced({1: (3,), 2: (3, 9)})
    run = simulate(twice, platform="irmasim-a", place=forced, execution="speed")
    assert run.schedule.start_time.tolist() == [0, 1]


def test_first_fit_would_not_let_job_2_communicate():
    """E2a without forced cores: in the trace's order all of job 2 is in one node."""
    run = ObservedRun(
        simulate(workload_of("E2a", TRACES["E2a"].jobs), platform="irmasim-a", execution="speed")
    )
    assert run.cores(2) == (4, 5, 6, 7)
    assert run.volume == 0


def test_traces_run_the_same_twice():
    """The same seed gives the same cores."""
    one, two = (run_trace("E1a", place="random", seed=7) for _ in range(2))
    assert [one.cores(job) for job in (1, 2, 3)] == [two.cores(job) for job in (1, 2, 3)]


def unequal_cores(clock):
    """Return one node of a core of 2 GHz and one of `clock`."""
    return platform_of(Hardware((Cluster((Node((Processor((Core(2e9), Core(clock))),)),)),)))


def test_a_sequential_job_gives_each_core_back_as_its_task_ends():
    """Its task on the faster core ends at 1 s, and a job that needs one core starts there at once."""
    jobs = workload_of("two", [sequential(2), sequential(1)])
    run = ObservedRun(simulate(jobs, platform=unequal_cores(1e9), execution="speed"))
    assert run.end(1) == 2
    assert run.start(2) == 1
    assert run.cores(2) == (0,)


def test_an_mpi_job_does_not():
    """With the same tasks the second job waits for the last of them."""
    jobs = workload_of("two", [mpi(2), sequential(1)])
    assert ObservedRun(simulate(jobs, platform=unequal_cores(1e9), execution="speed")).start(2) == 2


@pytest.mark.parametrize(("volume", "makespan"), [(125e6, 1.0), (125e6 + 1, 1 / 0.98)])
def test_contention_begins_above_the_bandwidth(volume, makespan):
    """A node that sends exactly its 125 MB/s is not slowed, one that sends a byte more is."""
    jobs = workload_of("one", [mpi(2, volume=volume)])
    run = simulate(jobs, platform="irmasim-a", place=Forced({1: (0, 8)}), execution="speed", network=NETWORK)
    assert run.metrics["makespan"] == pytest.approx(makespan, rel=1e-12)


def test_two_demanding_tasks_run_at_the_floor_of_the_curve(public):
    """dual_core: 0.625 while both run, from 0.5 to 1.3 s; alone each runs at full speed."""
    run = public["dual_core"]
    assert [run.end(1), run.end(2)] == pytest.approx([1.3, 1.8])
    assert pytest.approx(0.5) == (1.3 - 0.5) * 0.625
