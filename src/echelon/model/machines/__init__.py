"""Machines: sites, nodes, their power, and those who use them besides."""
