"""IRMASim's workload.json: the public form, older ones, the thesis' MPI jobs, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from echelon.errors import InputError
from echelon.model import Demand, TaskGroup, Workload
from echelon.workloads import read_workload, write_workload
from echelon.workloads.irmasim import read_json

FIGURES = {"req_ops": 4e9, "ipc": 2, "req_time": 7, "mem": 500, "mem_vol": 19}
GROUP = TaskGroup(1, 2e9, 500e6, 19e6)


def read(jobs: list[Any], **top: Any) -> Workload:
    """Return the workload of these jobs."""
    return read_json(json.dumps({"jobs": jobs, **top}).encode(), "made.json")


def job(**said: Any) -> dict[str, Any]:
    """Return a job of one task a core with some figures."""
    return {"id": "a", "subtime": 0, **FIGURES, **said}


def demand(jobs: list[Any], **top: Any) -> Demand:
    """Return what the first job asks for."""
    demands = read(jobs, **top).demands
    assert demands is not None
    return demands[0]


def kinds(workload: Workload) -> set[str]:
    """Return the kinds of its anomalies."""
    return {one.kind for one in workload.anomalies}


def test_a_sequential_job_of_the_public_program() -> None:
    """A job with res is sequential; volumes are MB; columns follow from the tasks."""
    workload = read([job(res=10)])
    assert demand([job(res=10)]) == Demand((GROUP._replace(tasks=10),), sequential=True)
    [record] = workload
    assert (record.run_time, record.requested_time) == (2, 7)
    assert (record.processors, record.requested_memory) == (10, 500e6 / 1024)


@pytest.mark.parametrize(
    ("said", "tasks", "nodes", "per_node"),
    [
        ({"ntasks": 10, "ntasks_per_node": 4}, 10, 3, 4),
        ({"nodes": 3, "ntasks_per_node": 4}, 12, 3, 4),
        ({"nodes": 3}, 3, 3, 1),
        ({"nodes": 3, "ntasks": 10}, 10, 3, 4),
        ({"nodes": 3, "ntasks": 10, "ntasks_per_node": 4}, 10, 3, 4),
        ({"ntasks": 10}, 10, 0, 0),
    ],
)
def test_the_triple_is_completed(said, tasks, nodes, per_node):
    """Of nodes, tasks and tasks a node the missing ones follow; tasks alone may be anywhere."""
    got = demand([job(**said)])
    assert got == Demand((GROUP._replace(tasks=tasks),), nodes=nodes, tasks_per_node=per_node)


def test_a_profile_gives_all_figures():
    """Figures come from the profile, even beside others; a profile without mem_vol has 1 MB, a job 0."""
    profiles = {"p": {"req_ops": 3e9, "req_time": 5}}
    workload = read([job(res=1, profile="p")], profiles=profiles)
    assert demand([job(res=1, profile="p")], profiles=profiles).groups == (TaskGroup(1, 3e9, 0, 1e6),)
    assert "figures-beside-profile" in kinds(workload)
    bare = {"subtime": 0, "res": 1, "req_ops": 3e9}
    assert demand([bare]).groups == (TaskGroup(1, 3e9, 0, 0),)


def test_mpi_jobs_of_the_thesis_program():
    """Kind 2 lists its tasks, each with a profile; equal neighbors are one group; num_nodes binds nothing."""
    mpi = {
        "id": "7",
        "subtime": 1,
        "job_type": 2,
        "res": 1,
        "profile": "long",
        "num_nodes": 2,
        "comm_vol": 200000000,
        "t_compute": 0.9,
        "tasks": [{"id_task": k, "job_id": 7, "profile_task": p} for k, p in enumerate(("p", "p", "long"))],
    }
    profiles = {"p": FIGURES, "long": {**FIGURES, "req_ops": 8e9, "req_time": 20}}
    expected = Demand(
        (GROUP._replace(tasks=2), GROUP._replace(operations=4e9)),
        communication_volume=2e8,
        compute_share=0.9,
    )
    assert demand([mpi], profiles=profiles) == expected
    workload = read([mpi], profiles=profiles)
    assert "num-nodes-not-used" in kinds(workload)
    assert (workload[0].run_time, workload[0].requested_time, workload[0].job_id) == (4, 20, 7)
    data = json.dumps({"jobs": [mpi], "profiles": profiles}).encode()
    spread = read_json(data, "made.json", spread=True).demands
    assert spread is not None
    assert spread[0] == expected._replace(nodes=2)


def test_names_are_forgiving():
    """The thesis' own spellings, in any case and with other joints, say the same."""
    mpi = {
        "ID": "1",
        "Sub-Time": 0,
        "Job_Type": "MPI",
        "Comm Vol": 5,
        "T_Compute": 0.5,
        "Tasks": [{"Id_Job": 1, "Profile_Task": "p"}, {"Profile-task": {"Req_Ops": 1e9}, "NUMBER": 3}],
    }
    got = demand([mpi], Profile={"p": {"REQ-OPS": 4e9, "Ipc": 2}})
    assert got.groups == (TaskGroup(1, 2e9, 0, 1e6), TaskGroup(3, 1e9, 0, 1e6))
    assert (got.sequential, got.communication_volume, got.compute_share) == (False, 5, 0.5)


