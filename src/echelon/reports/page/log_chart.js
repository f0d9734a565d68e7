// Logarithmic axes with round values on them.

const ROUND_TIMES = [1, 10, MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, DAY, 7 * DAY, 30 * DAY, 365 * DAY];
const POWERS_OF_TEN = Array.from({ length: 25 }, (_, place) => Number(`1e${place - 12}`));
const POWERS_OF_TWO = Array.from({ length: 32 }, (_, place) => 2 ** place);

const SHORT_TIMES = new Map([[MINUTE, "1 min"], [HOUR, "1 h"], [DAY, "1 d"]]);
const shortTime = (seconds) => SHORT_TIMES.get(seconds) ?? duration(seconds);
const shortPercent = (share) => `${+(100 * share).toPrecision(2)} %`;

/** Those of some round values that lie between low and high and keep their distance. */
function logTicks(round, low, high, most) {
  const kept = [], room = Math.log(high / low) / Math.max(1, most);
  for (const tick of round) {
    if (tick < low * .999 || tick > high * 1.001) continue;
    if (!kept.length || Math.log(tick / kept.at(-1)) >= room) kept.push(tick);
  }
  return kept;
}

/** An axis of uPlot with such values; `room` is the space between two labels, in pixels. */
function logAxis(round, label, { room, size, side }) {
  const length = (chart) => side === "x" ? innerWidthOf(chart) : chart.height - 44;
  return axis({
    size, splits: (chart, _, low, high) => logTicks(round, low, high, length(chart) / room),
    filter: (_, kept) => kept, values: (_, kept) => kept.map(label),
  });
}

/** Ends of a logarithmic axis around values > 0, with some room. */
function logRange(values) {
  let low = Infinity, high = 0;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return high > 0 ? [low / 1.3, high * 1.3] : [1, 10];
}
