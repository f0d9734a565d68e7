"""Databases, as histories and services keep theirs: addresses, connections, columns, versions of tables."""
