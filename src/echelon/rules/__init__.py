"""Rules: one registry for every family of named rules, built in, in a user's file or in another package."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "description": "parameter_rows",
        "entry_points": "",
        "family": "Family",
        "parameter": "Named Parameter announce arguments parameters settings_of text_of",
        "spec": "Spec split_outside",
    },
)
