"""Tables of a schedule by user, class, site or node, and those behind charts."""