def test_kinds_said_outright_bind_as_they_are():
    """With a job_type, nodes and tasks a node are taken as said."""
    got = demand([job(job_type="mpi", ntasks=8, nodes=2, ntasks_per_node=8)])
    assert (got.tasks, got.nodes, got.tasks_per_node) == (8, 2, 8)
    assert demand([job(job_type=1, res=2)]).sequential


def test_arrivals_count_from_the_first():
    """Submit times are re-based; an origin says otherwise; the order of the file stays."""
    late = read([job(subtime=7, res=1), job(subtime=5, res=1)])
    assert late.submit_time.tolist() == [2, 0]
    assert "late-start" in kinds(late)
    assert read([job(subtime=7, res=1)], origin=1).submit_time.tolist() == [6]


def test_ids_are_numbers_or_labels():
    """Ids that are numbers are the jobs' numbers; others are labels; missing ones count places."""
    numbers = read([job(id="3", res=1), job(id=1, res=1)])
    assert (numbers.labels, numbers.job_id.tolist()) == (None, [3, 1])
    named = read([job(id="x", res=1), {"subtime": 0, "res": 1, **FIGURES}])
    assert (named.labels, named.job_id.tolist()) == (("x", "job1"), [1, 2])
    assert read([{"subtime": 0, "res": 1, **FIGURES}]).labels is None
    assert "repeated-id" in kinds(read([job(id="x", res=1), job(id="x", res=1)]))


def test_older_files_are_read_and_said_to_be():
    """What IRMASim's ancestors wrote beside is not read, and named; nb_res is kept as a note only."""
    old = {"id": "job0", "subtime": 0, "res": 4, "profile": "A", "estimated_execution_time": 7}
    profile = {"type": "parallel_homogeneous", "com": 0, "cpu": 21e9, **FIGURES}
    workload = read([old], profiles={"A": profile}, nb_res=60, num_instructions="TRUE")
    assert workload.header.max_procs is None
    [unknown] = [one for one in workload.anomalies if one.kind == "unknown-keys"]
    assert "com, cpu, estimated_execution_time, type" in unknown.sentence


