"""Names: what a file and its jobs may say, and in which units."""

from __future__ import annotations

from echelon.model.jobs.fields import FIELDS
from echelon.workloads.irmasim.records import squeeze
from echelon.workloads.irmasim.task_demand import WORK_NAMES

UNITS = {"mem": 6, "mem_vol": 6, "comm_vol": 0}
"""Powers of ten of bytes in which the file states memory, memory volume and communication volume."""

UNIT_NAMES = {"B": 0, "KB": 3, "MB": 6, "GB": 9}

OWN_COLUMNS = tuple(
    spec.name for spec in FIELDS if spec.name not in ("job_id", "submit_time", "requested_time")
)
"""Columns that a job may say by their own names; the program passes over them."""

JOB_NAMES = {
    **WORK_NAMES,
    **{squeeze(name): name for name in (*OWN_COLUMNS, "requested_time", "job_id", "label")},
    "runtime": "run_time",
    "application": "application",
    "id": "id",
    "jobtype": "job_type",
    "type": "job_type",
    "subtime": "subtime",
    "submittime": "subtime",
    "res": "res",
    "resources": "res",
    "nodes": "nodes",
    "ntasks": "ntasks",
    "numtasks": "ntasks",
    "ntaskspernode": "ntasks_per_node",
    "taskspernode": "ntasks_per_node",
    "profile": "profile",
    "profjob": "prof_job",
    "numnodes": "num_nodes",
    "tasks": "tasks",
    "commvol": "comm_vol",
    "tcompute": "t_compute",
}
"""What a job may say, by squeezed spelling."""

TOP_NAMES = {
    "jobs": "jobs",
    "profiles": "profiles",
    "profile": "profiles",
    "units": "units",
    "origin": "origin",
    "header": "header",
    "names": "names",
    "nbres": "nb_res",
    "numinstructions": "num_instructions",
}
"""Further keys of the file, by squeezed spelling."""
