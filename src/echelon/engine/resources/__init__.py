"""What jobs hold: the protocol of all resources, counted processors, and capacity."""
