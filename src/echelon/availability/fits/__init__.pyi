# Public names of `echelon.availability.fits`: made by docs/generator from the table in its __init__.py.

from echelon.availability.fits.law_fit import FITTED as FITTED
from echelon.availability.fits.law_fit import LawFit as LawFit
from echelon.availability.fits.law_fit import TimeSample as TimeSample
from echelon.availability.fits.law_fit import fit_laws as fit_laws
from echelon.availability.fits.maximum_likelihood import likeliest_exponential as likeliest_exponential
from echelon.availability.fits.maximum_likelihood import likeliest_gamma as likeliest_gamma
from echelon.availability.fits.maximum_likelihood import likeliest_lognormal as likeliest_lognormal
from echelon.availability.fits.maximum_likelihood import likeliest_weibull as likeliest_weibull
from echelon.availability.fits.summary import FailureSummary as FailureSummary
from echelon.availability.fits.summary import SystemSummary as SystemSummary
from echelon.availability.fits.summary import down_times as down_times
from echelon.availability.fits.summary import failure_summary as failure_summary
from echelon.availability.fits.summary import machine_gaps as machine_gaps
from echelon.availability.fits.summary import node_gaps as node_gaps
from echelon.availability.fits.summary import up_times as up_times
