"""Reports: what a run or a comparison looks like, as one page that needs nothing else."""

from echelon.reports.report import report_page, write_report
from echelon.reports.result_report import ReportPage, show_report
from echelon.reports.tables import RunTables

__all__ = ["ReportPage", "RunTables", "report_page", "show_report", "write_report"]
