"""One machine whose nodes, processors and cores are told apart, while time passes."""
