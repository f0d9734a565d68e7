"""Portal: the metascheduler's selection call, fed by real sites instead of a simulation."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "criteria": "Criteria",
        "metascheduler": "MetaScheduler",
        "ranking": "Ranked",
    },
)
