"""What a workload holds, in a few figures each."""
