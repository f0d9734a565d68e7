"""Applications in tables: read and written exactly, refused by cell, kept by transforms, told when lost."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.errors import InputError
from echelon.experiments.summaries.conversion import losses
from echelon.experiments.summaries.job_summary import application_summary
from echelon.model import Application, Applications, Workload
from echelon.workloads import generate, read_workload, transform, write_workload

HEAD = "submit_time,run_time,processors"


@pytest.fixture
def read(tmp_path):
    """Return a function that reads a CSV file of the text given."""

    def read(text: str) -> Workload:
        (tmp_path / "jobs.csv").write_text(text)
        return read_workload(str(tmp_path / "jobs.csv"))

    return read


def test_columns_are_read_and_what_is_missing_is_as_by_default(read):
    """One figure is enough to tell an application; empty cells and columns that are not there are unknown."""
    found = read(
        f"{HEAD},Compute_Share,task_memory,application,requires\n0,5,1,0.25,1e9,is.A.2,linux lam\n1,5,1,,,,\n"
    )
    assert list(found.applications) == [
        Application("is.A.2", 0.25, 1e9, 0.0, "", ("linux", "lam")),
        Application(),
    ]
    assert "ignored-columns" not in {anomaly.kind for anomaly in found.anomalies}
    assert list(read(f"{HEAD},task_bandwidth,library\n0,5,1,100,pvm\n").applications) == [
        Application(bandwidth=100.0, library="pvm")
    ]


def test_a_name_alone_tells_no_application(read):
    """Other tables have columns called application or library, too: without a figure they are not kept."""
    found = read(f"{HEAD},application,library\n0,5,1,word,x\n")
    assert found.applications is None
    assert "columns not kept: application, library" in {anomaly.sentence for anomaly in found.anomalies}


@pytest.mark.parametrize(
    ("column", "cell", "expected"),
    [
        ("compute_share", "1.5", "a share from 0 to 1"),
        ("compute_share", "-0.5", "a share from 0 to 1"),
        ("compute_share", "half", "a share from 0 to 1"),
        ("task_memory", "-2", "a number of bytes >= 0"),
        ("task_bandwidth", "inf", "a number of bytes a second >= 0"),
    ],
)
def test_a_figure_out_of_range_is_told_with_its_line(read, column, cell, expected):
    """File, line, column, value and what is expected."""
    with pytest.raises(InputError) as refused:
        read(f"{HEAD},{column}\n0,5,1,\n1,5,1,{cell}\n")
    assert str(refused.value).endswith(f"jobs.csv, line 3, {column}: got '{cell}', expected {expected}")


phrases = st.text(st.characters(codec="ascii", categories=["L", "N", "P"]), min_size=1, max_size=5)
figures = st.floats(0, 2**53)
programs = st.builds(
    Application,
    st.just("") | phrases,
    st.floats(0, 1),
    figures,
    figures,
    st.sampled_from(["", "mpi", "pvm"]),
    st.lists(phrases, max_size=2).map(tuple),
)


@pytest.mark.slow
@given(st.lists(programs, min_size=1, max_size=5))
def test_files_hold_applications_exactly(tmp_path_factory, some):
    """CSV and Parquet give back the same programs, job by job."""
    folder = tmp_path_factory.getbasetemp()
    n = len(some)
    made = Workload.from_columns(submit_time=np.arange(n), run_time=np.ones(n), processors=np.ones(n))
    made = replace(made, applications=Applications.of(some))
    for ending in ("csv", "csv.gz", "parquet"):
        path = folder / f"programs.{ending}"
        write_workload(made, path)
        assert read_workload(path) == made


def test_what_could_not_be_read_again_is_not_written(tmp_path):
    """A blank parts software, so that a name may hold none; no file holds figures above 2**53."""
    made = replace(
        Workload.from_columns(submit_time=[0], run_time=[1], processors=[1]),
        applications=Applications.of([Application("x", requires=("two words",))]),
    )
    with pytest.raises(InputError, match="application 'x', requires: cannot be written"):
        write_workload(made, tmp_path / "x.csv")
    large = replace(made, applications=Applications.of([Application("y", memory=1e17)]))
    with pytest.raises(InputError, match=r"application 'y', task_memory: cannot write 1e\+17"):
        write_workload(large, tmp_path / "y.csv")


def test_transforms_keep_applications():
    """What is taken, moved, scaled and merged has the program of each job still."""
    made = generate("nas", 60, seed=1)
    for changed in (
        transform.scale_load(made, 2),
        transform.shift(made, 10),
        transform.renumber(made),
        transform.submit_at_once(made),
        transform.scale_size(made, 32),
        transform.repair_estimates(made),
        transform.with_tasks(made, "mpi"),
        transform.draw_estimates(made, "factor:f=3", seed=1),
        transform.complete(made),
    ):
        assert changed.applications == made.applications
    assert list(transform.head(made, 3, skip=2).applications) == list(made.applications)[2:5]
    kept = transform.filter(made, field="executable", values=["is.A.2", "mg.B.8"])
    assert {one.name for one in kept.applications} == {"is.A.2", "mg.B.8"}
    backwards = transform.sort_by_submit(made.take(np.arange(60)[::-1]))
    assert backwards.applications == made.applications


def test_merged_workloads_keep_applications_if_all_have_some():
    """Each job keeps its own; if one workload tells none, that they are left out is recorded."""
    one, other = generate("nas", 20, seed=1), generate("nas", 10, seed=2, library="pvm")
    merged = transform.merge(one, other)
    names = [merged.names["executable"][code - 1] for code in merged.int_column("executable")]
    assert [name.partition(":")[2] for name in names] == [a.name for a in merged.applications]
    assert sum(a.library == "pvm" for a in merged.applications) == 10
    mixed = transform.merge(one, generate("poisson", 5))
    assert mixed.applications is None
    assert transform.transformations(mixed)[-1].endswith(
        "the jobs' applications are left out, as not all of them have them"
    )


def test_formats_that_can_not_hold_them_are_told(tmp_path):
    """SWF has no place for applications."""
    made = generate("nas", 5)
    write_workload(made, tmp_path / "x.swf")
    lost = losses(made, read_workload(tmp_path / "x.swf"))
    assert any(sentence.startswith("which applications the jobs run") for sentence in lost)


def test_a_summary_counts_the_jobs_of_each():
    """Applications that no job runs are left out; sizes and times are those of the jobs."""
    made = generate("nas", 500, seed=2)
    found = application_summary(made)
    assert sum(one.jobs for one in found) == 500
    assert [one.name for one in found] == sorted(one.name for one in found)
    assert all(one.least_tasks == one.most_tasks == int(one.name[-1]) for one in found)
    assert application_summary(generate("poisson", 5)) == ()
    (alone,) = application_summary(made.take(np.array([0])))
    assert (alone.jobs, alone.mean_run_time) == (1, made.run_time[0])
