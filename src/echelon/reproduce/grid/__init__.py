"""The grid study: nine broker strategies, with and without admissibility, and decentralized protocols."""
