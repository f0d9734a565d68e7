"""Machines: sites, nodes, their power and their local load."""
