"""Columns of a run that are read back from the tables that it left."""
