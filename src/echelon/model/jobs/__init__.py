"""Jobs: what a workload says of them."""
