"""Figures of studies as papers print them: the width of a column, one font, labels of a style."""
