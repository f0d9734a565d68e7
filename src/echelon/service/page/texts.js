// Times in the browser's zone, ages and numbers as people read them; and calls that are kept from coming too often.

const ENDED = ["COMPLETED", "FAILED", "CANCELED", "TIMED_OUT", "INTERRUPTED", "REJECTED"];
const OPEN = ["HELD", "QUEUED", "ASSIGNED", "SUBMITTING", "WAITING", "RUNNING"];
const isEnded = (state) => ENDED.includes(state);

/** The name of a state: "timed out". */
const stateName = (state) => state.toLowerCase().replaceAll("_", " ");

/** Seconds by which clocks here are ahead of UTC at a Unix time. */
const zoneShift = (unix) => -MINUTE * new Date(1000 * unix).getTimezoneOffset();

/** The zone of the browser, as a person writes it: "Europe/Berlin, UTC+2". */
function zoneText(unix) {
  const shift = zoneShift(unix), minutes = Math.abs(shift) / MINUTE % 60, hours = Math.floor(Math.abs(shift) / HOUR);
  const offset = shift ? `UTC${shift < 0 ? "−" : "+"}${hours}${minutes ? `:${two(minutes)}` : ""}` : "UTC";
  const name = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return name && name !== "UTC" ? `${name}, ${offset}` : offset;
}

/** The date at a Unix time, here. */
const dateAt = (unix) => day(unix + zoneShift(unix), 0);

/** The time of day at a Unix time, here, with seconds; before it the date if that is not the day of `now`. */
function timeAt(unix, now) {
  const local = Math.floor(unix) + zoneShift(unix), ofDay = ((local % DAY) + DAY) % DAY;
  const text = `${two(Math.floor(ofDay / HOUR))}:${two(Math.floor(ofDay % HOUR / MINUTE))}:${two(ofDay % MINUTE)}`;
  return now !== undefined && dateAt(unix) === dateAt(now) ? text : `${dateAt(unix)} ${text}`;
}

/** A length of time as a clock of hours runs: "45 s", "4 min 5 s", "3 h 20 min", "2 d 4 h". */
function span(seconds) {
  const whole = Math.round(Math.max(0, seconds)), units = [[DAY, "d"], [HOUR, "h"], [MINUTE, "min"], [1, "s"]];
  const first = units.findIndex(([length]) => whole >= length);
  if (first < 0) return seconds > .05 ? `${seconds.toFixed(1)} s` : "0 s";
  const [length, unit] = units[first], next = units[first + 1], rest = next ? Math.floor(whole % length / next[0]) : 0;
  return `${Math.floor(whole / length)} ${unit}${rest ? ` ${rest} ${next[1]}` : ""}`;
}

/** A count with its noun: "1 job", "2 jobs". */
const counted = (count, noun) => `${number.format(count)} ${noun}${count === 1 ? "" : "s"}`;

/** A span of times around a forecast: "12:00:00 to 12:04:00"; empty where it is not known. */
const between = (earliest, latest, now) => earliest == null || latest == null ? "" : `${timeAt(earliest, now)} to ${timeAt(latest, now)}`;

/** Calls `run` soon, but not again before it is done and `milliseconds` have gone; calls meanwhile are one. */
function calmly(run, milliseconds) {
  let timer = null, last = -Infinity, running = false, again = false;
  const start = async () => {
    timer = null;
    running = true;
    try {
      await run();
    } finally {
      running = false;
      last = performance.now();
      if (again) { again = false; call(); }
    }
  };
  const call = () => {
    if (running) again = true;
    else timer ??= setTimeout(start, Math.max(0, last + milliseconds - performance.now()));
  };
  return call;
}

/** Write a text where another one is. */
function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
