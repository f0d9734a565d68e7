"""What estimators see of a cluster, and the future of its queue."""
