"""The clusters of a service: their threads, their state, and their queues as last seen."""
