"""How fast what runs somewhere runs, and when it ends."""
