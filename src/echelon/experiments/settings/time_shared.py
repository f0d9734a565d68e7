"""Settings of time-shared machines, which have no queues: how loads are watched and decisions are made."""

from __future__ import annotations

from functools import partial

from echelon.experiments.settings.setting import DESKS, OF_SITES, OF_TIME_SHARED, Setting

_text = partial(Setting, group=DESKS, types=(str,), scope=OF_TIME_SHARED)

WITHOUT_QUEUES = (
    _text(
        name="monitoring",
        expected="a rule of monitoring as given to --monitoring",
        about="how loads of time-shared machines are averaged and published, default linear",
        help="How loads of time-shared machines are averaged and published: linear (the default) or "
        "exponential, with parameters, as in exponential:period=15:window=60:phase=zero.",
        python="str | Monitoring",
        metavar="SPEC",
        default="linear",
        read="experiments.systems.immediate:monitoring",
        write="experiments.systems.immediate:format_monitoring",
        offers=("linear", "exponential"),
        summary="monitoring {}",
        is_rule=True,
    ),
    Setting(
        name="decision_time",
        group=DESKS,
        types=(str, float),
        unit="s",
        expected="own, equal, or seconds >= 0, perhaps with a unit such as 5min",
        about="seconds that a broker takes for each decision, default its own",
        help="Seconds (or with a unit, 5min) that the broker takes for each decision; own (the default): "
        "the value of its parameter decision. On a tree S@PATH=S sets that of an inner site.",
        listed="Seconds that a broker takes for each decision; own (the default): the value of its parameter "
        "decision; equal: that of the slowest broker, for all. On a tree S@PATH=S sets that of an inner "
        "site.",
        metavar="own|S",
        scope=OF_SITES,
        by_site=True,
        write="experiments.settings.values.value_format:seconds",
        check="experiments.systems.immediate:check_decision_time",
        turn=1,
        summary="a decision takes {}",
    ),
    _text(
        name="experience",
        expected="one of warm, cold",
        about="CPU times known before the run, default warm",
        help="What brokers know of CPU times on time-shared machines before the run: the mean of each "
        "application (warm, the default), or nothing (cold).",
        metavar="warm|cold",
        default="warm",
        choices="engine.immediate.rules:EXPERIENCES",
        turn=1,
        summary="experience {}",
    ),
    _text(
        name="cpu_use",
        expected="one of full, log",
        about="whether jobs use their processors fully, default full",
        help="Whether jobs on time-shared machines compute all the time (full, the default), or for their "
        "average CPU time in the log (log).",
        metavar="full|log",
        default="full",
        choices="engine.immediate.rules:CPU_USES",
        turn=1,
        summary="CPU use as in the log",
        silent=("full",),
    ),
)
