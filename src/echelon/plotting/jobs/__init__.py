"""Figures of jobs: their arrivals, sizes, waits and forecasts, and how users and classes fared."""
