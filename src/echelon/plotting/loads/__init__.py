"""Figures of load: waiting jobs, busy processors, nodes and sites, and power, over time."""
