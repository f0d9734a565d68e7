"""Files of workloads: found, fetched, read within limits, and written whole or not at all."""
