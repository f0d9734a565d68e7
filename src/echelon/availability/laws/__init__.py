"""Laws of times between failures and of repair times. `registry` lists all."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "distributions": "Constant Exponential Gamma Lognormal Weibull",
        "law": "Law",
        "registry": "LAW LAWS law law_named format_law",
    },
    aliases={"law_words": "format_law"},
)
