"""The reference page on multiclusters: global-queue rules, limits, local load, shared nodes."""

from __future__ import annotations

from typing import Any

import docstrings
import sources
from rules import described
from tables import codes, summary, table


def page() -> str:
    """Return the page."""
    from echelon.execution import TimeShared
    from echelon.policies.broker.site_filter import SITE_FILTERS
    from echelon.policies.global_queue.contract import Copy, Deliver, GlobalQueueRule, GlobalQueueView, Spread
    from echelon.policies.global_queue.limit import AtMost, Held, Stable
    from echelon.policies.global_queue.registry import GLOBAL_QUEUES
    from echelon.policies.global_queue.several import MEMBERSHIPS
    from echelon.workloads.local_users import Owners

    parts = [
        "# Multiclusters\n\nThe settings of a run on a platform of shared nodes, apart from its broker, "
        "local policy and estimator. What is simulated: [Multiclusters](../explanation/multiclusters.md). "
        "`--co-allocate` has a [page of its own](co-allocation.md), and so have [brokers](brokers.md), of "
        "which `tat` and `ptt` use forecasts, and [estimators](policies.md#estimators), after "
        "`--estimator` and `--watch`.",
        "## Global-queue rules\n\nAfter `--global-queue`: which job goes to which cluster next. Parameters "
        "follow after colons, `requests:copies=2`; `FILE.py:NAME` is "
        "[your own rule](../how-to/own-global-queue.md): a class or an object with the members of "
        "`GlobalQueueRule` below.",
        *(_rule(kind) for kind in GLOBAL_QUEUES),
        "## Limits of queues\n\nAfter `--queue-limit`: when the queue of a cluster is full. A number "
        "or "
        "`unlimited`, the default:\n\n" + described("queue limit", AtMost),
        "`held:N`, `held:3`:\n\n" + described("held", Held),
        "`stable` and `stable:predicted`:\n\n" + described("stable", Stable),
        "## Criteria of queues\n\nIn `--queues`, in parentheses after the name of one of "
        "[several queues](../how-to/run-multiclusters.md#several-queues): which jobs it takes. Of several "
        "criteria all must be met. `tasks(least=2, most=4)`; `FILE.py:NAME` is your own: a class or an "
        "object with a name and `meets(job, names)`.",
        *(_rule(kind) for kind in MEMBERSHIPS),
        "## Site filters\n\nAfter `--site-filter`, joined by `+`: the sites that "
        "[may be chosen now](../how-to/run-multiclusters.md#clusters-that-are-left-out). `mpl-below:3`; "
        "`FILE.py:NAME` is your own: a class or an object with a name, its level of information and "
        "`passes(job, site, view)`, whose view is [that of brokers](brokers.md).",
        *(_rule(kind) for kind in SITE_FILTERS),
        "## Local users\n\nAfter `--local-users`: which nodes have an owner at work. `none`, the default; "
        "the name of a profile, with the parameters below after colons, `xwindows+internet:share=0.3`; a "
        "file of recorded loads, which ends in `.csv`; or `FILE.py:NAME`, your own.",
        _profiles(),
        described("local users", Owners),
        "## How fast jobs run\n\nAfter `--execution`: `time-shared`, with its parameters after colons, "
        "`time-shared:interference=0.2:noise=0.1`. Why: "
        "[Time-shared nodes](../explanation/time-shared-nodes.md).\n\n"
        + described("time-shared", TimeShared),
    ]
    for protocol in (GlobalQueueRule, GlobalQueueView):
        parts += [f"## {protocol.__name__}\n\n{docstrings.whole(protocol)}", *docstrings.members(protocol)]
    for answer in (Deliver, Spread, Copy):
        parts.append(f"## {answer.__name__}\n\n{docstrings.whole(answer)}")
    return "\n\n".join(parts)


def _rule(kind: Any) -> str:  # noqa: ANN401  (any class with a name and a source)
    cited = f"Source: {sources.cited(kind.source, kind.name)}."
    return f"### {kind.name}\n\n{cited}\n\n{described(kind.name, kind)}"


def _profiles() -> str:
    from echelon.workloads.local_users import PROFILES
    from echelon.workloads.local_users.profile import ALIASES

    rows = [
        (
            f"`{profile.name}`",
            summary(profile.name, profile.summary),
            codes(alias for alias, name in ALIASES.items() if name == profile.name),
            sources.cited(profile.source, profile.name),
        )
        for profile in PROFILES
    ]
    return table(("Word", "Who", "Also called", "Source"), rows)
