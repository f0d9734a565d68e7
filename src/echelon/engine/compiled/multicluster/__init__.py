"""Kernels of multiclusters: predictions of a cluster's queue, which analytic estimators often request."""
