"""The model: workloads, jobs, instances, platforms and schedules. Frozen and validated."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "applications": "Application Applications",
        "demands": "Demand Demands TaskGroup",
        "dependencies": "Dependencies",
        "experience": "Experience Forecast Names names_of",
        "fields": "FIELDS FIELD_NAMES Field",
        "forecasts": "Forecasts OwnerDelays TaskPlaces",
        "hardware": "Cluster Hardware",
        "header": "Header",
        "holdings": "Holdings Sleeps",
        "immediate": "AVERAGES PHASES ImmediateMachine Monitoring Replicas",
        "instance": "DEPENDENCIES ESTIMATES ESTIMATES_ON_NODES Dropped Instance",
        "job": "Job JobRecord",
        "local_use": "AWAY LocalChange LocalLoadModel LocalUse NoLocalLoad",
        "node": "Core FrequencyLevel MemoryCurveV1 MemoryCurveV2 Node PowerCurveV2 Processor Sleep",
        "platform": "Platform Power Site",
        "schedule": "Schedule",
        "segments": "Segments",
        "shared_cluster": "SharedCluster SocialContract Workstation",
        "workload": "Oddity Workload",
    },
    aliases={"LocalUsers": "LocalLoadModel", "Nobody": "NoLocalLoad"},
)
