"""Availability: how a machine changes in time: failures, maintenance, reservations, checkpoints."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "changes": "Changes NO_CHANGES Requeueing",
        "checkpoints.checkpoint": "Checkpoint",
        "checkpoints.checkpoint_rule": "CheckpointRule",
        "checkpoints.expected_time": "daly_time expected_time",
        "exposure": "Exposure Hits exposure_to_process measure_exposure",
        "fits.law_fit": "LawFit TimeSample fit_laws",
        "fits.summary": "FailureSummary SystemSummary failure_summary",
        "checkpoints.intervals": "daly_interval optimal_interval young_interval",
        "laws.distributions": "Constant Exponential Gamma Lognormal Weibull",
        "laws.law": "Law",
        "laws.registry": "LAW LAWS law law_named format_law",
        "machine_nodes": "MachineNodes",
        "log_clock": "LogClock",
        "merging": "clip_outages merge_outages",
        "processes.drawing": "draw_failures",
        "processes.failure_process": "FAILS_BY FAILURE_STARTS FailureProcess",
        "reservations.reservation_file": "ReservationFile read_reservations",
        "traces.failure_trace": "FailureTrace",
        "traces.placing": "PlacedTrace place_trace",
        "traces.trace_reader": "parse_trace read_failure_trace",
        "traces.recognition": "is_trace",
    },
    aliases={
        "clipped": "clip_outages",
        "drawn_failures": "draw_failures",
        "fitted_laws": "fit_laws",
        "law_words": "format_law",
        "measured_exposure": "measure_exposure",
        "merged": "merge_outages",
        "parsed_trace": "parse_trace",
        "placed_on": "place_trace",
    },
)
