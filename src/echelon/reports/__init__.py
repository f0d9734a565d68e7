"""Reports: what a run or a comparison looks like, as one page that needs nothing else."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "report": "report_page write_report",
        "result_report": "ReportPage show_report",
        "side_by_side.report": "report_folders",
        "study.paper.figures": "write_study_figures",
        "study.paper.means_table": "MeansTable study_table",
        "study.paper.style_file": "read_style",
        "tables": "RunTables",
    },
)
