"""``echelon study``, a file for each subcommand; and ``echelon reproduce`` for published studies."""
