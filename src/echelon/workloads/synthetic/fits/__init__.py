"""Fitting models to a log: its jobs in, the parameters out."""
