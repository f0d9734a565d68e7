"""The client: how commands and programs talk to a service."""
