"""What is known of a run on a dynamic machine before it starts, as arrays for kernels."""
