"""Power and energy: the power that a machine draws over time, and the jobs that are charged for it."""
