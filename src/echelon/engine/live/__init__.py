"""Live: the controllers of a tree over clusters that decide elsewhere, in simulated or in real time."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "core": "Core",
        "messages": "Canceled Closed Effect Ended Joined Observation Opened Reserved Recall Refused Reject "
        "Requeued Resized Started Stop Submit Submitted Suspended",
        "simulated_clusters": "SimulatedClusters replay",
        "open_scenario": "why_not_live",
    },
)
