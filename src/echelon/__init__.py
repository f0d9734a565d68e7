"""Echelon: a workbench for job scheduling.

Read a workload, run it on a machine under named policies, measure the schedule exactly, see it::

    import echelon as ec

    workload = ec.read_workload("kth-sp2")
    result = ec.simulate(workload, processors=100, policy="easy")
    result.metrics["mean_wait"]
"""

from echelon.lazy import lazily

__version__ = "0.1.0"

lazily(
    __name__,
    {
        "analysis": "",
        "availability": "",
        "client": "Client",
        "errors": "EchelonError InputError PolicyError",
        "experiments": "Comparison Result change_jobs compare simulate",
        "experiments.summaries.explanation.explain": "explain",
        "experiments.study.results.stored_results": "read_study_results",
        "experiments.study.run.study_run": "run_study",
        "experiments.study.file.study_file": "read_study",
        "metrics": "METRICS Measured Metric measure metric per_class per_site per_user",
        "model": "Attempts Instance Job Platform Power Schedule Site Workload",
        "platforms": "read_platform write_platform",
        "plotting": "",
        "policies": (
            "Order Placement Policy Preempt Reserve Start SystemView Wake Withdraw broker order placement"
        ),
        "portal": "MetaScheduler",
        "reports": "read_style report_folders show_report study_table write_study_figures",
        "reproduce": "",
        "workloads": "fit_model generate read_swf read_workload write_swf write_workload",
    },
)
