// Numbers as people read them. All times are seconds since the log's second 0.

const MINUTE = 60, HOUR = 3600, DAY = 86400;
const number = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });
const compact = new Intl.NumberFormat("en-US", { notation: "compact" });
const brief = (value) => value < 10_000 ? number.format(value) : compact.format(value);

/**
 * A number by the rule of quantities.py: four significant digits, thousands parted, whole numbers without
 * decimals, below a millionth a power of ten.
 */
function figure(value, digits = 4) {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size < 1e-6) return value.toExponential(Math.min(digits, 2) - 1).replace(/e-(\d)$/, "e-0$1");
  const rounded = Number(size.toPrecision(digits));
  const places = Number.isInteger(value) ? 0 : Math.max(0, digits - 1 - Math.floor(Math.log10(rounded)));
  return value.toLocaleString("en-US", { minimumFractionDigits: places, maximumFractionDigits: places });
}

/** An amount of a unit that takes prefixes, with four digits: "1.234 MJ". */
function quantity(value, unit) {
  const power = value > 0 ? Math.max(0, Math.min(6, Math.floor(Math.log10(value) / 3 + 1e-9))) : 0;
  return `${figure(value / 1000 ** power)} ${["", "k", "M", "G", "T", "P", "E"][power]}${unit}`;
}

/** A length of time in the largest unit of which it holds two: "2.5 h". */
function duration(seconds) {
  const unit = [[DAY, "d"], [HOUR, "h"], [MINUTE, "min"]].find(([length]) => Math.abs(seconds) >= 2 * length) ?? [1, "s"];
  return `${figure(seconds / unit[0])} ${unit[1]}`;
}

/** A text with its first letter large. */
const capital = (text) => text[0].toUpperCase() + text.slice(1);

const two = (value) => String(value).padStart(2, "0");

/** The time of day, with seconds only where they say something. */
function clock(seconds) {
  const ofDay = ((Math.floor(seconds) % DAY) + DAY) % DAY;
  const text = `${two(Math.floor(ofDay / HOUR))}:${two(Math.floor((ofDay % HOUR) / MINUTE))}`;
  return ofDay % MINUTE ? `${text}:${two(ofDay % MINUTE)}` : text;
}

// The clock of the page: by how many seconds it is ahead of UTC from each moment on, a Unix time; UTC by default.
let zone = { name: "UTC", from: [], shift: [] };

/** Have all times of the page on one clock. */
function useZone(name) {
  if (name) zone = name;
}

/** Seconds by which the clock is ahead of UTC at a Unix time. */
function shiftAt(unix) {
  let at = zone.from.length - 1;
  while (at > 0 && zone.from[at] > unix) at--;
  return zone.shift[at] ?? 0;
}

/** A moment as the clock shows it, in seconds since the clock's 1970, or since second 0 of a log that does not say when that was. */
const onClock = (seconds, origin) => origin == null ? seconds : seconds + origin + shiftAt(seconds + origin);

/** Second of the day, and the day of the week, 0 for Monday, by the clock. */
const secondOfDay = (seconds, origin) => ((Math.floor(onClock(seconds, origin)) % DAY) + DAY) % DAY;
const weekdayOf = (seconds, origin) => origin == null ? -1 : ((Math.floor(onClock(seconds, origin) / DAY) + 3) % 7 + 7) % 7;

/** The day: a date where the log says when it began, else its number counted from 0. */
function day(seconds, origin) {
  if (origin == null) return `day ${Math.floor(seconds / DAY)}`;
  return new Date(onClock(seconds, origin) * 1000).toISOString().slice(0, 10);
}

/** A moment: its day and time of day. */
function moment(seconds, origin) {
  return `${day(seconds, origin)} ${clock(onClock(seconds, origin))}`;
}
