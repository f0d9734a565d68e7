"""Placements that know the network: nodes near each other, by its switches or along a line."""
