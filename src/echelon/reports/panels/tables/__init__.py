"""Tables of panels: their cells, and rows of metrics."""
