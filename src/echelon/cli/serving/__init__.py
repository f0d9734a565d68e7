"""Commands of the service: what goes to one that runs, and the service itself."""
