"""Global queues: where jobs wait above the sites that they are dispatched to."""
