"""Settings of the machine: its size, or the platform that it is."""

from __future__ import annotations

from echelon.experiments.settings.groups import MACHINE
from echelon.experiments.settings.setting import Setting

SIZES = (
    Setting(
        name="processors",
        group=MACHINE,
        types=(int,),
        least=1,
        expected="a whole number >= 1",
        about="processors of the machine, default those of the log's header",
        help="Processors of the machine. Default: those of the log's header.",
        metavar="N",
        common=True,
        is_problem=True,
    ),
    Setting(
        name="platform",
        group=MACHINE,
        types=(str,),
        expected="a platform file or the name of a preset",
        about="sites of a grid or nodes of the machine, default one machine without nodes",
        help="Sites of a grid or nodes of the machine: a platform file, or a preset of `echelon platforms`.",
        python="str | Path | Platform | Hardware | Sequence[int] | IntColumn",
        metavar="FILE|PRESET",
        check="platforms:platform_named",
        write="experiments.settings.values.value_format:platform",
        located="experiments.settings.values.locations:platform",
        families=("platforms.presets:PRESETS",),
        common=True,
        is_problem=True,
    ),
)
