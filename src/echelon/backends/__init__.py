"""Back ends: clusters that the service drives, behind one contract."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "contract": (
            "Accepted Answer Backend Description EndRecord Evidence OtherJob Outcome OwnJob Refused Snapshot "
            "Submission Unclear"
        ),
        "claims": "Claims",
        "registry": "backend_of",
        "wrapper": "wrap",
    },
    aliases={"wrapped": "wrap"},
)
