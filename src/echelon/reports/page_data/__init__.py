"""What pages know beside the runs: definitions of metrics, the clock of their times, cells of their tables."""
