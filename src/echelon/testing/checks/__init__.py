"""Checks of your own rules, one for each family: what a rule must do, on small cases."""
