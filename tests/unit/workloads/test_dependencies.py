"""Dependencies in files and through transforms: what they say, what they lose, and every way to be wrong."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.errors import InputError
from echelon.experiments.summaries.conversion import losses
from echelon.model import Dependencies, Instance, Workload
from echelon.model.jobs.predecessors import dependencies_of
from echelon.workloads import transform
from echelon.workloads.formats.gwf import FORMAT as GWF
from echelon.workloads.formats.swf import read as read_swf
from echelon.workloads.formats.swf import write as write_swf
from echelon.workloads.formats.table import read_csv, read_parquet, write_csv, write_parquet

TABLES = {"csv": (write_csv, read_csv), "parquet": (write_parquet, read_parquet)}


def table(*cells, ids=None, name="jobs.csv"):
    """Return what a CSV table of jobs with these cells of dependencies says."""
    numbers = range(1, len(cells) + 1) if ids is None else ids
    rows = (f"{number},0,10,1,{cell}" for number, cell in zip(numbers, cells, strict=True))
    return read_csv("\n".join(["job_id,submit_time,run_time,processors,dependencies", *rows]).encode(), name)


def edges(workload):
    """Return the edges (predecessor, successor, delay) by position."""
    found = workload.dependencies
    columns = (found.predecessor, found.successor, found.delay)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def tied(n_jobs, *pairs, follows=(), delay=None):
    """Return a workload with these explicit edges."""
    before, after = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    flags = np.isin(np.arange(n_jobs), follows)
    found = Dependencies.of_edges(
        n_jobs, before, after, delay=None if delay is None else np.array(delay, dtype=float), follows=flags
    )
    jobs = Workload.from_columns(
        submit_time=np.arange(n_jobs), run_time=np.full(n_jobs, 10), processors=np.ones(n_jobs, dtype=int)
    )
    return replace(jobs, dependencies=found)


def test_cells_name_jobs_and_delays():
    """Ids with any blanks between them; after a plus, seconds; jobs before or after in the file."""
    found = table("", "1", " 4  1+60 ", "1+0.5")
    assert edges(found) == [(0, 1, 0), (0, 2, 60), (3, 2, 0), (0, 3, 0.5)]
    assert not found.dependencies.follows.any()


def test_unknown_cells_wait_for_nobody():
    """As everywhere in tables: empty, -1, unknown ..."""
    assert table("", "-1", "unknown").dependencies is None


def test_labels_name_jobs_as_well():
    """Where jobs have names, cells use these; a plus may be part of a name."""
    found = table("", "a", "a+b a+5", "nobody", ids=["a", "a+b", "c", "d"])
    assert edges(found) == [(0, 1, 0), (0, 2, 5), (1, 2, 0)]
    anomalies = {anomaly.kind: anomaly for anomaly in found.anomalies}
    assert (anomalies["absent-predecessors"].count, anomalies["absent-predecessors"].first_line) == (1, 5)


def test_predecessors_that_the_file_lacks():
    """They count as ended, and how many is said."""
    found = table("", "1 99", "7+3 8")
    assert edges(found) == [(0, 1, 0)]
    sentence = next(one.sentence for one in found.anomalies if one.kind == "absent-predecessors")
    assert sentence == "3 predecessors are not in the file; considered ended"


@pytest.mark.parametrize(
    "cell", ["x", "1 x", "1+", "1+-5", "1+x", "1+inf", "1+nan", "1,5", "+5", "1++5", "1.5"]
)
def test_wrong_cells_are_told(cell):
    """File, line, field, what is there, and what is expected."""
    with pytest.raises(
        InputError, match=r"jobs.csv, line 3, dependencies: got .*, expected job ids separated"
    ):
        table("", f'"{cell}"', "1")


def test_circles_name_file_and_jobs():
    """By the ids of the file."""
    with pytest.raises(InputError, match=r"jobs.csv, dependencies: .* by job id: 2 waits for 3 waits for 2"):
        table("", "3", "2 1")
    with pytest.raises(InputError, match="job id: b waits for b"):
        table("", "b", ids=["a", "b"])


def test_whole_numbers_of_parquet_name_jobs():
    """A column with one predecessor each may be of numbers, with nulls, and then of floats."""
    import io

    import polars as pl

    buffer = io.BytesIO()
    columns = {"submit_time": [0, 0, 0], "run_time": [1, 1, 1], "processors": [1, 1, 1]}
    pl.DataFrame({**columns, "dependencies": [None, 1.0, 2.0]}).write_parquet(buffer)
    assert edges(read_parquet(buffer.getvalue(), "jobs.parquet")) == [(0, 1, 0), (1, 2, 0)]


@pytest.mark.parametrize("kind", TABLES)
def test_tables_round_trip(kind):
    """What is written is read again, delays with all their digits; nothing is lost."""
    write, read = TABLES[kind]
    jobs = tied(5, (0, 1), (0, 2), (1, 2), (4, 3), delay=[0, 0.1, 1e-9, 60])
    again = read(write(jobs), "again")
    assert again.dependencies == jobs.dependencies
    assert losses(jobs, again) == ()


def test_tables_say_followers_by_fields():
    """A job that follows one other is written as SWF would: preceding job and think time."""
    jobs = tied(3, (0, 1), (0, 2), follows=[1], delay=[30, 0])
    again = read_csv(write_csv(jobs), "again.csv")
    assert again.int_column("preceding_job").tolist() == [-1, 1, -1]
    assert again.float_column("think_time").tolist() == [-1, 30, -1]
    assert dependencies_of(again, np.arange(3)) == dependencies_of(jobs, np.arange(3))
    with pytest.raises(InputError, match="job 3 has several predecessors"):
        write_csv(tied(3, (0, 2), (1, 2), follows=[2]))


@pytest.mark.parametrize(("labels", "told"), [(("a b", "c"), "'a b'"), (("none", "c"), "'none'")])
def test_names_that_can_not_be_read_again_are_refused(labels, told):
    """Rather than a file that says something else."""
    with pytest.raises(InputError, match=told):
        write_csv(replace(tied(2, (0, 1)), labels=labels))
    with pytest.raises(InputError, match="job '7' at position 1"):
        write_csv(tied(3, (1, 2)).with_columns(job_id=[7, 7, 8]))


def test_swf_holds_one_predecessor():
    """One without a delay, or one that is followed, is said in full; of others one is kept, and a note."""
    jobs = tied(6, (0, 1), (0, 2), (0, 3), (1, 4), (2, 4), (0, 5), follows=[2], delay=[0, 30, 7, 0, 0, 0])
    again = read_swf(write_swf(jobs), "again.swf")
    assert again.int_column("preceding_job").tolist() == [-1, 1, 1, 1, 3, 1]
    assert again.float_column("think_time").tolist() == [-1, -1, 30, -1, -1, -1]
    assert again.header.all("Note")[0].startswith("SWF cannot represent all predecessors of 2 jobs")
    assert any(lost.startswith("what 2 jobs waited for") for lost in losses(jobs, again))
    exact = tied(3, (0, 1), (1, 2))
    assert losses(exact, read_swf(write_swf(exact), "again.swf")) == ()


def test_swf_says_nothing_of_jobs_whose_number_is_not_theirs():
    """Where two jobs have one number, it names the first; a wait for the second is not written as one."""
    jobs = tied(3, (1, 2)).with_columns(job_id=[7, 7, 8])
    again = read_swf(write_swf(jobs), "again.swf")
    assert again.int_column("preceding_job").tolist() == [-1, -1, -1]
    assert again.header.all("Note")


def test_swf_keeps_what_its_fields_said():
    """A workload with both kinds keeps the preceding jobs it had."""
    jobs = tied(3, (0, 2)).with_columns(preceding_job=[-1, -1, 2])
    assert read_swf(write_swf(jobs), "x").int_column("preceding_job").tolist() == [-1, -1, 2]


def test_gwf_says_that_it_has_no_place():
    """A comment tells what is left out."""
    assert b"left out, as GWF has no field for them: dependencies" in GWF.write(tied(2, (0, 1)))


def test_preceding_jobs_that_the_log_lacks_are_odd():
    """The reader counts them, with the first line."""
    rest = " -1 10 1 -1 -1 1 10 -1 1 1 1 1 1 1"
    log = read_swf(f"1 0{rest} -1 -1\n2 0{rest} 1 -1\n3 0{rest} 17 5\n".encode(), "x.swf")
    odd = {anomaly.kind: anomaly for anomaly in log.anomalies}["absent-predecessor"]
    assert (odd.count, odd.first_line) == (1, 3)
    assert "1 of 3 jobs with a predecessor that is not in the file" in odd.sentence


def test_selections_cut_edges_and_say_so():
    """Jobs left out are waited for no more; the record of the transform counts it."""
    jobs = tied(5, (0, 1), (1, 2), (1, 3), (3, 4))
    cut = transform.filter(jobs, np.array([True, False, True, True, True]))
    assert edges(cut) == [(2, 3, 0)]
    assert "no longer wait for those left out (2 times)" in transform.transformations(cut)[-1]
    first = transform.head(jobs, 3)
    assert edges(first) == [(0, 1, 0), (1, 2, 0)]
    assert "no more" not in transform.transformations(first)[-1]
    assert edges(transform.window(jobs, start=3)) == [(0, 1, 0)]


def test_transforms_that_keep_all_jobs_keep_edges():
    """Numbers, order and load change, but not who waits for whom."""
    jobs = tied(4, (3, 0), (0, 1), delay=[5, 0]).with_columns(submit_time=[9, 5, 7, 1], job_id=[9, 8, 7, 6])
    assert edges(transform.renumber(jobs)) == edges(jobs)
    assert edges(transform.scale_load(jobs, 2)) == edges(jobs)
    assert edges(transform.shift(jobs, 100)) == edges(jobs)
    assert edges(transform.sort_by_submit(jobs)) == [(3, 1, 0), (0, 3, 5)]
    assert edges(transform.submit_at_once(jobs)) == [(3, 1, 0), (0, 3, 5)]


def test_merged_logs_keep_their_edges():
    """Edges stay within their log, wherever its jobs go."""
    one = tied(3, (0, 1), (1, 2), follows=[2], delay=[1, 2]).with_columns(submit_time=[0, 10, 20])
    other = tied(2, (1, 0)).with_columns(submit_time=[15, 5])
    plain = Workload.from_columns(submit_time=[7], run_time=[1], processors=[1])
    merged = transform.merge(plain, one, other)
    # By submit time: one 0, other 1, plain, one 1, other 0, one 2.
    assert edges(merged) == [(0, 3, 1), (1, 4, 0), (3, 5, 2)]
    assert merged.dependencies.follows.tolist() == [False] * 5 + [True]
    assert transform.merge(plain, plain).dependencies is None


@examples(60)
@given(st.integers(1, 9), st.data())
def test_csv_says_the_same_of_any_graph(n_jobs, data):
    """Whatever edges there are, the instance made of the file read again waits for the same jobs."""
    job = st.integers(0, n_jobs - 1)
    pairs = data.draw(st.lists(st.tuples(job, job, st.floats(0, 1e9)), max_size=12))
    pairs = [(min(a, b), max(a, b), delay) for a, b, delay in pairs if a != b]
    if not pairs:
        return
    jobs = tied(n_jobs, *((a, b) for a, b, _ in pairs), delay=[delay for *_, delay in pairs])
    again = Instance.of(read_csv(write_csv(jobs), "again.csv"), 4)
    assert again.dependencies == Instance.of(jobs, 4).dependencies
