"""The rules of a service, and which of them it accepts."""

from __future__ import annotations

import math

import pytest

from echelon.errors import InputError
from echelon.policies.broker.registry import STRATEGIES
from echelon.service.accepted_rules import served_rules, why_not_served
from echelon.service.rules import ClusterRules, Rules


@pytest.mark.slow
def test_the_table_has_every_rule():
    """Every broker for sites with queues is served; copies, protocols and known run times are not."""
    table = {(one.kind, one.name): one.why_not for one in served_rules()}
    assert all(table["broker", name] == "" for name in STRATEGIES.names)
    assert "copies of one job" in table["global queue", "requests"]
    assert "decide in steps" in table["broker", "stealing"]
    assert "time-shared" in table["broker", "min-min"]
    assert table["estimator", "ibl"] == table["global queue", "nb.rs"] == ""


@pytest.mark.parametrize(
    ("specs", "said"),
    [
        ({"broker": "tta"}, "tta"),
        ({"estimator": "exact"}, "only simulations do"),
        ({"global_queue": "requests:reach=2"}, "copies of one job"),
        ({"queue_limit": "1"}, "queue"),
        ({"broker": "tat", "policy": "round-robin:quantum=3"}, "planned schedules"),
    ],
)
def test_one_sentence_says_why_not(specs, said):
    """Rules that cannot be served have one sentence that says why; others have none."""
    policy = specs.pop("policy", "easy")
    clusters = ClusterRules("alpha", policy=policy), ClusterRules("beta")
    assert said in why_not_served(Rules(clusters, **specs))
    assert why_not_served(Rules(clusters, broker="random", global_queue="fcfs", longest_stay=60.0)) is None


@pytest.mark.parametrize(
    ("field", "make"),
    [
        ("cluster", lambda: Rules(())),
        ("cluster", lambda: ClusterRules("")),
        ("cluster", lambda: Rules((ClusterRules("a"), ClusterRules("a")))),
        ("on_lost", lambda: ClusterRules("a", on_lost=0.0)),
        ("look_every", lambda: ClusterRules("a", look_every=math.inf)),
        ("unsettled", lambda: ClusterRules("a", unsettled=0)),
        ("default_time_limit", lambda: ClusterRules("a", default_time_limit=-1.0)),
        ("settle", lambda: Rules((ClusterRules("a"),), settle=-1.0)),
        ("longest_stay", lambda: Rules((ClusterRules("a"),), longest_stay=0.0)),
        ("launch_retries", lambda: Rules((ClusterRules("a"),), launch_retries=-1)),
    ],
)
def test_values_out_of_range_are_refused(field, make):
    """Each value that cannot be meant is refused where it is said."""
    with pytest.raises(InputError) as caught:
        make()
    assert field in str(caught.value)
