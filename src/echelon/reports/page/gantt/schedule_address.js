// What of the schedule over time the address holds: the span of time, rows, colors, charts, the job chosen.

const NOTED_AFTER = 350; // milliseconds of rest after which the address has the view

class ScheduleAddress {
  constructor(schedule) {
    Object.assign(this, { schedule, timer: null });
    const { runs, view: { full } } = schedule, places = (set) => [...set].map((run) => run.place).sort((a, b) => a - b);
    this.chosen = { charts: () => places(schedule.shown), strips: () => places(schedule.inStrips) };
    const within = (low, high) => (text) => { const found = readRange(text); return found && found[0] < high && found[1] > low && Number.isFinite(found[0] + found[1]) ? found : undefined; };
    const range = (value) => value === null ? "" : writeRange(value), apply = () => this.apply();
    address.choice("time", { initial: null, read: within(full.t0, full.t1), write: range, apply });
    address.choice("rows", { initial: null, read: within(full.p0, full.p1), write: range, apply });
    for (const name of ["charts", "strips"]) address.choice(name, { initial: this.chosen[name](), read: readPlaces(runs.length), write: String, apply });
    address.choice("light", { initial: null, read: (text) => /^\d{1,2}$/.test(text) ? +text : undefined, write: (place) => place === null ? "" : String(place), apply });
    address.choice("job", { initial: null, read: (text) => text || undefined, write: (name) => name ?? "", apply });
    address.choice("run", { initial: 0, read: oneOf(runs.map((run) => run.place)), apply });
    if (!byId("of-grids").hidden && runs[0].sites) remember(byId("equal"), "equal");
    remember(byId("color"), "color");
    remember(byId("queue-log"), "queue-log");
    this.apply();
  }

  /** Show what the address says. */
  apply() {
    const { schedule } = this, { runs, view } = schedule, before = String(this.chosen.charts());
    this.silent = true;
    for (const [name, set] of [["charts", schedule.shown], ["strips", schedule.inStrips]]) {
      set.clear();
      for (const place of address.get(name)) set.add(runs[place]);
    }
    for (const box of byId("overlay").querySelectorAll("input")) box.checked = schedule.inStrips.has(runs[box.value]);
    if (String(this.chosen.charts()) !== before) schedule.showPanes([...schedule.shown]);
    const light = address.get("light");
    if (light !== schedule.legend.chosen) schedule.light(light !== null && schedule.classes.used.has(light) ? light : null);
    const [t0, t1] = address.get("time") ?? [view.full.t0, view.full.t1], [p0, p1] = address.get("rows") ?? [view.full.p0, view.full.p1];
    view.set({ t0, t1, p0, p1 });
    this.silent = false;
    this.showJob();
  }

  /** Show the job that the address names, once its chart is drawn. */
  showJob() {
    const { schedule } = this, run = schedule.runs[address.get("run")], name = address.get("job"), pane = schedule.panes.find((each) => each.run === run) ?? schedule.panes[0];
    const job = name === null ? -1 : jobNamed(pane.run, name);
    if (job >= 0) requestAnimationFrame(() => schedule.select(pane, job, pane.placeOf(job)));
    else schedule.select(null, -1);
  }

  /** Note the charts, the strips and the entry of the legend that are chosen. */
  note() {
    if (this.silent) return;
    for (const name of ["charts", "strips"]) address.set(name, this.chosen[name]());
    address.set("light", this.schedule.legend.chosen);
  }

  /** Note the view when it rests; it makes no step back by itself. */
  noteView() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const { t0, t1, p0, p1, full } = this.schedule.view;
      const round = (value, span) => +value.toFixed(Math.max(0, 3 - Math.floor(Math.log10(span))));
      const describe = (low, high, lowest, highest) => low <= lowest && high >= highest ? null : [round(low, high - low), round(high, high - low)];
      address.set("time", describe(t0, t1, full.t0, full.t1), { replace: true });
      address.set("rows", describe(p0, p1, full.p0, full.p1), { replace: true });
    }, NOTED_AFTER);
  }

  noteJob(run, job) {
    address.set("run", run.place);
    address.set("job", String(run.jobName(job)));
  }
}
