"""The order in which the thesis' program takes jobs that arrive together."""

from __future__ import annotations

from echelon.reproduce.irmasim.queue_order import cores_in_order, job_order, queue_order
from echelon.reproduce.irmasim.setups import TRACES, mpi, sequential


def test_sequential_jobs_are_units_and_tasks_of_mpi_jobs_are():
    """The example of the thesis, jobs of 4, 2, 2 and 3 tasks, has seven entries in the queue."""
    jobs = [sequential(4), sequential(2), mpi(2), mpi(3)]
    assert sorted(queue_order(jobs)) == [1, 2, 3, 3, 4, 4, 4]
    assert set(queue_order(jobs)[:2]) == {1, 2}


def test_cores_of_the_second_experiment_are_those_named():
    """Handed out in its order, the cores of job 2 of E2a are 5, 7, 8 and 9, as the text says."""
    trace = TRACES["E2a"]
    assert cores_in_order(trace.jobs) == dict(trace.cores)


def test_the_third_trace_is_taken_as_it_ran():
    """Jobs 1 and 3 come before job 2."""
    assert job_order(TRACES["E1c"].jobs) == [1, 3, 2]


def test_every_core_is_handed_out_once():
    """Nobody shares, nothing is left out; no job, no core."""
    cores = cores_in_order([mpi(3), sequential(5), mpi(2)])
    assert sorted(core for each in cores.values() for core in each) == list(range(10))
    assert cores_in_order([]) == {}
