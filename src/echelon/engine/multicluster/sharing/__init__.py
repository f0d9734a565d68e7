"""Shared nodes: their owners, the slots of tasks, and which jobs get which."""
