"""Protocols of decentralized scheduling: jobs wait where they were submitted, and other sites take them."""
