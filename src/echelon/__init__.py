"""Echelon: a workbench for job scheduling."""
