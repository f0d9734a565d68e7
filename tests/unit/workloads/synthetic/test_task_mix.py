"""The mix of sequential and MPI jobs: kinds, ranges, what contradicts itself, and the file it makes."""

from __future__ import annotations

import numpy as np
import pytest

from echelon.errors import InputError
from echelon.workloads import fit_model, generate, read_workload, write_workload

MIX = "irmasim-mix"


def test_every_quantity_keeps_to_its_range():
    """Sizes, operations, memory, volumes and shares lie within the parameters; MPI jobs alone communicate."""
    made = generate(MIX, 3000, seed=2)
    demands = made.demands
    assert demands is not None
    mpi = ~demands.sequential
    assert 0.45 < mpi.mean() < 0.55
    assert demands.size[~mpi].min() == 1
    assert demands.size[~mpi].max() == 16
    assert (demands.size[mpi].min(), demands.size[mpi].max()) == (2, 64)
    for column, least, most in (
        (demands.operations, 1e9, 2e10),
        (demands.memory, 1e8, 1e9),
        (demands.memory_volume / demands.operations, 0.0499, 5),
        (demands.communication_volume[mpi], 1e6, 1e8),
        (demands.compute_share[mpi], 0.7, 1),
        (made.requested_time / made.run_time, 1, 4),
    ):
        assert least <= column.min() < column.max() <= most
        assert np.ptp(column) > (most - least) / 2
    assert not demands.communication_volume[~mpi].any()
    assert (demands.compute_share[~mpi] == 1).all()


def test_columns_say_what_the_tasks_say():
    """Size is the number of tasks, the run time the longest task's on a core of 1e9 operations a second."""
    made = generate(MIX, 200, seed=1)
    assert made.demands is not None
    assert (made.processors == made.demands.size).all()
    assert (made.run_time == made.demands.longest / 1e9).all()
    assert made.header.max_procs == 480


@pytest.mark.parametrize("share", [0, 1])
def test_some_jobs_have_unequal_tasks(share):
    """With unequal=1 every MPI job of two tasks has groups that differ, with 0 none has."""
    made = generate(MIX, 300, seed=1, unequal=share)
    assert made.demands is not None
    groups = np.diff(made.demands.first_group)
    assert (groups[made.demands.sequential] == 1).all()
    assert (groups[~made.demands.sequential] > 1).all() == bool(share)


def test_all_at_once():
    """Without a gap all jobs are there at second 0."""
    assert not generate(MIX, 50, mean_gap=0).submit_time.any()


def test_a_smaller_machine():
    """A machine of few cores has no job larger than itself."""
    made = generate(MIX, 300, processors=4)
    assert made.processors.max() == 4
    assert generate(MIX, 3, processors=1).processors.tolist() == [1, 1, 1]


def test_the_file_is_the_same_workload(tmp_path):
    """Written as workload.json it reads back equal, header included."""
    made = generate(MIX, 300, seed=7)
    write_workload(made, tmp_path / "mix.json")
    again = read_workload(tmp_path / "mix.json")
    assert again == made == read_workload(f"{MIX}:jobs=300,seed=7")
    assert again.header == made.header


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"least_memory": 2e9}, "least_memory must be at most most_memory=1e[+]09, got 2e[+]09"),
        ({"node_cores": 1.5}, "parameter node_cores: must be a whole number, got 1.5"),
        ({"machine": 32}, "must be at most machine=32, got 16 and 64"),
        ({"mpi": 1.5}, "parameter mpi: must be between 0 and 1, got 1.5"),
    ],
)
def test_contradictions_are_refused(wrong, sentence):
    """Ranges the wrong way round, halves of cores, jobs larger than the machine."""
    with pytest.raises(InputError, match=sentence):
        generate(MIX, 5, **wrong)


def test_no_log_tells_its_parameters():
    """Fitting it to a log is refused."""
    with pytest.raises(InputError, match="irmasim-mix: cannot be fitted: a log does not have"):
        fit_model(generate("poisson", 50), MIX)
