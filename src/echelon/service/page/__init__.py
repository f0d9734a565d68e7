"""The live page of a service."""
