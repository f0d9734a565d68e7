"""The reference page on settings, and the JSON Schema of scenario files: from the declarations."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

from tables import summary, table

if TYPE_CHECKING:
    from echelon.experiments.settings.setting import Setting

_HEAD = ("Setting", "Option", "Takes", "Default", "For", "Meaning")

_INTRODUCTION = """\
# Settings

Everything that a run can be asked for, each under one name: as an option of `echelon run` and `echelon
compare`, as a keyword of `echelon.simulate` and `echelon.compare`, as a key of a [scenario file](scenario.md)
and of a [study](study.md), and as a key of `run.json`.

`compare` and studies run several values of a setting. `echelon compare` parts them by commas, outside
parentheses (`--seed 1,2,3`, `--load 0.8,1,1.2`, `--policies easy,conservative`), values that are lists by
semicolons (`--watch "ibl,li;sdpn"`, `--window "0,604800;604800,1209600"`), those of `--queues` and
`--history` by vertical bars, and takes both flags of a pair (`--two-phase --one-phase`); in Python they are
a list. Every combination is run. Policies vary fastest, then placements, admissibilities, brokers, queue
limits and global queues. Every other setting varies before them, in the order in which you give them, the
last one fastest; changes to the jobs vary before all others. A run is called by the settings that vary:
`estimates=kill seed=2 + easy`. Where the jobs of runs differ, as under other loads, or under `raise` and
`kill`, a sentence says which runs have the same jobs, and the column `job_set` of `metrics.csv` numbers
their sets.

A setting that a run would not use is refused, and the message says why; in a comparison, if no run would use
it. `For` says which machines a setting is for; all others are for every run."""


def page() -> str:
    """Return the page."""
    from echelon.experiments.settings.setting import GROUPS
    from echelon.experiments.settings.table import SETTINGS

    parts = [_INTRODUCTION]
    for group in GROUPS:
        rows = [_row(one) for one in SETTINGS if one.group == group]
        parts.append(f"## {group}\n\n{table(_HEAD, rows)}")
    return "\n\n".join(parts)


def schema() -> str:
    """Return the JSON Schema of scenario files."""
    from echelon.experiments.settings.schema import scenario_schema

    return json.dumps(scenario_schema(), indent=1, ensure_ascii=False)


def _row(setting: Setting) -> tuple[str, ...]:
    flags = [setting.spelled, setting.negative] if setting.negative else [setting.spelled]
    option = " / ".join(f"`{flag}`" for flag in flags) if setting.on_command_line else "the argument"
    unit = f", in {setting.unit}" if setting.unit else ""
    scope = setting.scope.noun if setting.scope else ""
    meaning = setting.help or setting.about
    return (
        f"`{setting.name}`",
        option,
        f"{setting.expected}{unit}",
        _default(setting),
        scope,
        summary(setting.name, meaning),
    )


def _default(setting: Setting) -> str:
    usual = setting.default
    if usual is None or usual == () or (isinstance(usual, float) and math.isinf(usual)):
        return ""
    return f"`{str(usual).lower() if isinstance(usual, bool) else usual}`"
