"""What pages know beside the runs: definitions of metrics, the clock of times, cells of tables."""
