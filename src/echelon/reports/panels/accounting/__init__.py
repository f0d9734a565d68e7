"""Panels of what an operator knows of a machine: waits in its log, its partitions, queues and accounts."""
