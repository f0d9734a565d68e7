// Which jobs the reader looks at: conditions on what is known of them, each shown as a chip that ends it.

const RANGES = { // fields of numbers: what they are called, how a value is written, the value of a job
  size: { label: "processors", write: (value) => number.format(value), of: (run) => (job) => run.size[job] },
  wait: { label: "wait", write: duration, of: (run) => (job) => run.wait[job] },
  run: { label: "run time", write: duration, of: (run) => (job) => run.ran?.[job] ?? run.held[job] },
  moved: { label: "start moved", write: (value) => `${value < 0 ? "−" : "+"}${duration(Math.abs(value))}`, of: () => (job) => startsMoved?.[job] },
  beyond: { label: "wait beyond the log's", write: (value) => `${value < 0 ? "−" : "+"}${duration(Math.abs(value))}`, of: (run) => (job) => run.beyond?.[job] },
  requested: { label: "requested", write: duration, of: (run) => (job) => run.requested?.[job] },
  slowdown: { label: "bounded slowdown", write: (value) => number.format(value), of: (run) => (job) => boundedSlowdown(run, job) },
  submitted: { label: "submitted", write: null, of: (run) => (job) => run.submit[job] },
  hour: { label: "hour of submission", write: (value) => String(value), of: (run) => (job) => Math.floor(secondOfDay(run.submit[job], run.origin) / HOUR) },
  weekday: { label: "weekday of submission", write: (value) => WEEKDAYS[value] ?? "?", of: (run) => (job) => weekdayOf(run.submit[job], run.origin) },
};
let startsMoved = null; // seconds by which each job starts later under the second policy of the panel that compares two
const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const NOT_FILTERED = ["dependencies", "nodes"]; // labels that nearly every job has for itself
const MOST_NAMES = 200; // of a condition in an address

/** Bounded slowdown of a job: of at least 1, with run times of at least 10 s. */
function boundedSlowdown(run, job) {
  const end = run.start[job] + run.run[job];
  return Math.max(1, (end - run.submit[job]) / Math.max(run.ran?.[job] ?? run.held[job], 10));
}

class JobFilter {
  constructor(runs) {
    Object.assign(this, { runs, listeners: [] });
    this.labels = [...new Set(runs.flatMap((run) => Object.keys(run.labels)))].filter((name) => !NOT_FILTERED.includes(name) && runs.some((run) => isTold(run.labels[name])));
    this.fields = [...this.labels, ...Object.keys(RANGES), "during"];
    const apply = () => this.changed();
    for (const name of this.fields) {
      const [read, write] = this.labels.includes(name) ? [readNames, writeNames] : [readRange, (range) => range ? writeRange(range) : ""];
      address.choice(`only-${name}`, { initial: null, read, write: (value) => value === null ? "" : write(value), apply });
    }
  }

  get(name) { return address.get(`only-${name}`); }
  get active() { return this.fields.filter((name) => this.get(name) !== null); }

  /** Set conditions: of each name names, a range from low to high, or null for none. */
  set(conditions, { replace = false } = {}) {
    for (const [name, condition] of Object.entries(conditions)) if (this.fields.includes(name)) address.set(`only-${name}`, condition, { replace });
    this.changed();
  }

  /** Set conditions, or end them if they are these already. */
  toggle(conditions) {
    const isThis = this.has(conditions);
    this.set(isThis ? Object.fromEntries(Object.keys(conditions).map((name) => [name, null])) : conditions);
  }

  has(conditions) {
    return Object.entries(conditions).every(([name, condition]) => this.fields.includes(name) && String(this.get(name)) === String(condition));
  }

  clear() { this.set(Object.fromEntries(this.active.map((name) => [name, null]))); }

  follow(listener) { this.listeners.push(listener); }

  changed() { for (const listener of this.listeners) listener(); }

  /** A function that says of a job of a run whether all conditions hold. */
  test(run) {
    const tests = this.active.map((name) => this.testOf(name, run));
    return tests.length === 1 ? tests[0] : (job) => tests.every((test) => test(job));
  }

