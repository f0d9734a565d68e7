"""The tables of a platform file, each kind read and written: sites, nodes and their parts, queues."""
