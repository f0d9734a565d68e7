"""Values of settings: how they are read from files, checked, named by site, and written."""
