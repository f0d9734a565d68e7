"""Metrics of whole schedules: one value a schedule, each with formula, unit and source."""
