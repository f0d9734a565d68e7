"""The NAS applications: the figures printed, what is derived of them, and the streams that are drawn."""

from __future__ import annotations

import numpy as np
import pytest

from echelon.errors import InputError
from echelon.workloads import generate, read_workload
from echelon.workloads.synthetic.nas_applications import NAS_APPLICATIONS
from echelon.workloads.transform import transformations

SHARES = {
    "is": [[0.534, 0.841, 0.772], [0.366, 0.552, 0.466], [0.317, 0.393, 0.501]],
    "mg": [[0.736, 0.854, 0.918], [0.518, 0.884, 0.864], [0.133, 0.681, 0.421]],
}
BY_NAME = {one.name: one for one in NAS_APPLICATIONS}


def test_eighteen_applications_with_the_shares_that_follow_from_their_jiffies():
    """Two benchmarks, three sizes and three classes; each computes in less than its time."""
    assert len({one.name for one in NAS_APPLICATIONS}) == 18
    for one in NAS_APPLICATIONS:
        row, column = (2, 4, 8).index(one.nodes), ("A", "AB", "B").index(one.problem)
        assert round(one.compute_share, 3) == SHARES[one.benchmark][row][column]


def test_bandwidth_is_what_is_sent_over_the_time_of_sending():
    """IS of 2 nodes sends half of half its keys, 11 times; MG of 2 nodes both its faces in 5 cycles."""
    one = BY_NAME["is.A.2"]
    assert one.sent == 11 * 2**23 * 4 / 4
    assert one.bandwidth == pytest.approx(one.sent / (19 - 10.15))
    mg = BY_NAME["mg.A.2"]
    assert mg.sent == 5 * 4 * 2 * 256 * 256 * 8
    assert BY_NAME["mg.A.8"].sent == 5 * 4 * 6 * 128 * 128 * 8
    assert all(1e6 < one.bandwidth < 5e7 for one in NAS_APPLICATIONS)
    assert [one.application("pvm", 5.0).bandwidth for one in NAS_APPLICATIONS] == [5.0] * 18


def test_a_stream_is_poisson_and_any_application_is_as_likely():
    """Gaps are exponential, each application is an eighteenth; the mean work is that of the table."""
    made = generate("nas", 36_000, seed=3)
    gaps = np.diff(made.submit_time)
    assert gaps.mean() == pytest.approx(4, rel=0.03)
    assert gaps.std() == pytest.approx(4, rel=0.03)
    counts = np.bincount(made.int_column("executable"))[1:]
    assert counts.min() > 1800
    assert counts.max() < 2200
    assert (made.run_time * made.processors).mean() == pytest.approx(166.6, rel=0.02)


def test_columns_say_what_the_applications_say():
    """Size, time, memory and names are those of each job's application; the request is its dedicated time."""
    made = read_workload("nas:jobs=200:gap=6:users=3:seed=4")
    assert made.applications is not None
    assert set(made.user.tolist()) == {1, 2, 3}
    names = made.names["executable"]
    for job, application in zip(made, made.applications, strict=True):
        one = BY_NAME[application.name]
        assert names[job.executable - 1] == application.name
        assert (job.processors, job.run_time, job.requested_time) == (one.nodes, one.time, one.time)
        assert job.requested_memory * 1024 == application.memory == one.megabytes * 1e6
        assert (application.library, application.bandwidth) == ("mpi", one.bandwidth)
    assert transformations(made) == ()
    assert made == generate("nas", 200, gap=6, users=3, seed=4)


@pytest.mark.parametrize(("mix", "share"), [("compute", 0.75), ("balanced", 0.5), ("communication", 0.25)])
@pytest.mark.parametrize("selection", ["uniform", "fitted"])
def test_a_mix_leans_to_one_benchmark(mix, share, selection):
    """Three of four jobs run MG where the mix computes, and IS where it communicates."""
    made = generate("nas", 8000, mix=mix, selection=selection)
    mg = [application.name.startswith("mg") for application in made.applications]
    assert np.mean(mg) == pytest.approx(share, abs=0.04)


def test_a_fit_has_the_nearest_size_and_then_the_nearest_time():
    """Small jobs are many, as drawn; long times drawn bring the long applications."""
    short, long = (
        generate("nas", 4000, selection="fitted", mean_time=time, seed=1) for time in (1.0, 100_000.0)
    )
    assert {one.name for one in short.applications} == {"is.A.2", "is.A.4", "is.A.8"} | {
        "mg.A.2",
        "mg.A.4",
        "mg.A.8",
    }
    assert np.mean([one.name[3] == "B" for one in long.applications]) > 0.99
    assert (short.processors == 2).sum() > (short.processors == 4).sum() > (short.processors == 8).sum()
    again = np.diff(short.int_column("executable")) == 0
    assert again.mean() > 0.3


def test_libraries_bandwidth_and_machine():
    """Half the jobs may be PVM's, the bandwidth one for all, and larger applications left out."""
    made = generate("nas:library=both:pnbw=1e6", 2000, processors=4)
    kinds = [application.library for application in made.applications]
    assert 900 < kinds.count("pvm") < 1100
    assert {application.bandwidth for application in made.applications} == {1e6}
    assert set(made.processors.tolist()) == {2, 4}
    assert made.header.max_procs == 4
    assert not generate("nas", 5, gap=0).submit_time.any()


def test_faulty_jobs_break_off():
    """Their run is at most the time of their application, from a second on; their status says so."""
    made = generate("nas", 2000, faulty=0.5)
    failed = made.int_column("status") == 0
    assert 900 < failed.sum() < 1100
    assert (made.run_time[~failed] == made.requested_time[~failed]).all()
    assert (made.run_time[failed] <= made.requested_time[failed]).all()
    assert (made.run_time[failed] < made.requested_time[failed]).mean() > 0.9
    assert made.run_time.min() >= 1


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("nas:mix=some", "must be balanced or compute or communication, got 'some'"),
        ("nas:mix=7", "must be balanced or compute or communication, got 7"),
        ("nas:gap=fast", "must be a number, got 'fast'"),
        ("nas:users=1.5", "must be a whole number, got 1.5"),
        ("nas:jobs=many", "must be a whole number, got 'many'"),
        ("nas:machine=1", "at least the 2 nodes of the smallest application, got 1"),
        ("nas:gap", "must be key=number, got 'gap'"),
        ("nas:gap=1:gap=2", "is set twice"),
    ],
)
def test_what_is_refused(spec, said):
    """A wrong value is told with what it may be."""
    with pytest.raises(InputError, match=said):
        generate(spec)
