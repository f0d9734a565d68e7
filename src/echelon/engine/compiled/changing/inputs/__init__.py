"""What is known of a run on a changing machine before it starts, as arrays for kernels."""
