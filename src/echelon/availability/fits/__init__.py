"""Fits: the laws that make the times of a trace most likely, and what a trace says in figures."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "law_fit": "FITTED LawFit TimeSample fit_laws",
        "maximum_likelihood": "likeliest_exponential likeliest_gamma likeliest_lognormal likeliest_weibull",
        "summary": "FailureSummary SystemSummary down_times failure_summary machine_gaps node_gaps up_times",
    },
)
