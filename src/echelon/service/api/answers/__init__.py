"""Answers of the interface: what it returns as JSON, problems included, and what its schema says of them."""
