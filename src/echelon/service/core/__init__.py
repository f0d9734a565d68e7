"""The core of the service: what follows from what is observed, without I/O and without a clock."""
