"""Settings of the simulation itself: the engine and the seed."""

from __future__ import annotations

from echelon.experiments.settings.groups import SIMULATION
from echelon.experiments.settings.setting import Setting

ENGINE = (
    Setting(
        name="engine",
        group=SIMULATION,
        types=(str,),
        expected="one of auto, reference, compiled",
        about="default auto",
        help="Engine; all give the same schedule. auto (the default) takes the compiled engine where it can.",
        metavar="auto|reference|compiled",
        default="auto",
        choices="experiments.simulation:ENGINES",
    ),
    Setting(
        name="seed",
        group=SIMULATION,
        types=(int,),
        least=0,
        expected="a whole number >= 0",
        about="seed of all random draws, default 0",
        help="Seed of all random draws. Default: 0.",
        metavar="N",
        default=0,
        common=True,
    ),
)
