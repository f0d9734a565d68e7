"""Grids under a broker, compiled: the clock of all sites, the brokers, their look-ahead simulation."""
