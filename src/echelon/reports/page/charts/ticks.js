// Round moments along a time axis, at every zoom from milliseconds to decades, and their labels.

const TIME_STEPS = [.001, .002, .005, .01, .02, .05, .1, .2, .5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800,
  HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY, 14 * DAY];
const DAY_STEPS = [20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000].map((days) => days * DAY); // where the calendar is unknown
const MONTH_STEPS = [1, 2, 3, 6, 12, 24, 60, 120, 600];
const MONTH = 30.44 * DAY;
const MONDAY = 4 * DAY; // Unix time 0 was a Thursday

/** Round moments from low to high, at most about `most` of them; days, weeks, months begin where the calendar says. */
function timeTicks(low, high, most, origin) {
  const fits = (step) => (high - low) / step <= (step < 1 ? .7 * most : most); // with fractions, labels are longer
  const step = TIME_STEPS.find(fits);
  if (step) return everyStep(low, high, step, origin);
  if (origin != null) return everyMonths(low, high, MONTH_STEPS.find((months) => fits(months * MONTH)) ?? 1200, origin);
  return everyStep(low, high, DAY_STEPS.find(fits) ?? (high - low) / most, null);
}

function everyStep(low, high, step, origin) {
  const ahead = origin ? shiftAt(origin + low) : 0, shift = (origin + ahead - (origin && step % (7 * DAY) === 0 ? MONDAY : 0)) % step, ticks = [];
  for (let k = Math.ceil((low + shift) / step); ; k++) {
    const even = k * step - shift, later = origin ? shiftAt(origin + even) - ahead : 0; // clocks that were put on or back
    const tick = Math.abs(later) < step ? even - later : even;
    if (!(tick <= high)) return ticks;
    if (tick >= low) ticks.push(tick);
  }
}

function everyMonths(low, high, months, origin) {
  const first = new Date(onClock(low, origin) * 1000), ticks = [];
  for (let month = Math.floor((first.getUTCFullYear() * 12 + first.getUTCMonth()) / months) * months; ; month += months) {
    const local = Date.UTC(Math.floor(month / 12), month % 12) / 1000, tick = local - shiftAt(local) - origin;
    if (tick > high) return ticks;
    if (tick >= low) ticks.push(tick);
  }
}

/** Labels of such moments: the time of day, and below it the day where it begins or changes; months as such. */
function timeLabels(ticks, origin) {
  const step = ticks.length < 2 ? DAY : ticks[1] - ticks[0];
  if (origin != null && step > 27 * DAY) return ticks.map((tick) => day(tick, origin).slice(0, step > 360 * DAY ? 4 : 7));
  const daily = step > 20 * HOUR && ticks.every((tick) => Math.round(onClock(tick, origin)) % DAY === 0);
  let before = null;
  return ticks.map((tick) => {
    const today = day(tick, origin), time = step < 1 ? fraction(onClock(tick, origin), step) : clock(Math.round(onClock(tick, origin)));
    const label = daily ? today : today === before ? time : `${time}\n${today}`;
    before = today;
    return label;
  });
}

/** The time of day with as many digits of a second as the step has. */
function fraction(seconds, step) {
  const digits = Math.ceil(-Math.log10(step)), rounded = Math.round(seconds * 10 ** digits) / 10 ** digits, whole = Math.floor(rounded);
  return `${two(Math.floor(whole % HOUR / MINUTE))}:${two(whole % MINUTE)}${(rounded - whole).toFixed(digits).slice(1)}`;
}
