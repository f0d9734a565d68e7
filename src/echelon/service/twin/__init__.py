"""The twin of a service: its rules over simulated clusters, and what other rules would have done on a day."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "continuation": "Present go_on present_of",
        "made_day": "make_day",
        "recorded_day": "RecordedDay recorded_day",
        "twin": "Twin TwinDay",
        "twin_run": "TwinRun run_twin",
        "what_if": "change_rules",
    },
    aliases={"changed": "change_rules"},
)
