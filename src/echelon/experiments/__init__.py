"""Experiments: from a workload and policies to results and the files they leave."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "comparison": "Comparison compare",
        "job_changes": "change_jobs",
        "folders.manifest": "manifest",
        "result": "Result",
        "folders.run_folder": "make_folder without_nan write_json write_run",
        "simulation": "ENGINES run_scenario simulate",
    },
)
