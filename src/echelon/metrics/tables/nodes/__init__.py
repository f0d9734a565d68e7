"""Tables of a schedule node by node, and nodes as rows to draw."""
