"""Decentralized protocols in kernels: exchange, common pool and stealing."""
