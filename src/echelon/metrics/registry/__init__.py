"""What metrics there are, how each is named, labeled and read, and metrics of your own."""
