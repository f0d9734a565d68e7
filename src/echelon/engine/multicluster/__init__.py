"""The multicluster engine: a global queue above clusters of workstations that have owners."""
