"""Daly's study: the interval between checkpoints that wastes the least time on a machine that fails."""
