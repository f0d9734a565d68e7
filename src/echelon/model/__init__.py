"""The model: workloads, jobs, instances, platforms and schedules. Frozen and validated."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "jobs.applications": "Application Applications",
        "schedules.attempts": "Attempts EndReason",
        "jobs.demands": "Demand Demands TaskGroup",
        "jobs.dependencies": "Dependencies",
        "schedules.experience": "Experience Forecast Names names_of",
        "jobs.fields": "FIELDS FIELD_NAMES Field",
        "schedules.forecasts": "Forecasts OwnerDelays TaskPlaces",
        "machines.hardware": "Cluster Hardware",
        "jobs.header": "Header",
        "schedules.numbered_holdings": "NumberedHoldings",
        "schedules.holdings": "Holdings Sleeps",
        "machines.monitoring": "AVERAGES PHASES Monitoring",
        "machines.inner_site": "InnerSite",
        "machines.site_tree": "SiteTree",
        "machines.time_shared": "TimeSharedMachine",
        "instance": "DEPENDENCIES ESTIMATES ALL_ESTIMATES Dropped Instance",
        "jobs.job": "Job JobRecord",
        "jobs.limits": "JobLimits",
        "machines.local_use": "AWAY LocalChange LocalLoadModel LocalUse NoLocalLoad",
        "machines.node": "Core FrequencyLevel MemoryCurveV1 MemoryCurveV2 Node PowerCurveV2 Processor Sleep",
        "machines.node_units": "NodeUnits",
        "machines.outages": "NO_OUTAGES OutageKind Outages",
        "machines.platform": "Platform Power Resource Site",
        "machines.reservations": "Reservation",
        "node_level": "NodeLevel",
        "schedules.schedule": "Schedule",
        "schedules.status": "JobStatus",
        "machines.shared_cluster": "SharedCluster SocialContract Workstation",
        "jobs.workload": "Anomaly Workload",
    },
    aliases={"LocalUsers": "LocalLoadModel", "Nobody": "NoLocalLoad", "Oddity": "Anomaly"},
)
