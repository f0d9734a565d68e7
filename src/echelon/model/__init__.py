"""The nouns: what a workload, a job, an instance and a schedule are. Frozen and validated."""

from echelon.model.fields import FIELD_NAMES, FIELDS, Field
from echelon.model.header import Header
from echelon.model.instance import ESTIMATES, Dropped, Instance
from echelon.model.job import Job, JobRecord
from echelon.model.platform import Platform, Power, Site
from echelon.model.schedule import Schedule
from echelon.model.segments import Segments
from echelon.model.workload import Oddity, Workload

__all__ = [
    "ESTIMATES",
    "FIELDS",
    "FIELD_NAMES",
    "Dropped",
    "Field",
    "Header",
    "Instance",
    "Job",
    "JobRecord",
    "Oddity",
    "Platform",
    "Power",
    "Schedule",
    "Segments",
    "Site",
    "Workload",
]
