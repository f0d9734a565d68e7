"""Checkpoints: how often jobs save their work, and how long they take with it on nodes that fail."""
