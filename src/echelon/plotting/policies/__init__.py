"""Figures of policies beside each other: their metrics, ranks and degradations."""
