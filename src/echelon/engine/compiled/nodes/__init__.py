"""One machine whose nodes and cores are told apart, in kernels: the twin of `echelon.engine.nodes`."""
