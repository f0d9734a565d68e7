"""Plans on a changing machine, in kernels: its profile, and reservations of starts for waiting jobs."""
