"""Figures of comparisons: metrics, ranks and degradations of several policies."""
