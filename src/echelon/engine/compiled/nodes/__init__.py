"""One machine with a node-level model, in kernels: the twin of `echelon.engine.nodes`."""
