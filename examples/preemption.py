"""Suspend and go on: what it gives to short jobs, what it takes from long ones, what switches cost."""

import echelon as ec
from echelon.workloads import transform

workload = transform.head(ec.read_workload("kth-sp2"), 3_000)
found = ec.compare(
    workload,
    policies=[
        "easy",
        "srtf",
        "srtf:switch=60",
        "preemptive-priority:order=shortest-first:aging=0.5",
        "round-robin:quantum=1h:switch=60",
    ],
)
for result in found.results:
    metrics = result.metrics
    print(
        f"{result.policy:52} {metrics['preemptions']:6} stops, slowdown "
        f"{metrics['mean_bounded_slowdown']:5.1f}, "
        f"first start {metrics['mean_response'] / 60:5.1f} min, wait {metrics['mean_wait'] / 60:5.1f} min"
    )

turns = found.results[-1]
longest = turns.segments.group_by("job_id").len().sort("len", descending=True).row(0)
print(f"Job {longest[0]} had processors {longest[1]} times.")
