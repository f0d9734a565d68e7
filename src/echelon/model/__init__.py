"""The nouns: what a workload, a job, an instance and a schedule are. Frozen and validated."""

from echelon.model.demands import Demand, Demands, TaskGroup
from echelon.model.fields import FIELD_NAMES, FIELDS, Field
from echelon.model.hardware import Cluster, Hardware
from echelon.model.header import Header
from echelon.model.holdings import Holdings, Sleeps
from echelon.model.instance import ESTIMATES, Dropped, Instance
from echelon.model.job import Job, JobRecord
from echelon.model.node import (
    Core,
    FrequencyLevel,
    MemoryCurveV1,
    MemoryCurveV2,
    Node,
    PowerCurveV2,
    Processor,
    Sleep,
)
from echelon.model.platform import Platform, Power, Site
from echelon.model.schedule import Schedule
from echelon.model.segments import Segments
from echelon.model.workload import Oddity, Workload

__all__ = [
    "ESTIMATES",
    "FIELDS",
    "FIELD_NAMES",
    "Cluster",
    "Core",
    "Demand",
    "Demands",
    "Dropped",
    "Field",
    "FrequencyLevel",
    "Hardware",
    "Header",
    "Holdings",
    "Instance",
    "Job",
    "JobRecord",
    "MemoryCurveV1",
    "MemoryCurveV2",
    "Node",
    "Oddity",
    "Platform",
    "Power",
    "PowerCurveV2",
    "Processor",
    "Schedule",
    "Segments",
    "Site",
    "Sleep",
    "Sleeps",
    "TaskGroup",
    "Workload",
]
