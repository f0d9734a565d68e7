"""The configuration of a service: clusters, applications and their parameters, read and checked."""
