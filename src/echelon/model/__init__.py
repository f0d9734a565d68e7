"""The model: workloads, jobs, instances, platforms and schedules. Frozen and validated."""

from typing import TYPE_CHECKING

from echelon.lazy import lazily

if TYPE_CHECKING:
    from echelon.model.applications import Application, Applications
    from echelon.model.demands import Demand, Demands, TaskGroup
    from echelon.model.dependencies import Dependencies
    from echelon.model.experience import Experience, Forecast, Names, names_of
    from echelon.model.fields import FIELD_NAMES, FIELDS, Field
    from echelon.model.forecasts import Forecasts, OwnerDelays, TaskPlaces
    from echelon.model.hardware import Cluster, Hardware
    from echelon.model.header import Header
    from echelon.model.holdings import Holdings, Sleeps
    from echelon.model.immediate import (
        AVERAGES,
        PHASES,
        ImmediateMachine,
        Monitoring,
        Replicas,
    )
    from echelon.model.instance import DEPENDENCIES, ESTIMATES, ESTIMATES_ON_NODES, Dropped, Instance
    from echelon.model.job import Job, JobRecord
    from echelon.model.local_use import AWAY, LocalChange, LocalLoadModel, LocalUse, NoLocalLoad
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
    from echelon.model.shared_cluster import SharedCluster, SocialContract, Workstation
    from echelon.model.workload import Oddity, Workload

__all__ = [
    "AVERAGES",
    "AWAY",
    "DEPENDENCIES",
    "ESTIMATES",
    "ESTIMATES_ON_NODES",
    "FIELDS",
    "FIELD_NAMES",
    "PHASES",
    "Application",
    "Applications",
    "Cluster",
    "Core",
    "Demand",
    "Demands",
    "Dependencies",
    "Dropped",
    "Experience",
    "Field",
    "Forecast",
    "Forecasts",
    "FrequencyLevel",
    "Hardware",
    "Header",
    "Holdings",
    "ImmediateMachine",
    "Instance",
    "Job",
    "JobRecord",
    "LocalChange",
    "LocalLoadModel",
    "LocalUse",
    "MemoryCurveV1",
    "MemoryCurveV2",
    "Monitoring",
    "Names",
    "NoLocalLoad",
    "Node",
    "Oddity",
    "OwnerDelays",
    "Platform",
    "Power",
    "PowerCurveV2",
    "Processor",
    "Replicas",
    "Schedule",
    "Segments",
    "SharedCluster",
    "Site",
    "Sleep",
    "Sleeps",
    "SocialContract",
    "TaskGroup",
    "TaskPlaces",
    "Workload",
    "Workstation",
    "names_of",
]

lazily(
    __name__,
    {
        "applications": ("Application", "Applications"),
        "demands": ("Demand", "Demands", "TaskGroup"),
        "dependencies": ("Dependencies",),
        "experience": ("Experience", "Forecast", "Names", "names_of"),
        "fields": ("FIELD_NAMES", "FIELDS", "Field"),
        "forecasts": ("Forecasts", "OwnerDelays", "TaskPlaces"),
        "hardware": ("Cluster", "Hardware"),
        "header": ("Header",),
        "holdings": ("Holdings", "Sleeps"),
        "immediate": ("AVERAGES", "PHASES", "ImmediateMachine", "Monitoring", "Replicas"),
        "instance": ("DEPENDENCIES", "ESTIMATES", "ESTIMATES_ON_NODES", "Dropped", "Instance"),
        "job": ("Job", "JobRecord"),
        "local_use": ("AWAY", "LocalChange", "LocalUse", "LocalLoadModel", "NoLocalLoad"),
        "node": (
            "Core",
            "FrequencyLevel",
            "MemoryCurveV1",
            "MemoryCurveV2",
            "Node",
            "PowerCurveV2",
            "Processor",
            "Sleep",
        ),
        "platform": ("Platform", "Power", "Site"),
        "schedule": ("Schedule",),
        "segments": ("Segments",),
        "shared_cluster": ("SharedCluster", "SocialContract", "Workstation"),
        "workload": ("Oddity", "Workload"),
    },
    aliases={"LocalUsers": "LocalLoadModel", "Nobody": "NoLocalLoad"},
)
