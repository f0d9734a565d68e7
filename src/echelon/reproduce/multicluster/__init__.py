"""The M-CISNE thesis: predicting, choosing and co-allocating in non-dedicated multiclusters."""
