"""Settings of scheduling: what decides, and with which run times in mind."""

from __future__ import annotations

from functools import partial

from echelon.experiments.settings.setting import OF_SITES, SCHEDULING, Setting

_text = partial(Setting, group=SCHEDULING, types=(str,))
_of_sites = partial(Setting, group=SCHEDULING, scope=OF_SITES, by_site=True)
_text_of_sites = partial(_of_sites, types=(str,))

LOCAL = (
    _text(
        name="policy",
        expected="a policy as given to --policy, or a table of its name and parameters",
        about="default fcfs",
        help="Scheduling policy, as `echelon policies` lists them, or FILE.py:NAME for your own. On a grid, "
        "the policy of each site; NAME@PATH=NAME sets that of a site, or of all below an inner site: "
        "easy@spain/uab=fcfs. Default: fcfs.",
        listed="Policies separated by commas, as `echelon policies` lists them. On a grid, NAME@PATH=NAME "
        "sets that of a site, or of all below an inner site, too: easy,easy@spain/uab=fcfs. Default with "
        "--platform: fcfs.",
        python="str | Order | Scheduler | Policy",
        metavar="P",
        default="fcfs",
        read="policies:policy",
        write="experiments.settings.values.value_format:name",
        check="policies:policy_named",
        located="experiments.settings.values.locations:rule",
        families=("policies:ORDERS", "policies:BACKFILLS", "policies:PREEMPTIVE"),
        plural="policies",
        noun="policy",
        rank=6,
        common=True,
        is_rule=True,
        by_site=True,
    ),
)

ABOVE = (
    _text_of_sites(
        name="broker",
        expected="a broker as given to --broker",
        about="rule that chooses the site of each job, default mpl on a grid",
        help="Rule that chooses the site of each job, as `echelon brokers` lists them, or FILE.py:NAME for "
        "your own. On a tree of sites NAME@PATH=NAME sets that of an inner site, too: mct@spain/uab=ml. "
        "Default: mpl on a grid, tat on a multicluster, wall-time on time-shared machines.",
        listed="Brokers separated by commas, as `echelon brokers` lists them; each is run with each policy. "
        "On a tree of sites NAME@PATH=NAME sets that of an inner site, too: mct,mct@spain/uab=ml. "
        "Default: mpl on a grid, tat on a multicluster, wall-time on time-shared machines.",
        python="str | Metascheduler",
        metavar="NAME",
        read="policies:broker_of",
        write="policies:format_broker",
        check="policies:broker_named",
        located="experiments.settings.values.locations:rule",
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
    _of_sites(
        name="admissible",
        types=(),
        expected="a number > 0 and <= 1",
        about="share of the sites from which a broker may choose, default 1",
        help="Sites from which the broker may choose, 0 < A <= 1: the smallest ones that can hold the job, "
        "up to this share of their processors. On a tree A@PATH=A sets it for an inner site, too. Default: "
        "1, all sites.",
        listed="Shares of the sites from which a broker may choose, 0 < A <= 1, separated by commas; each is "
        "run with each broker and policy. Default: 1, all sites.",
        python="float | str | Admissible",
        metavar="A",
        read="policies:admissible",
        write="experiments.settings.values.value_format:format_admissible",
        noun="admissibility",
        rank=4,
    ),
    _text_of_sites(
        name="information",
        expected="one of sites, job-counts, job-sizes, estimates, schedules",
        about="most that sites tell a broker, default schedules",
        help="Most that sites tell the broker: sites (their sizes), job-counts, job-sizes, estimates, or "
        "schedules (the default), each with those before it; a broker that needs more is refused. On a tree "
        "LEVEL@PATH=LEVEL sets it for an inner site, too.",
        python="str | Information",
        metavar="LEVEL",
        read="policies.broker.contract:information_named",
        write="policies.broker.contract:format_information",
        families=("model.machines.inner_site:LEVELS",),
        summary="clusters tell {}",
    ),
    _of_sites(
        name="refresh",
        types=(float, str),
        least=0,
        unit="s",
        expected="seconds >= 0, or with a unit such as 5min",
        about="greatest age in seconds of what a broker knows of a site, default 0",
        help="Greatest age, in seconds (or with a unit, 5min), of what the broker knows of a site: it asks "
        "for the status at most that often. Default: 0. On a tree S@PATH=S sets it for an inner site, too.",
        metavar="S",
        read="experiments.settings.values.value_reader:seconds",
        summary="statuses at most {} old",
    ),
)

PLANNING = (
    _text(
        name="estimator",
        expected="an estimator as given to --estimator",
        about="default request",
        help="Rule that predicts how long jobs run and, on a multicluster, how long they wait: request (the "
        "default: as --estimates says), exact, average:alpha=0.5, sdpn ..., as `echelon policies` lists "
        "them, or FILE.py:NAME for your own.",
        python="str | Estimator",
        metavar="NAME",
        default="request",
        read="policies:estimator",
        write="policies:format_estimator",
        check="policies:estimator_named",
        located="experiments.settings.values.locations:rule",
        families=("policies:ESTIMATORS",),
        common=True,
        is_rule=True,
    ),
    _text(
        name="cycles",
        earlier=("passes",),
        expected="one of instant, event, pyss",
        about="when scheduling cycles take place, default instant",
        help="When a scheduling cycle takes place: once per timestamp (instant, the default), after each "
        "event (event), or in the order of the pyss simulator (pyss).",
        metavar="instant|event|pyss",
        default="instant",
        choices="engine.contract:CYCLES",
    ),
)
