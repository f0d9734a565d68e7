# Public names of `echelon.reports`: made by docs/generator from the table in its __init__.py.

from echelon.reports.report import report_page as report_page
from echelon.reports.report import write_report as write_report
from echelon.reports.result_report import ReportPage as ReportPage
from echelon.reports.result_report import show_report as show_report
from echelon.reports.side_by_side.report import report_folders as report_folders
from echelon.reports.study.paper.figures import write_study_figures as write_study_figures
from echelon.reports.study.paper.means_table import MeansTable as MeansTable
from echelon.reports.study.paper.means_table import study_table as study_table
from echelon.reports.study.paper.style_file import read_style as read_style
from echelon.reports.tables import RunTables as RunTables
