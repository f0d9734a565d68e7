"""The thesis on IRMASim: a cluster to the core, MPI jobs, and contention of their communication."""
