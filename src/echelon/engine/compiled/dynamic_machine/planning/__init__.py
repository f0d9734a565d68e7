"""Plans on a dynamic machine, in kernels: its profile, and reservations of starts for waiting jobs."""
