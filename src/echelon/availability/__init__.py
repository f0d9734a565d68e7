"""Availability: how a machine changes in time: failures, maintenance, reservations, checkpoints."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "changes": "Changes NO_CHANGES Requeueing",
        "checkpoint": "Checkpoint",
        "checkpoint_rule": "CheckpointRule",
        "expected_time": "daly_time expected_time",
        "intervals": "daly_interval optimal_interval young_interval",
    },
)
