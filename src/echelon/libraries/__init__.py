"""Libraries: kernels as shared libraries; which there are, where they are, how they are called and built."""
