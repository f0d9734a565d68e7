"""How jobs progress on nodes: their tasks, the rates at which these run, and the record of both."""
