"""Random rules of everything that decides in a multicluster, and random cases for them."""

from __future__ import annotations

from hypothesis import HealthCheck
from hypothesis import strategies as st

from echelon.policies.coallocation import co_allocation
from echelon.testing.multiclusters import random_cluster_case

SEEDS = st.integers(0, 2**32 - 1)
UPPER = (
    "fcfs",
    "sjf",
    "fpfs",
    "backfilling",
    "b",
    "nb",
    "b.rs",
    "nb.rs",
    "pull",
    "requests",
    "requests:copies=2",
)
LIMITS = ("unlimited", "0", "1", "2", "held:1", "held:3", "stable", "stable:predicted")
LOCAL = ("fcfs", "first-fit", "sjf", "easy", "conservative", "plan", "selective", "slack", "relaxed")
BROKERS = ("first-fit", "round-robin", "tat", "ptt:w=0.5", "ml", "mct", "mwt", "lbal-s", "random")
ESTIMATORS = ("request", "exact", "li", "ibl", "hanzich", "sdpn", "hybrid")
CO = (None, None, "optimal", "heuristic", "rule-85")

LENIENT = [HealthCheck.too_slow, HealthCheck.filter_too_much]
"""A case is drawn by its seed, which takes a while."""


@st.composite
def rules(draw, *, co=CO, local=LOCAL, upper=UPPER, limits=LIMITS, brokers=BROKERS):
    """Return the settings of everything that decides."""
    spanning = draw(st.sampled_from(co))
    return {
        "local": draw(st.sampled_from(local)),
        "upper": draw(st.sampled_from(upper)),
        "limit": draw(st.sampled_from(limits)),
        "broker": draw(st.sampled_from(brokers)),
        "estimator": draw(st.sampled_from(ESTIMATORS)),
        "co_allocation": None if spanning is None else co_allocation(spanning),
        "two_phase": spanning is not None and draw(st.booleans()),
        "seed": draw(st.integers(0, 3)),
    }


def drawn(seed, settings, **options):
    """Return a case for these rules in which no owner stays forever."""
    larger = settings.get("co_allocation") is not None
    return random_cluster_case(seed, larger=larger, forever=False, **options)
