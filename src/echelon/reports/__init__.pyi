# Public names of `echelon.reports`: made by docs/generator from the table in its __init__.py.

from echelon.reports.report import report_page as report_page
from echelon.reports.report import write_report as write_report
from echelon.reports.result_report import ReportPage as ReportPage
from echelon.reports.result_report import show_report as show_report
from echelon.reports.side_by_side.report import report_folders as report_folders
from echelon.reports.tables import RunTables as RunTables
