"""What all machines of a run share: jobs, releases, dispatches, predictions, observers."""
