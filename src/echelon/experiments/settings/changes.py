"""Settings of studies alone: what is done to the jobs before they are simulated, in this order."""

from __future__ import annotations

from functools import partial

from echelon.experiments.settings.groups import JOBS
from echelon.experiments.settings.setting import Setting

_change = partial(
    Setting, group=JOBS, is_problem=True, in_python=False, in_files=False, on_command_line=False, varies=False
)

CHANGES = (
    _change(
        name="window",
        types=(list, float),
        least=2,
        expected="a list of two times in seconds, the first before the second",
        about="keep the jobs submitted at or after the first and before the second, default all",
        examples=([0, 604800],),
    ),
    _change(
        name="skip",
        types=(int,),
        least=0,
        expected="a whole number >= 0",
        about="jobs to skip at the beginning, default 0",
    ),
    _change(
        name="first",
        types=(int,),
        least=1,
        expected="a whole number >= 1",
        about="how many jobs to keep after those skipped, default all",
    ),
    _change(
        name="scale_size",
        types=(int,),
        least=1,
        expected="a whole number >= 1",
        about="machine size, in processors, to which the jobs' sizes are scaled, default no scaling",
    ),
    _change(
        name="load",
        types=(float,),
        above=0,
        expected="a number > 0",
        about="factor on the offered load: interarrival times are divided by it, default 1",
        examples=(0.8, 1.2),
    ),
    _change(
        name="shake_by",
        types=(int,),
        least=1,
        unit="s",
        expected="a whole number >= 1",
        about="largest random shift of each submit time, in seconds, either way, default none",
    ),
    _change(
        name="estimates_model",
        types=(str,),
        least=1,
        expected="a model of users' estimates, as given to generate --estimates-model",
        about="model that draws the requested times, default those of the log",
        check="experiments.study.run.workload_spec:check_estimates_model",
        families=("workloads.transform.estimate_models:MODELS",),
        is_rule=True,
        examples=("factor:f=3", "popular"),
    ),
    _change(
        name="workload_seed",
        types=(int,),
        least=0,
        expected="a whole number >= 0",
        about="seed of the workload's random draws, default the seed of the run",
    ),
)
