"""The Grid Workload Format and its workflow form."""

import pytest

from echelon.errors import InputError
from echelon.model import Header, Workload
from echelon.workloads.formats.gwf import FORMAT, GWF_FIELDS


def line(**fields: str) -> str:
    """Return a GWF line with these fields, the others unknown."""
    return "\t".join(fields.get(name, "-1") for name in GWF_FIELDS)


TWO_JOBS = "\n".join(
    [
        "# Number of Processors: 475",
        "# Grid: two sites",
        "# JobID SubmitTime and so on",
        "# " + "\t".join(GWF_FIELDS),
        line(JobID="1", SubmitTime="1136070024", WaitTime="203761", RunTime="138467", NProcs="1",
             ReqNProcs="2", ReqTime="259200", Status="1", UserID="U1", GroupID="G1", ExecutableID="X1",
             QueueID="Q0", OrigSiteID="siteA", LastRunSiteID="siteB", JobStructure="UNITARY", VOID="V7"),
        line(JobID="2", SubmitTime="1136070690.5", RunTime="11", NProcs="4", UserID="U2", GroupID="G1",
             QueueID="Q0", LastRunSiteID="siteC", JobStructure="BoT"),
        "",
    ]
)  # fmt: skip
TWO_TASKS = b"""\
WorkflowID, JobID     , SubmitTime, RunTime   , NProcs    , ReqNProcs , Dependencies
0         , 1         , 16        , 11        , 1         , 2         ,
0         , 7         , 87        , 11.5      , 1         , 1         , 4 5 6
3         , 8         , 88        , 11        , 1         , 1         , 7
"""


def test_fields_fill_their_columns():
    """The first sixteen fields mean what SWF's mean; submit times count from the first."""
    workload = FORMAT.read(TWO_JOBS.encode(), "two.gwf")
    assert workload.submit_time.tolist() == [0, 666.5]
    assert workload.header.unix_start_time == 1136070024
    assert workload.float_column("wait_time").tolist() == [203761, -1]
    assert workload.run_time.tolist() == [138467, 11]
    assert workload.int_column("allocated_processors").tolist() == [1, 4]
    assert workload.int_column("requested_processors").tolist() == [2, -1]
    assert workload.requested_time.tolist() == [259200, -1]
    assert workload.int_column("status").tolist() == [1, -1]


def test_texts_become_codes_with_names():
    """Users, groups and queues are codes with names; sites stand in for partitions where none is known."""
    workload = FORMAT.read(TWO_JOBS.encode(), "two.gwf")
    assert workload.user.tolist() == [1, 2]
    assert workload.names["user"] == ("U1", "U2")
    assert workload.names["group"] == ("G1",)
    assert workload.int_column("executable").tolist() == [1, -1]
    assert workload.names["partition"] == ("siteB", "siteC")


def test_processors_comment_gives_the_machine():
    """The last number of a comment that speaks of processors is MaxProcs."""
    workload = FORMAT.read(TWO_JOBS.encode(), "two.gwf")
    assert workload.header.max_procs == 475
    assert workload.header.get("Grid") == "two sites"


def test_fields_without_a_place_are_reported():
    """Structures and organizations that say something are counted; unitary jobs do not."""
    found = {anomaly.kind: anomaly.count for anomaly in FORMAT.read(TWO_JOBS.encode(), "two.gwf").anomalies}
    assert found["not-kept-jobstructure"] == 1
    assert found["not-kept-void"] == 1
    assert found["sites-as-partitions"] == 2


def test_blanks_separate_as_well_as_tabs():
    """A file with blanks in place of tabs is the same workload."""
    tabs = FORMAT.read(TWO_JOBS.encode(), "two.gwf")
    assert FORMAT.read(TWO_JOBS.replace("\t", "  ").encode(), "two.gwf") == tabs


def test_written_and_read_is_equal():
    """A workload, its names and its start survive writing."""
    workload = FORMAT.read(TWO_JOBS.encode(), "two.gwf")
    again = FORMAT.read(FORMAT.write(workload), "again.gwf")
    assert again == workload
    assert again.names == workload.names
    assert again.header.unix_start_time == 1136070024
    assert again.header.max_procs == 475