@pytest.mark.parametrize(
    ("jobs", "sentence"),
    [
        ([job()], "jobs[0]: has no size, expected res, or ntasks or nodes"),
        ([{"subtime": 0, "res": 1}], "jobs[0]: has neither req_ops nor a profile"),
        ([{"subtime": 0, "res": 1, "req_op": 1}], "is 'req_op' meant for it?"),
        ([{**job(res=1), "profile": "q"}], "jobs[0].profile: unknown profile 'q', did you mean 'qq'?"),
        ([job(res=1, mem=-1)], "jobs[0].mem: got -1, expected a finite number >= 0"),
        ([job(res=1, req_ops=float("nan"))], "jobs[0].req_ops: got NaN, expected a finite number > 0"),
        ([job(res=1, req_ops=10**400)], "jobs[0].req_ops: got 1000000"),
        ([job(res=1.5)], "jobs[0].res: got 1.5, expected a whole number >= 1"),
        ([job(res=True)], "jobs[0].res: got True, expected a whole number >= 1"),
        ([job(res=1, ipc="2")], "jobs[0].ipc: got '2', expected a finite number > 0"),
        ([job(res=1, nodes=1)], "jobs[0]: says res and one of nodes, ntasks and ntasks_per_node"),
        ([job(nodes=3, ntasks=8, ntasks_per_node=8)], "jobs[0]: 3 nodes for 8 tasks of 8 a node, expected"),
        ([job(res=1, job_type="mpy")], "jobs[0].job_type: unknown type 'mpy'"),
        ([job(job_type=2, tasks=[])], "jobs[0].tasks: got [], expected a list of tasks"),
        ([job(tasks=[{"req_ops": 0}])], "jobs[0].tasks[0].req_ops: got 0, expected"),
        ([job(tasks=[{"profile": "x"}])], "jobs[0].tasks[0].profile: unknown profile 'x'"),
        ([job(ntasks=3, tasks=[{"profile": "qq"}])], "jobs[0].ntasks: got 3, but the job lists 1 tasks"),
        ([job(res=1, t_compute=1.1)], "jobs[0].t_compute: got 1.1, expected a number from 0 to 1"),
        ([{"res": 1, **FIGURES}], "jobs[0]: has no subtime"),
        ([{"res": 1, "RES": 1, "subtime": 0, **FIGURES}], "jobs[0]: says res twice, as 'res' and 'RES'"),
        ([5], "jobs[0]: got 5, expected an object in braces"),
        ([job(res=1, profile="idle")], "profiles.idle: has no req_ops"),
        ([job(nodes=2**53, ntasks_per_node=2**53)], "jobs[0]: has 8.11e+31 tasks, expected at most"),
    ],
)
def test_what_is_wrong_is_told_with_its_path(jobs, sentence):
    """Each error names where it is, what is there and what is expected."""
    with pytest.raises(InputError) as raised:
        read(jobs, profiles={"qq": FIGURES, "idle": {"type": "delay"}})
    assert str(raised.value).startswith("made.json: ")
    assert sentence in str(raised.value)


def test_all_errors_come_together():
    """One message tells them all, and counts those that are more of the same."""
    with pytest.raises(InputError) as raised:
        read([job(res=0, mem=-1), job(res=1, profile="q")] + [job(res=-1)] * 20, units={"mem": "TB"})
    message = str(raised.value)
    for part in ("jobs[0].res", "jobs[0].mem", "jobs[1].profile", "units.mem", "and 17 more"):
        assert part in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"jobs": [\n  {"id": 1,}\n]}', "odd.json, line 2: is not JSON: "),
        ('{"platform": {}, "node": {}}', "this is a platform, to be given to --platform"),
        (
            '{"platform": null, "jobs_simulated": 4, "versions": {}, "command": ["echelon", "run", "a b"]}',
            "but has none; repeat it by its command: echelon run 'a b'",
        ),
        ("[]", "has no list of jobs"),
        ('{"jobs": {}}', "odd.json, jobs: got {}, expected a list of jobs"),
        ('{"jobs": []}', "has no job"),
        (
            '{"jobs": [{"account": "a"}], "meta": {"Slurm": {}}}',
            "what Slurm prints with --json",
        ),
        ('{"jobs": [{"subtime": 0, "res": 1, "req_ops": 1, "res": 2}]}', "an object: says 'res' twice"),
        ("[" * 9999, "is not JSON that can be read"),
    ],
)
def test_no_json_no_workload(text, sentence):
    """A text that is not JSON, has no jobs, or says a thing twice is refused, with line and column."""
    with pytest.raises(InputError) as raised:
        read_json(text.encode(), "odd.json")
    assert sentence in str(raised.value)


def test_a_log_is_written_with_the_default_assumptions(tmp_path):
    """A workload without demands is written as MPI jobs of a task a processor and reads back as it was."""
    log = Workload.from_columns(submit_time=[3, 9], run_time=[10, 2.5], processors=[4, 1], user=[7, -1])
    write_workload(log, tmp_path / "log.json.gz")
    again = read_workload(tmp_path / "log.json.gz")
    for name in ("submit_time", "run_time", "requested_processors", "user"):
        assert again.columns[name].tolist() == log.columns[name].tolist()
    assert again.demands is not None
    assert again.demands[0] == Demand((TaskGroup(4, 1e10),))
    assert "tasks assumed: mpi" in (again.header.get("Note") or "")


def test_what_has_no_submit_time_is_not_written(tmp_path):
    """A job that was never submitted is refused, and no file is left."""
    log = Workload.from_columns(submit_time=[-1], run_time=[10], processors=[4])
    with pytest.raises(InputError, match="1 of 1 jobs have no submit time >= 0"):
        write_workload(log, tmp_path / "log.json")
    assert not list(tmp_path.iterdir())
