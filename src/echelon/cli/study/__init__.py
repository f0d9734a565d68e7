"""``echelon study``, its subcommands, one file each; and ``echelon reproduce``, which repeats published studies."""
