"""Settings: every setting of a run, declared once; whatever names, reads or explains one follows from it.

`table.SETTINGS` holds the declarations. The options of ``run`` and ``compare``, the keywords of
`echelon.simulate` and `echelon.compare`, scenario files, the axes of studies, JSON Schema, manifests and the
reference page are made from it. Importing it imports no library and no family of rules.
"""
