"""Reports: what a run or a comparison looks like, as one page that needs nothing else."""

from typing import TYPE_CHECKING

from echelon.lazy import lazily

if TYPE_CHECKING:
    from echelon.reports.report import report_page, write_report
    from echelon.reports.result_report import ReportPage, show_report
    from echelon.reports.tables import RunTables

__all__ = ["ReportPage", "RunTables", "report_page", "show_report", "write_report"]

lazily(
    __name__,
    {
        "report": ("report_page", "write_report"),
        "result_report": ("ReportPage", "show_report"),
        "tables": ("RunTables",),
    },
)
