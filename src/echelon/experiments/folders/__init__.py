"""The folders that runs and comparisons leave, each whole or not at all."""
