"""Moved to `echelon.quantities`; here only until everybody has moved along."""

from echelon.quantities import TIME_UNITS, TimeUnit, duration, figure, time_unit

__all__ = ["TIME_UNITS", "TimeUnit", "duration", "figure", "time_unit"]