  testOf(name, run) {
    const condition = this.get(name);
    if (this.labels.includes(name)) return labelTest(run.labels[name], new Set(condition));
    const [low, high] = condition;
    if (name === "during") return (job) => run.start[job] < high && run.start[job] + run.run[job] > low;
    const of = RANGES[name].of(run);
    return (job) => { const value = of(job); return value >= low && value <= high; };
  }

  /** A condition as a text. */
  describe(name) {
    const condition = this.get(name);
    if (this.labels.includes(name)) return `${ruleName(name)} ${condition.slice(0, 3).map((each) => named(each)).join(", ")}${condition.length > 3 ? ` and ${condition.length - 3} more` : ""}`;
    const { origin } = this.runs[0], write = RANGES[name]?.write ?? ((value) => moment(Math.floor(value), origin)), [low, high] = condition, label = RANGES[name]?.label ?? "ran";
    if (low === high) return `${label} ${write(low)}`;
    if (low === -Infinity) return `${label} ≤ ${write(high)}`;
    return high === Infinity ? `${label} ≥ ${write(low)}` : `${label} ${write(low)} to ${write(high)}`;
  }
}

/** Whether a label says anything of some job. */
const isTold = (label) => !!label && (label.codes.some((code) => code !== label.codes[0]) || named(label.of(0)) !== "unknown");

/** Whether a job's label is one of some names; asked once for each name. */
function labelTest(label, names) {
  const known = new Map();
  return (job) => {
    if (!label) return false;
    const code = label.codes[job];
    if (!known.has(code)) known.set(code, names.has(String(label.of(job))));
    return known.get(code);
  };
}

const readNames = (text) => text ? text.split(",").slice(0, MOST_NAMES).map(decodeURIComponent) : undefined;
const writeNames = (names) => names.map(encodeURIComponent).join(",");

/** Chips of the conditions beside each other, and one that ends all; jobs are counted of the run that is `shownFirst()`. */
function addFilterChips(host, filter, shownFirst) {
  const chip = (text, spoken, act, className = "chip") => {
    const button = node("button", { type: "button", className, title: spoken }, text);
    button.setAttribute("aria-label", spoken);
    button.onclick = act;
    return button;
  };
  const draw = () => {
    const { active } = filter;
    host.hidden = !active.length;
    const run = shownFirst();
    host.replaceChildren(node("span", { className: "soft", textContent: `Only ${number.format(matchingJobs(filter, run).length)} of ${number.format(run.jobs)} jobs${filter.runs.length > 1 ? ` under ${run.name}` : ""}` }),
      ...active.map((name) => chip(`${filter.describe(name)} ✕`, `End the filter: ${filter.describe(name)}`, () => filter.set({ [name]: null }))), ...active.length > 1 ? [chip("Clear all", "End all filters", () => filter.clear(), "chip all")] : []);
  };
  filter.follow(draw);
  draw();
  return draw;
}

/** Numbers of the jobs of a run for which a filter's conditions hold, ascending; all without conditions. */
function matchingJobs(filter, run) {
  const found = new Uint32Array(run.jobs), test = filter.active.length ? filter.test(run) : () => true;
  let n = 0;
  for (let job = 0; job < run.jobs; job++) if (test(job)) found[n++] = job;
  return found.subarray(0, n);
}

/** Let a mark of a chart answer to a click and to the keyboard. */
function picked(element, spoken, act) {
  element.classList.add("answers");
  element.tabIndex = 0;
  element.setAttribute("aria-label", `${element.querySelector(".spoken")?.textContent ?? element.textContent.trim().replace(/\s+/g, " ")}. ${spoken}`);
  if (element.tagName === "LI") element.setAttribute("role", "button"), element.parentElement.setAttribute("role", "group");
  element.onclick = act;
  element.onkeydown = (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); act(); } };
  return element;
}

/** Make one tab stop of many marks: arrow keys go from one to the next, up and down by `step`. */
function rovingFocus(host, marks, step = 1) {
  marks.forEach((mark, place) => { mark.tabIndex = place ? -1 : 0; });
  host.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: step, ArrowUp: -step, Home: -Infinity, End: Infinity }[event.key], at = marks.indexOf(event.target);
    if (by === undefined || at < 0) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(marks.length - 1, at + by));
    marks[at].tabIndex = -1;
    marks[next].tabIndex = 0;
    marks[next].focus();
  });
}
