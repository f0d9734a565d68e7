"""Laws of times between failures and of repair times. One file per law; `registry` lists all."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "constant": "Constant",
        "exponential": "Exponential",
        "gamma_law": "Gamma",
        "law": "Law",
        "lognormal": "Lognormal",
        "registry": "LAW LAWS law law_named format_law",
        "weibull": "Weibull",
    },
    aliases={"law_words": "format_law"},
)
