"""Shadows: when a blocked job could start in its nodes, and which jobs may run beside it until then."""
