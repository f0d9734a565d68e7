"""The table of all settings, in the order in which files and references list them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.experiments.settings.availability import IN_TIME
from echelon.experiments.settings.changes import CHANGES, TIME_LIMIT
from echelon.experiments.settings.jobs import SIZES, SOURCE, STRICTNESS, TREATMENT
from echelon.experiments.settings.multicluster import ON_SHARED_NODES
from echelon.experiments.settings.nodes import INSIDE_NODES
from echelon.experiments.settings.scheduling import ABOVE, LOCAL, PLANNING
from echelon.experiments.settings.simulation import ENGINE, OUTPUT
from echelon.experiments.settings.time_shared import WITHOUT_QUEUES

if TYPE_CHECKING:
    from echelon.experiments.settings.setting import Setting

SETTINGS: tuple[Setting, ...] = (
    *(*SOURCE, *LOCAL, *SIZES, *ABOVE),
    *(*INSIDE_NODES, *ON_SHARED_NODES, *WITHOUT_QUEUES, *IN_TIME),
    *(*TREATMENT, *TIME_LIMIT, *PLANNING, *ENGINE, *STRICTNESS, *OUTPUT),
    *CHANGES,
)
