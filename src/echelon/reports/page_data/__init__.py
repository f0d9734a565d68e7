"""What pages know beside the runs: definitions of metrics, and the clock of their times."""
