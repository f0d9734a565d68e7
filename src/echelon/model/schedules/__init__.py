"""Schedules: when and where jobs ran, and what is remembered of them."""
