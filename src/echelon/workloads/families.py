"""The families of formats and of models of workloads: what reads their names, imported when one is named."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.rules.family import Family
from echelon.workloads.formats.known_formats import FORMATS
from echelon.workloads.synthetic.known_models import MODELS

if TYPE_CHECKING:
    from echelon.workloads.formats.format import Format
    from echelon.workloads.synthetic.model import Model

FORMAT: Family[Format] = Family(
    "workload format",
    [FORMATS],
    example="swf",
    is_rule=lambda thing: hasattr(thing, "suffixes") and hasattr(thing, "recognizes"),
    must="be a Format",
    groups=["echelon.formats"],
)

MODEL: Family[Model] = Family(
    "model",
    [MODELS],
    example="lublin",
    is_rule=lambda thing: hasattr(thing, "draw") and hasattr(thing, "scaled"),
    must="be a Model",
    groups=["echelon.workload_models"],
)
