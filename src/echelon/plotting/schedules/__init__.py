"""Figures of schedules: which job held what, and when."""
