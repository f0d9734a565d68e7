"""The page of a study: facts, tables, charts. Charts are SVG, so that they stand without a script."""

from echelon.reports.study.page import study_page, write_study_report

__all__ = ["study_page", "write_study_report"]
