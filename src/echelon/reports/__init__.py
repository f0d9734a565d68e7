"""Reports: what a run or a comparison looks like, as one page that needs nothing else."""

from echelon.reports.report import report_page, write_report
from echelon.reports.tables import RunTables

__all__ = ["RunTables", "report_page", "write_report"]
