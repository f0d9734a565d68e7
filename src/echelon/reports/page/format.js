// Numbers as people read them. All times are seconds since the log's second 0.

const MINUTE = 60, HOUR = 3600, DAY = 86400;
const number = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });
const compact = new Intl.NumberFormat("en-US", { notation: "compact" });
const brief = (value) => value < 10_000 ? number.format(value) : compact.format(value);

/** An amount of a unit that takes prefixes, with four digits: "1.234 MJ". */
function quantity(value, unit) {
  const power = value > 0 ? Math.max(0, Math.min(6, Math.floor(Math.log10(value) / 3 + 1e-9))) : 0;
  return `${+(value / 1000 ** power).toPrecision(4)} ${["", "k", "M", "G", "T", "P", "E"][power]}${unit}`;
}

/** A length of time in the largest unit of which it holds two: "2.5 h". */
function duration(seconds) {
  const unit = [[DAY, "d"], [HOUR, "h"], [MINUTE, "min"]].find(([length]) => Math.abs(seconds) >= 2 * length) ?? [1, "s"];
  return `${+(seconds / unit[0]).toPrecision(4)} ${unit[1]}`;
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

/** The page's clock: how far it is ahead of UTC, in seconds, from which Unix times on; the data say it. */
let zone = { name: "UTC", start: [0], ahead: [0] };
function ahead(unix) {
  let place = zone.start.length - 1;
  while (place > 0 && zone.start[place] > unix) place--;
  return zone.ahead[place];
}

/** What the page's clock shows at a moment of the log, in seconds since its 1970; the moment itself without a date. */
const wall = (seconds, origin) => origin == null ? seconds : origin + seconds + ahead(origin + seconds);

/** The moment of the log at which the page's clock shows so much. */
const unwall = (shown, origin) => origin == null ? shown : shown - ahead(shown - ahead(shown)) - origin;

/** The day: a date where the log says when it began, else its number counted from 0. */
function day(seconds, origin) {
  if (origin == null) return `day ${Math.floor(seconds / DAY)}`;
  return new Date(wall(seconds, origin) * 1000).toISOString().slice(0, 10);
}

/** A moment: its day and time of day. */
function moment(seconds, origin) {
  return `${day(seconds, origin)} ${clock(wall(seconds, origin))}`;
}
