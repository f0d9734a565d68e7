"""Settings of scheduling: who decides, and with which run times in mind."""

from __future__ import annotations

from echelon.experiments.settings.groups import SCHEDULING
from echelon.experiments.settings.scopes import OF_SITES
from echelon.experiments.settings.setting import Setting

LOCAL = (
    Setting(
        name="policy",
        group=SCHEDULING,
        types=(str,),
        expected="a policy as after --policy, or a table of its name and parameters",
        about="default fcfs",
        help="As `echelon policies` lists them; FILE.py:NAME is your own. On a grid each site's. "
        "Default: fcfs.",
        listed="Policies joined by commas, as `echelon policies` lists them. Default with --platform: fcfs.",
        python="str | Order | Scheduler | Policy",
        metavar="P",
        default="fcfs",
        read="policies:policy",
        write="experiments.settings.writing:name",
        check="policies:policy_named",
        located="experiments.settings.locations:rule",
        families=("policies:ORDERS", "policies:BACKFILLS", "policies:PREEMPTIVE"),
        plural="policies",
        noun="policy",
        rank=6,
        common=True,
        is_rule=True,
    ),
)

ABOVE = (
    Setting(
        name="broker",
        group=SCHEDULING,
        types=(str,),
        expected="a broker as after --broker",
        about="who chooses each job's site, default mpl on a grid",
        help="Who chooses the site of each job, as `echelon brokers` lists them; FILE.py:NAME is your own. "
        "Default with --platform: mpl; on a multicluster tat; without queues wall-time.",
        listed="Brokers joined by commas, as `echelon brokers` lists them; each is run with each policy. "
        "Default with --platform: mpl; on a multicluster tat; without queues wall-time.",
        python="str | Metascheduler",
        metavar="NAME",
        scope=OF_SITES,
        read="policies:broker_of",
        write="policies:broker_words",
        check="policies:broker_named",
        located="experiments.settings.locations:rule",
        families=(
            "policies:STRATEGIES",
            "policies:IMMEDIATE_STRATEGIES",
            "policies:DISPATCHERS",
            "policies:PROTOCOLS",
        ),
        plural="brokers",
        noun="broker",
        rank=3,
        common=True,
        is_rule=True,
    ),
    Setting(
        name="admissible",
        group=SCHEDULING,
        types=(),
        expected="a number > 0 and <= 1",
        about="share of the sites that a broker may choose from, default 1",
        help="Sites the broker may choose from, 0 < A <= 1: the smallest ones that can hold the job, up to "
        "this share of their processors. Default: 1, all.",
        listed="Shares of the sites that a broker may choose from, 0 < A <= 1, joined by commas; each is run "
        "with each broker and policy. Default: 1, all sites.",
        python="float | str | Admissible",
        metavar="A",
        scope=OF_SITES,
        read="policies:admissible",
        write="experiments.settings.writing:admissible_words",
        noun="admissibility",
        rank=4,
    ),
)

PLANNING = (
    Setting(
        name="estimator",
        group=SCHEDULING,
        types=(str,),
        expected="an estimator as after --estimator",
        about="default request",
        help="Who says how long jobs will run, on a multicluster also how long they will wait: request (the "
        "default: what --estimates says), exact, average:alpha=0.5, sdpn ..., as `echelon policies` lists "
        "them, or FILE.py:NAME.",
        python="str | Estimator",
        metavar="NAME",
        default="request",
        read="policies:estimator",
        write="policies:estimator_words",
        check="policies:estimator_named",
        located="experiments.settings.locations:rule",
        families=("policies:ESTIMATORS",),
        common=True,
        is_rule=True,
    ),
    Setting(
        name="passes",
        group=SCHEDULING,
        types=(str,),
        expected="one of instant, event, pyss",
        about="default instant",
        help="When the policy decides: once an instant (the default), after every event, or as pyss does.",
        metavar="instant|event|pyss",
        default="instant",
        choices="engine.contract:PASSES",
    ),
)
