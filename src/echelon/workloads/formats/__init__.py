"""Formats of workloads: one file a format, and the list of all."""
