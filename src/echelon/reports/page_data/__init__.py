"""The data that pages carry for their scripts: packed columns, definitions of metrics, the clock of times."""
