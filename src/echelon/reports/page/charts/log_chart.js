// Logarithmic axes with round values on them.

const ROUND_TIMES = [1, 10, MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, DAY, 7 * DAY, 30 * DAY, 365 * DAY];
const POWERS_OF_TEN = Array.from({ length: 25 }, (_, place) => Number(`1e${place - 12}`));
const POWERS_OF_TWO = Array.from({ length: 32 }, (_, place) => 2 ** place);

const SHORT_TIMES = new Map([[MINUTE, "1 min"], [HOUR, "1 h"], [DAY, "1 d"]]);
const shortTime = (seconds) => SHORT_TIMES.get(seconds) ?? duration(seconds);
const shortPercent = (share) => `${+(100 * share).toPrecision(2)} %`;

/** The unit in which times up to `high` are round. */
const timeUnit = (high) => [DAY, HOUR, MINUTE].find((unit) => high >= 2 * unit) ?? 1;

/** Multiples of a round step between low and high, in some unit, about four of them. */
function evenTicks(low, high, unit = 1) {
  if (unit !== 1) return evenTicks(low / unit, high / unit).map((tick) => tick * unit);
  const rough = (high - low) / 4, power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((digit) => digit * power >= rough * .999);
  const first = Math.ceil(low / step * .999);
  return Array.from({ length: Math.floor(high / step * 1.001) - first + 1 }, (_, place) => +((first + place) * step).toPrecision(6));
}

/** Those of some round values that lie between low and high and keep their distance; where there are fewer than two, even ones. */
function logTicks(round, low, high, most) {
  const inside = (ticks) => ticks.filter((tick) => tick >= low * .999 && tick <= high * 1.001);
  const ticks = inside(round).length > 1 ? inside(round) : inside(evenTicks(low, high, round === ROUND_TIMES ? timeUnit(high) : 1));
  const kept = [], room = Math.log(high / low) / Math.max(1, most);
  for (const tick of ticks) {
    if (!kept.length || Math.log(tick / kept.at(-1)) >= room) kept.push(tick);
  }
  return kept;
}

/** The width of an axis at the left with such labels, in pixels, at least `least`. */
const widthFor = (labels, least) => Math.max(least, 14 + 7.2 * Math.max(0, ...(labels ?? []).map((label) => label.length)));

/** An axis of uPlot with such values; `room` is the space between two labels, in pixels. */
function logAxis(round, label, { room, size, side }) {
  const length = (chart) => side === "x" ? innerWidthOf(chart) : chart.height - 44;
  return axis({
    size, splits: (chart, _, low, high) => logTicks(round, low, high, length(chart) / room),
    filter: (_, kept) => kept, values: (_, kept) => kept.map(label),
  });
}

/** Ends of a logarithmic axis around values > 0, with some room; it goes up to `top` at least. */
function logRange(values, top = 0) {
  let low = Infinity, high = 0;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return high > 0 ? [low / 1.3, Math.max(high * 1.3, top)] : [1, 10];
}