def test_what_has_no_place_is_said_in_a_comment():
    """Preceding jobs are left out with a note, codes whose names would be renumbered stay codes."""
    workload = Workload.from_columns(submit_time=[0, 1], preceding_job=[-1, 1], user=[2, 1], run_time=[1, 1])
    written = FORMAT.write(Workload(workload.columns, Header(), names={"user": ("ann", "bob")})).decode()
    assert "left out, as GWF has no field for them: preceding_job" in written
    assert "ann" not in written
    assert FORMAT.read(written.encode(), "a.gwf").user.tolist() == [2, 1]


def test_late_relative_times_are_not_taken_for_unix_times():
    """Times beyond those of 1973 by the log's own clock are read back as they were."""
    workload = Workload.from_columns(submit_time=[2e8, 3e8], run_time=[1, 1], processors=[1, 1])
    assert FORMAT.read(FORMAT.write(workload), "a.gwf") == workload


@pytest.mark.parametrize(
    ("data", "phrases"),
    [
        (b"", ["empty"]),
        (b"# only comments\n", ["no job"]),
        (b"1 2 3\n", ["line 1", "3 fields", "expected 29"]),
        (line(JobID="1", SubmitTime="x").encode(), ["line 1", "SubmitTime", "'x'"]),
        (line(JobID="1", NProcs="1.5").encode(), ["line 1", "NProcs", "'1.5'"]),
        (b"WorkflowID,JobID,SubmitTime\n1,2,3\n", ["RunTime, NProcs"]),
        (TWO_TASKS.replace(b"4 5 6", b"4 x 6"), ["line 3", "Dependencies", "'x'"]),
        (TWO_TASKS.replace(b"11.5", b"inf"), ["line 3", "RunTime", "inf"]),
    ],
)
def test_bad_files_name_file_line_field_and_value(data, phrases):
    """Every way in which a GWF file can be wrong is one sentence with its place and value."""
    with pytest.raises(InputError) as caught:
        FORMAT.read(data, "b.gwf")
    assert [word for word in ["b.gwf", *phrases] if word not in str(caught.value)] == []


def test_workflow_form():
    """Tasks keep their workflow as executable, and all their dependencies on tasks of the file."""
    workload = FORMAT.read(TWO_TASKS, "flow.gwf")
    assert workload.job_id.tolist() == [1, 7, 8]
    assert workload.submit_time.tolist() == [16, 87, 88]
    assert workload.run_time.tolist() == [11, 11.5, 11]
    assert workload.int_column("requested_processors").tolist() == [2, 1, 1]
    assert workload.int_column("executable").tolist() == [0, 0, 3]
    assert workload.dependencies.predecessor.tolist() == [1]
    assert workload.dependencies.successor.tolist() == [2]
    assert (workload.int_column("preceding_job") == -1).all()


def test_a_task_may_depend_on_several():
    """All of them count, in any order; those that the file lacks are told with their line."""
    several = FORMAT.read(TWO_TASKS.replace(b"4 5 6", b"8 1 6").replace(b", 7\n", b",\n"), "flow.gwf")
    assert several.dependencies.of(1).tolist() == [0, 2]
    anomalies = {anomaly.kind: anomaly for anomaly in FORMAT.read(TWO_TASKS, "flow.gwf").anomalies}
    assert (anomalies["absent-predecessors"].count, anomalies["absent-predecessors"].first_line) == (3, 3)


def test_a_circle_of_tasks_is_refused():
    """The message names their numbers and the file."""
    with pytest.raises(InputError, match=r"flow.gwf, dependencies: .* by job id: 7 waits for 8 waits for 7"):
        FORMAT.read(TWO_TASKS.replace(b"4 5 6", b"8"), "flow.gwf")


def test_recognized_by_its_first_line():
    """29 fields after the comments, or a line naming the workflow."""
    assert FORMAT.recognizes(TWO_JOBS.encode())
    assert FORMAT.recognizes(TWO_TASKS)
    assert not FORMAT.recognizes(b"1 2 3 4\n")
    assert not FORMAT.recognizes(b"# a comment\n")


def test_sample_of_workflows(log_file):
    """OpenDC's trace: 30,746 tasks of 758 workflows with 41,939 dependencies, all within a workflow."""
    workload = FORMAT.read(log_file("opendc-workflow-trace.gwf.gz"), "opendc.gwf")
    assert len(workload) == 30746
    workflow, edges = workload.int_column("executable"), workload.dependencies
    assert len(set(workflow.tolist())) == 758
    assert len(edges.predecessor) == 41939
    assert len(set(edges.successor.tolist())) == 13206
    assert (workflow[edges.predecessor] == workflow[edges.successor]).all()
