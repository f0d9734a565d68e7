"""Routers: the routes of the interface, by noun."""
