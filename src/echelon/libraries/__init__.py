"""Libraries: kernels as shared libraries; their names, files, calls and builds."""
