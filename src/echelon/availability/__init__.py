"""Availability: how a machine changes in time: failures, maintenance, reservations, checkpoints."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "changes": "Changes NO_CHANGES Requeueing",
        "checkpoints.checkpoint": "Checkpoint",
        "checkpoints.checkpoint_rule": "CheckpointRule",
        "checkpoints.expected_time": "daly_time expected_time",
        "exposure": "Exposure Hits exposure_to_process measured_exposure",
        "fits.law_fit": "LawFit TimeSample fitted_laws",
        "fits.summary": "FailureSummary SystemSummary failure_summary",
        "checkpoints.intervals": "daly_interval optimal_interval young_interval",
        "laws.distributions": "Constant Exponential Gamma Lognormal Weibull",
        "laws.law": "Law",
        "laws.registry": "LAW LAWS law law_named format_law",
        "machine_nodes": "MachineNodes",
        "log_clock": "LogClock",
        "merging": "clipped merged",
        "processes.drawing": "drawn_failures",
        "processes.failure_process": "FAILS_BY FAILURE_STARTS FailureProcess",
        "reservations.reservation_file": "ReservationFile read_reservations",
        "traces.failure_trace": "FailureTrace",
        "traces.placing": "PlacedTrace placed_on",
        "traces.trace_reader": "parsed_trace read_failure_trace",
        "traces.recognition": "is_trace",
    },
    aliases={"law_words": "format_law"},
)
