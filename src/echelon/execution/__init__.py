"""Execution: how fast tasks run, by their cores and by what else runs beside them."""

from echelon.execution.contract import Load, MemoryModel, NetworkModel, Traffic

__all__ = ["Load", "MemoryModel", "NetworkModel", "Traffic"]
