"""Access to the interface: who calls, what a caller may do and see, and how much at once."""
