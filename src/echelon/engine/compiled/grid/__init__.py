"""Grids under a broker, compiled: the clock of all sites, the brokers, the schedules they foresee."""
