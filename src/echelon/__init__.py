"""Echelon: a workbench for job scheduling.

Read a workload, run it on a machine under named policies, measure the schedule exactly, see it::

    import echelon as ec

    workload = ec.read_workload("kth-sp2")
    result = ec.simulate(workload, processors=100, policy="easy")
    result.metrics["mean_wait"]
"""

from typing import TYPE_CHECKING

from echelon.lazy import lazily

if TYPE_CHECKING:
    from echelon.errors import EchelonError as EchelonError
    from echelon.errors import InputError as InputError
    from echelon.errors import PolicyError as PolicyError
    from echelon.experiments import Comparison as Comparison
    from echelon.experiments import Result as Result
    from echelon.experiments import compare as compare
    from echelon.experiments import simulate as simulate
    from echelon.experiments.study.results_reading import read_study_results as read_study_results
    from echelon.experiments.study.running import run_study as run_study
    from echelon.experiments.study.study_file import read_study as read_study
    from echelon.metrics import METRICS as METRICS
    from echelon.metrics import Measured as Measured
    from echelon.metrics import Metric as Metric
    from echelon.metrics import measure as measure
    from echelon.metrics import metric as metric
    from echelon.metrics import per_class as per_class
    from echelon.metrics import per_site as per_site
    from echelon.metrics import per_user as per_user
    from echelon.model import Instance as Instance
    from echelon.model import Job as Job
    from echelon.model import Platform as Platform
    from echelon.model import Power as Power
    from echelon.model import Schedule as Schedule
    from echelon.model import Site as Site
    from echelon.model import Workload as Workload
    from echelon.platforms import read_platform as read_platform
    from echelon.platforms import write_platform as write_platform
    from echelon.policies import Order as Order
    from echelon.policies import Placement as Placement
    from echelon.policies import Policy as Policy
    from echelon.policies import Preempt as Preempt
    from echelon.policies import Reserve as Reserve
    from echelon.policies import Start as Start
    from echelon.policies import SystemView as SystemView
    from echelon.policies import Wake as Wake
    from echelon.policies import Withdraw as Withdraw
    from echelon.policies import broker as broker
    from echelon.policies import order as order
    from echelon.policies import placement as placement
    from echelon.portal import MetaScheduler as MetaScheduler
    from echelon.reports import show_report as show_report
    from echelon.workloads import fit_model as fit_model
    from echelon.workloads import generate as generate
    from echelon.workloads import read_swf as read_swf
    from echelon.workloads import read_workload as read_workload
    from echelon.workloads import write_swf as write_swf
    from echelon.workloads import write_workload as write_workload

__version__ = "0.1.0"

_ROOMS = {
    "analysis": (),
    "errors": ("EchelonError", "InputError", "PolicyError"),
    "experiments": ("Comparison", "Result", "compare", "simulate"),
    "experiments.study.results_reading": ("read_study_results",),
    "experiments.study.running": ("run_study",),
    "experiments.study.study_file": ("read_study",),
    "metrics": ("METRICS", "Measured", "Metric", "measure", "metric", "per_class", "per_site", "per_user"),
    "model": ("Instance", "Job", "Platform", "Power", "Schedule", "Site", "Workload"),
    "platforms": ("read_platform", "write_platform"),
    "policies": (
        "Order",
        "Placement",
        "Policy",
        "Preempt",
        "Reserve",
        "Start",
        "SystemView",
        "Wake",
        "Withdraw",
        "broker",
        "order",
        "placement",
    ),
    "plotting": (),
    "portal": ("MetaScheduler",),
    "reproduce": (),
    "reports": ("show_report",),
    "workloads": ("fit_model", "generate", "read_swf", "read_workload", "write_swf", "write_workload"),
}
__all__ = sorted([*(name for names in _ROOMS.values() for name in names), "__version__"])

lazily(__name__, _ROOMS)
