// The table of all jobs of a run: sorted, filtered, and a way to each job in the Gantt chart.

const MOST_OPTIONS = 300; // names of a filter that are offered as a list
const RANGED = ["size", "wait", "run", "slowdown"];
const UNITS = { s: 1, sec: 1, min: MINUTE, m: MINUTE, h: HOUR, d: DAY };

/** A length of time as people write it, "90", "1.5 h", "2d", in seconds; undefined for what is none. */
function readDuration(text) {
  const found = /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(text), unit = found && (found[2] === "" ? 1 : UNITS[found[2].toLowerCase()]);
  return unit ? +found[1] * unit : undefined;
}

const readAmount = (text) => /^\s*\d+(\.\d+)?\s*$/.test(text) ? +text : undefined;

class JobTable {
  constructor(runs, filter) {
    Object.assign(this, { runs, filter, sort: { column: 0, descending: false } });
    byId("jobs").hidden = false;
    this.run = runs[0];
    this.addRun();
    this.addFilters(byId("jobs-controls"));
    this.makeTable();
    filter.follow(() => this.again());
    chosenRuns.follow(() => this.makeTable());
    panelRows.jobs = () => [this.columns.map(({ name, unit }) => unit ? `${name} (${unit})` : name), ...Array.from(this.rows(), (job) => this.columns.map(({ value }) => value(job)))];
  }

  addRun() {
    const select = node("select", { id: "jobs-run" });
    byId("jobs-controls").append(node("label", {}, "Run ", select));
    runSelect(select, this.runs, this.run, (run) => { this.run = run; this.makeTable(); });
  }

  /** Columns of the table; `value` is what is sorted by and saved, in seconds where it is a time. */
  makeColumns() {
    const { run } = this, base = chosenRuns.baseline, time = (name, of, metric) => ({ name, unit: "s", isNumber: true, value: of, text: (job) => of(job) == null || of(job) < 0 ? "–" : duration(of(job)), metric });
    const when = (name, of) => ({ name, unit: "s", isNumber: true, value: of, text: (job) => moment(Math.floor(of(job)), run.origin) });
    const amount = (name, of) => ({ name, isNumber: true, value: of, text: (job) => figure(of(job)) });
    const other = base !== run && base.jobs === run.jobs;
    return [
      { name: "Job", value: run.jobName, text: (job) => String(run.jobName(job)) },
      when("Submitted", (job) => run.submit[job]), time("Wait", (job) => run.wait[job]),
      ...other ? [time(`Wait, ${base.name}`, (job) => base.wait[job])] : [],
      when("Started", (job) => run.start[job]), time("Run time", (job) => run.run[job]),
      ...run.requested?.some((length) => length > 0) ? [time("Requested", (job) => run.requested[job])] : [],
      amount("Processors", (job) => run.size[job]), amount("Bounded slowdown", (job) => boundedSlowdown(run, job)),
      ...this.filter.labels.filter((name) => run.labels[name]).map((name) => ({ name: capital(ruleName(name)), value: (job) => run.labels[name].of(job), text: (job) => String(named(run.labels[name].of(job))) })),
    ];
  }

  makeTable() {
    if (!chosenRuns.isShown(this.run)) this.run = chosenRuns.shown[0];
    byId("jobs-run").value = this.run.place;
    for (const option of byId("jobs-run").options) option.hidden = !chosenRuns.isShown(this.runs[option.value]);
    this.columns = this.makeColumns();
    this.order = new Map();
    const { sort, onSort } = rememberedSort("jobs-sort", this.columns.length, { column: 1, descending: false }, (chosen) => { this.sort = chosen; this.again(); });
    this.sort = sort.column < this.columns.length ? sort : { column: 1, descending: false };
    byId("jobs-table").replaceChildren();
    this.table = new VirtualTable(byId("jobs-table"), { label: `Jobs under ${this.run.name}`, columns: this.columns, choose: (job) => theSchedule.goTo(this.run, job),
      sort: (column) => {
        this.sort = { column, descending: this.sort.column === column ? !this.sort.descending : false };
        onSort(this.sort);
        this.again();
      } });
    this.again();
  }

  /** Jobs in the order of the table; each order is found once. */
  ordered() {
    const { column, descending } = this.sort, { value } = this.columns[column], { jobs } = this.run;
    if (!this.order.has(column)) {
      const keys = Array.from({ length: jobs }, (_, job) => value(job)), order = Uint32Array.from(keys, (_, job) => job);
      const isLess = typeof keys[0] === "string" ? textOrder(keys) : (a, b) => keys[a] - keys[b] || a - b;
      this.order.set(column, order.sort(isLess));
    }
    const found = this.order.get(column);
    return descending ? found.slice().reverse() : found;
  }

