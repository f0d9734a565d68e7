"""Kernels of multiclusters: the projection of a cluster's queue, which analytic estimators ask for often."""
