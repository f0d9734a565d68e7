"""How many examples a property is tried with: a quarter of its budget at each commit, ten budgets to explore.

Hypothesis draws the same examples every time, the simple ones first, so a run of all tests repeats what held
before. ``HYPOTHESIS_PROFILE=explore`` draws others, at random, and runs in full what is cut for each commit:
long logs, whole tables, trials of many jobs.
"""

from __future__ import annotations

import os
from typing import Any

from hypothesis import settings

IN_FULL = os.environ.get("HYPOTHESIS_PROFILE") == "explore"
"""Whether time does not matter."""

FEWEST = 15
"""What no budget is cut below, unless it is smaller by itself."""


QUICK = 10
"""How many are tried between two edits, by ``make quick``."""


def examples(budget: int, **others: Any) -> settings:
    """Return settings for a property that is worth `budget` examples; `others` are hypothesis's own."""
    if IN_FULL:
        return settings(max_examples=10 * budget, deadline=None, **others)
    quick = os.environ.get("HYPOTHESIS_PROFILE") == "quick"
    tried = min(budget, QUICK if quick else max(FEWEST, budget // 4))
    return settings(max_examples=tried, deadline=None, derandomize=True, **others)
