"""``echelon study``: its subcommands, one file each."""
