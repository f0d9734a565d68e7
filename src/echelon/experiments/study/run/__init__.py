"""From a case to its run, in parallel."""
