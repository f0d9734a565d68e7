"""The node-level model of one machine: its nodes, processors and cores during a run."""
