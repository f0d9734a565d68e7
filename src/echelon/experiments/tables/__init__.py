"""The tables of a run's jobs and of what they held."""
