"""Charts of panels that are drawn without a script, or that several panels share."""
