"""``echelon study``: its commands, one file each."""
