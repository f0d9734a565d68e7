"""What metrics are computed from: one value a job, or a step function of time."""
