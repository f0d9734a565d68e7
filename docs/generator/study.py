"""The reference page on study files, and their JSON Schema."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import docstrings
from tables import codes, summary, table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic.fields import FieldInfo

_HEAD = ("Key", "Expected", "Meaning")

_INTRODUCTION = """\
# Study file

Many simulations in one TOML file: `echelon study run STUDY.toml`. See [Run a
runs](../how-to/studies.md); `echelon study init` writes an example, and `echelon study check` says what a
file comes to before anything is run. Everything that can be known without running is checked first, and
all mistakes are reported at once, each with its line.

Editors offer keys and names, and mark mistakes, by the [JSON Schema](study.schema.json), which `echelon
study schema` prints. A file names it by a comment on its first line: `#:schema study.schema.json`, a path
or an address."""

_AXES = """\
## `[axes]`

What varies: each key is an axis, and every combination is a *point*, which is run with every seed (see
`[search]` for less). An axis is

* a list of values, each as `[fixed]` takes it: `load = [0.8, 1.0, 1.2]`;
* a list in which names have parameters: `{ name = "easy", reservations = [1, 2, 4] }` means the three
  values `easy:reservations=1` to `easy:reservations=4`; of several lists all combinations;
* a list of tables that set several keys together: `{ workload = "kth-sp2", processors = 100 }`. On an axis
  named after a key the table must set that key; otherwise the axis may have any name. A table may also set
  parameters of templates, see below;
* a range: `{ low = 0.5, high = 1.5, step = 0.25 }` is a list; without `step`, and perhaps with `log =
  true`, it is for searches that draw from it. Between whole numbers only whole numbers are drawn; others
  have six significant digits;
* a parameter: an axis of any name that some text holds in braces. With `k = [1, 2, 4]` the policy
  `"easy:reservations={k}"` is three policies. A text that is one such gap alone becomes the value itself.
  Values that do not use a parameter do not multiply by it.

Any value may have a `label`, which tables show; the label of a name with parameters may use them in
braces. No two values of an axis may be the same, nor have one label.

`seeds` (or `seed`) is the axis of replications: `30` means the seeds 0 to 29, a list means itself, `{ low
= 100, high = 129 }` means those and all between. The seed is that of the run's random choices *and* of its
workload, if that is drawn from a model or its estimates are: so under one seed all policies schedule the
same jobs (common random numbers), and comparisons can be paired. `workload_seed` in `[fixed]` keeps the
workload the same in all replications. A combination that no chance enters, such as a log under a policy that
draws nothing, would be the same run under every seed: it is run with the first alone, has no interval and
enters no test as replicated. What decides is the run's own record of the random streams that it drew.

Two other keys say what a replication is, instead of `seeds`; only one of the three may be there.

* `shake = 30` takes 30 copies of the log as replications, in each of which every submit time is moved at
  random by up to 30 s, either way; `{ copies = 30, seconds = 60 }` says by how much. The copies have the
  seeds 0 to 29, which are also those of the runs, and the setting `shake_by`. Jobs of a model are not shaken:
  seeds draw others.
* `blocks = "30d"` takes blocks of one run as replications: of the jobs that are submitted from the first
  submission on in stretches of 30 days (`s`, `min`, `h`, `d`, `w`, or a number of seconds). A shorter rest at
  the end is left out; a `warm_up` is left out before the first block. Each combination is run once. Measures
  are those of the jobs of a block, wherever they ended, and `utilization`, which is of the time of the block
  by whatever job; measures of whole runs, such as `makespan`, are refused, and so are blocks of which not
  even two fit into a log. Every block counts alike, and is paired with the same block under other policies.

Runs come in this order: by seed, then by the axes that say what is scheduled, then by the others, each in
the order of the file. A study that was stopped has whole comparisons, and a workload is read once for all
its policies."""

_LISTS = """\
## `[[case]]` and `[[exclude]]`

Each `[[case]]` is a table of settings, as `[fixed]` has them, and perhaps a `label`: a point beside those of
the axes, run with every seed. If there is nothing on the axes but seeds, these are all.

Each `[[exclude]]` is a table of keys or axes with a value or a list of values: a point that agrees with
all of its keys is not run. A text may hold `*` and `?` and is compared with the label and with the value.
In a product a rule that excludes nothing is a mistake."""

_SEARCH = """\
## `[search]`

`product` takes all combinations; `list` only `[[case]]`. `random` draws each axis by itself; samples that
come twice or are excluded are replaced by others, while there are any. `latin-hypercube` cuts each axis in
as many equal parts as there are samples and uses each part once; excluded samples are not replaced. Every
axis has a random stream of its own, so that an axis more does not change the values of the others.

`successive-halving` begins with all combinations, or `samples` of them, and lets one in `eta` go on after
each round, by the mean of `measure`: with `eta` times as many seeds in each round, all of them in the
last, or, with `resource = "jobs"`, as many times more jobs, `first` in the last. What a point ran in one
round counts in the next. Ties go to the point that comes first; a point with a failed run comes last.
Contests are held for each combination of the axes in `within`, which are not compared with each other."""


def page() -> str:
    """Return the page."""
    from echelon.experiments.settings.changes import CHANGES
    from echelon.experiments.study.file.axis import Choices, Range, Value
    from echelon.experiments.study.file.file_model import (
        ExecutionTable,
        SearchTable,
        StatisticsTable,
        StudyFile,
    )
    from echelon.experiments.study.file.settings import NOT_IN_STUDIES
    from echelon.experiments.study.plan.point import Point
    from echelon.experiments.study.plan.search import AllCases
    from echelon.experiments.study.plan.study import Execution, Statistics, Study
    from echelon.experiments.study.plan.successive_halving import SuccessiveHalving
    from echelon.experiments.study.run.case import Case
    from echelon.experiments.study.run.outcome import Outcome

    parts = [
        _INTRODUCTION,
        "## The file\n\nAll keys may be left out. Paths are relative to the file.",
        _table(StudyFile.model_fields),
        "## `[fixed]`\n\nWhat all runs share: the keys of a [scenario file](scenario.md) but for "
        f"{codes(NOT_IN_STUDIES)}, and what is done to the jobs before they are simulated, in this order:",
        table(_HEAD, [(f"`{one.name}`", one.expected, summary(one.name, one.about)) for one in CHANGES]),
        _AXES,
        _LISTS,
        _SEARCH,
        _table(SearchTable.model_fields),
        "## `[statistics]`",
        _table(StatisticsTable.model_fields),
        "## `[execution]`",
        _table(ExecutionTable.model_fields),
        "## Python\n\n`echelon.read_study(path)` gives a `Study`.",
    ]
    things = (Study, Statistics, Execution, Choices, Range, Value, Point, Case, Outcome, AllCases)
    parts += [f"### {thing.__name__}\n\n{docstrings.whole(thing)}" for thing in (*things, SuccessiveHalving)]
    return "\n\n".join(parts)


def schema() -> str:
    """Return the JSON Schema of study files."""
    from echelon.experiments.study.file.schema import study_schema

    return json.dumps(study_schema(), indent=1, ensure_ascii=False)


def _table(fields: Mapping[str, FieldInfo]) -> str:
    rows = []
    for key, field in fields.items():
        expected, _, meaning = summary(key, field.description or "").partition("; ")
        rows.append((f"`{key}`", expected, summary(f"meaning of {key}", meaning)))
    return table(_HEAD, rows)