  rows() {
    const order = this.ordered();
    if (!this.filter.active.length) return order;
    const test = this.filter.test(this.run);
    return order.filter((job) => test(job));
  }

  again() {
    const rows = this.rows();
    byId("jobs-shown").textContent = rows.length === this.run.jobs ? `${number.format(rows.length)} job${rows.length === 1 ? "" : "s"}` : `${number.format(rows.length)} of ${number.format(this.run.jobs)} jobs`;
    this.table.show(rows, this.sort);
    this.fill?.();
  }

  // Filters

  addFilters(host) {
    const box = node("details", { className: "filters", id: "jobs-filters" }, node("summary", { textContent: "Filter" })), fields = node("div", { className: "filter-fields" });
    box.append(fields);
    host.append(box);
    const fills = [...this.filter.labels.map((name) => this.addNames(fields, name)), ...RANGED.map((name) => this.addRange(fields, name))];
    this.fill = () => { for (const fill of fills) fill(); };
  }

  /** A field for names: a list of few, else text that is compared with the names. */
  addNames(host, name) {
    const label = this.runs[0].labels[name], names = label ? [...new Set(Array.from(new Set(label.codes), (code) => String(label.of(label.codes.indexOf(code)))))] : [];
    names.sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
    const isShort = names.length <= MOST_OPTIONS, input = isShort ? node("select") : node("input", { type: "search", size: 10, autocomplete: "off" });
    if (isShort) input.append(node("option", { value: "*", textContent: "all" }), ...names.map((each) => node("option", { value: `=${each}`, textContent: named(each) })));
    input.id = `filter-${name}`;
    input.onchange = () => {
      const text = isShort ? input.value.slice(1) : input.value.trim(), all = isShort ? input.value === "*" : !text;
      this.filter.set({ [name]: all ? null : [text] });
    };
    host.append(node("label", { hidden: names.length < 2 }, `${capital(ruleName(name))} `, input));
    return () => {
      const condition = this.filter.get(name);
      input.value = condition === null ? isShort ? "*" : "" : isShort ? `=${condition[0]}` : condition.join(",");
    };
  }

  /** Two fields, from and to. */
  addRange(host, name) {
    const isTime = RANGES[name].write === duration, read = isTime ? readDuration : readAmount;
    const make = (bound) => node("input", { size: 7, placeholder: bound, autocomplete: "off", ariaLabel: `${capital(RANGES[name].label)}, ${bound === "from" ? "at least" : "at most"}${isTime ? ", as 90, 10 min, 2 h or 1 d" : ""}` });
    const low = make("from"), high = make("to");
    low.id = `filter-${name}-from`;
    high.id = `filter-${name}-to`;
    const take = () => {
      const ends = [low, high].map((input) => input.value.trim() === "" ? null : read(input.value) ?? NaN);
      [low, high].forEach((input, place) => input.setAttribute("aria-invalid", String(Number.isNaN(ends[place]))));
      if (ends.some(Number.isNaN)) return;
      this.filter.set({ [name]: ends.every((end) => end === null) ? null : [ends[0] ?? -Infinity, ends[1] ?? Infinity] });
    };
    low.onchange = high.onchange = take;
    host.append(node("span", { className: "range", role: "group", ariaLabel: capital(RANGES[name].label) }, `${capital(RANGES[name].label)} `, low, " to ", high));
    return () => {
      const condition = this.filter.get(name), write = (value) => Number.isFinite(value) ? isTime ? shortDuration(value) : String(value) : "";
      [low.value, high.value] = condition ? condition.map(write) : ["", ""];
    };
  }
}

/** A length of time that is read back as the same one. */
function shortDuration(seconds) {
  const unit = [["d", DAY], ["h", HOUR], ["min", MINUTE]].find(([, length]) => seconds >= length && seconds % length === 0) ?? ["s", 1];
  return `${seconds / unit[1]} ${unit[0]}`;
}

/** Order of texts as people count, of places of a list. */
function textOrder(keys) {
  const isLess = new Intl.Collator("en", { numeric: true }).compare, rank = new Map([...new Set(keys)].sort(isLess).map((key, place) => [key, place]));
  return (a, b) => rank.get(keys[a]) - rank.get(keys[b]) || a - b;
}
