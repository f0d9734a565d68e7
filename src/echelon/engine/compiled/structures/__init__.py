"""Data structures of kernels: sorted blocks, heaps, and the availability profile with its openings."""
