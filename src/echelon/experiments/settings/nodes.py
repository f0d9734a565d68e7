"""Settings of nodes modeled individually: where jobs go, how fast they run, what power they take."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from echelon.experiments.settings.setting import INSIDE, OF_NODES, OF_NODES_OR_MULTICLUSTERS, Setting

if TYPE_CHECKING:
    from collections.abc import Mapping

_setting = partial(Setting, group=INSIDE, scope=OF_NODES)
_text = partial(_setting, types=(str,))


def idle_governor(setting: Setting, settings: Mapping[str, object], _: frozenset[str]) -> str | None:
    """Return why a governor would not change a frequency; None if it may. See `Setting.idle`."""
    if settings[setting.name] != "capped" or settings.get("power_cap") not in (None, math.inf):
        return None
    return "lowers frequencies to keep a power cap, but there is none; give --power-cap W"


INSIDE_NODES = (
    _text(
        name="place",
        expected="a placement as given to --place",
        about="rule that chooses the cores of a job, default first-fit",
        help="Rule that chooses the cores of a job on a platform with nodes, as `echelon placements` lists "
        "them, or FILE.py:NAME for your own. Default: first-fit.",
        listed="Placements on a platform with nodes, separated by commas, as `echelon placements` lists "
        "them; each is run with each policy. Default: first-fit.",
        python="str | Placement",
        metavar="NAME",
        default="first-fit",
        read="policies:placement_of",
        write="policies:format_placement",
        check="policies:placement_named",
        located="experiments.settings.values.locations:rule",
        families=("experiments.settings.values.completion:placements",),
        field="placement",
        summary="placed by {}",
        plural="places",
        noun="placement",
        rank=5,
        is_rule=True,
    ),
    Setting(
        name="execution",
        group=INSIDE,
        types=(str,),
        expected="an execution model as given to --execution",
        about="execution model: how fast tasks run on nodes, default speed or fixed",
        help="Execution model, which says how fast tasks run on their cores: fixed, speed, or a memory "
        "model, as `echelon rules` lists them. Default on nodes: speed if WORKLOAD describes the demand of "
        "its tasks, else fixed. On a multicluster: time-shared, with its parameters.",
        python="str | Execution | TimeShared",
        metavar="NAME",
        scope=OF_NODES_OR_MULTICLUSTERS,
        read="execution:execution_of",
        write="experiments.settings.values.value_format:spec",
        check="experiments.settings.values.value_reader:execution",
        located="experiments.settings.values.locations:rule",
        offers=("fixed", "speed"),
        families=("execution:MEMORY_MODELS", "execution:TimeShared"),
        summary="execution {}",
        is_rule=True,
    ),
    _text(
        name="network",
        expected="a network model as given to --network",
        about="network model: contention of MPI jobs between nodes, default none",
        help="Network model, which says how MPI jobs slow each other down between nodes: none (the default), "
        "or a model that `echelon rules` lists.",
        python="str | NetworkModel",
        metavar="NAME",
        default="none",
        read="execution:network_of",
        write="execution:format_network",
        check="execution:network_named",
        located="experiments.settings.values.locations:rule",
        offers=("none",),
        families=("execution:NETWORK_MODELS",),
        summary="network {}",
        silent=("none",),
        is_rule=True,
    ),
    _text(
        name="sharing",
        expected="a sharing rule as given to --sharing",
        about="how several tasks share a core, default none",
        help="How the tasks of a job share fewer cores than it has tasks: none (the default: the job waits), "
        "round-robin:quantum=0.1, fair.",
        python="str | Sharing",
        metavar="NAME",
        read="policies.sharing:sharing",
        write="policies.sharing:format_sharing",
        families=("policies.sharing:SHARINGS",),
        summary="sharing {}",
        silent=("none",),
        is_rule=True,
    ),
    _setting(
        name="power_cap",
        types=(float,),
        above=0,
        unit="W",
        expected="a number > 0",
        about="largest power that the machine may draw, in W, default no limit",
        help="Largest power that the nodes may draw. Default: no limit.",
        metavar="W",
        default=math.inf,
        write="experiments.settings.values.value_format:finite",
        summary="at most {}",
    ),
    _text(
        name="governor",
        expected="one of highest, lowest, capped",
        about="rule that chooses the frequency level of a job, default highest",
        help="Frequency level of jobs: the highest (the default), the lowest, or the highest that the power "
        "cap allows (capped, with --power-cap).",
        metavar="highest|lowest|capped",
        default="highest",
        choices="engine.nodes.rules:GOVERNORS",
        idle="experiments.settings.nodes:idle_governor",
        summary="frequency {}",
        silent=("highest",),
    ),
    _setting(
        name="sleep_after",
        types=(float, str),
        least=0,
        unit="s",
        expected="seconds >= 0, or with a unit such as 5min",
        about="seconds after which an idle node is switched off, default as the platform says",
        help="Seconds (or with a unit, 5min) after which an idle node is switched off. Default: as the "
        "platform says.",
        metavar="S",
        read="experiments.settings.values.value_reader:seconds",
        turn=1,
        summary="idle nodes off after {}",
    ),
    _text(
        name="release",
        expected="one of by-kind, gang",
        about="when jobs release their cores, default by-kind",
        help="When jobs release their cores on nodes. by-kind (the default): a sequential job releases each "
        "core when its task ends, an MPI job all cores together; gang: every job releases all cores "
        "together.",
        metavar="by-kind|gang",
        default="by-kind",
        choices="engine.nodes.rules:RELEASES",
        summary="all cores of a job released together",
        silent=("by-kind",),
    ),
    _text(
        name="sequential",
        expected="one of one-node, straddle",
        about="whether a sequential job may span nodes, default one-node",
        help="Whether all tasks of a sequential job run in one node (one-node, the default), or wherever "
        "cores are idle (straddle).",
        metavar="one-node|straddle",
        default="one-node",
        choices="engine.nodes.rules:SEQUENTIALS",
        summary="sequential jobs may straddle nodes",
        silent=("one-node",),
    ),
)
