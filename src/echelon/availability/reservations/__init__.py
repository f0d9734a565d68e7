"""Reservations as people keep them: our own files, and those of Slurm."""
