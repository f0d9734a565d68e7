// The schedule over time: Gantt charts and strips above each other, and the controls that move, color and search them.

const STRIP_HEIGHT = { busy: 104, power: 104, queue: 146 };
const FEW_JOBS = 200; // up to so many have colors of their own at first
const MOST_CHOICES = 5000;

let theSchedule = null; // of the page; set when its runs are there

/** The section on the schedule over time. */
class ScheduleOverTime {
  constructor(runs) {
    this.runs = runs;
    this.shown = new Set(runs.slice(0, 2));
    this.inStrips = new Set(runs.slice(0, 4));
    this.selected = { pane: null, job: -1 };
    this.view = new View(wholeOf(runs), () => this.draw());
    this.card = new Card(byId("card"));
    this.legend = new Legend(byId("legend"), (place) => this.light(place));
    this.known = new Map(); // a pane is made once, when its run is first shown
    this.panes = [];
    this.tops = {};
    byId("time-section").hidden = false;
    if (runs.some((run) => run.closed || run.tries)) addClosedLegend(runs);
    this.addStrips();
    this.overview = new Overview(byId("overview"), this.view);
    this.filter = new JobFilter(runs);
    this.addControls();
    this.arrange();
    this.address = new ScheduleAddress(this);
    this.filter.follow(() => this.paintAll(this.lit));
    this.drawChips = addFilterChips(byId("filter-chips"), this.filter, () => this.panes[0].run);
    chosenRuns.follow(() => this.arrange());
    followKeys(byId("gantt"), this.view, this.keys());
  }

  // What is on the page

  addStrips() {
    const { view } = this, { origin } = this.runs[0];
    byId("power-strip").hidden = !this.runs.some((run) => run.power);
    const names = Object.keys(STRIP_HEIGHT).filter((name) => name !== "power" || !byId("power-strip").hidden);
    const strip = (name) => timeChart(byId(name), { view, origin, height: STRIP_HEIGHT[name], top: 1, labels: name === "queue", hover: (event, chart) => this.hover(event, chart),
      written: name === "power" ? brief : null, level: name === "queue" ? this.queueAxis() : null, paint: (context, area) => this.paintStrip(context, area, name) });
    this.strips = Object.fromEntries(names.map((name) => [name, strip(name)]));
    for (const chart of Object.values(this.strips)) followPointer(chart.over, view);
  }

  /** Marks of the axis of waiting jobs: of 1, 10, 100 where it is logarithmic. */
  queueAxis() {
    const top = () => this.tops.queue ?? 1, marks = [0, 1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7];
    return {
      splits: (u, _, low, high, step, space) => this.isLog ? marks.filter((mark) => mark <= top()).map((mark) => logShare(top())(mark) * high) : evenMarks(high, u.bbox.height / (devicePixelRatio || 1) / 28),
      values: (u, ticks) => ticks.map((tick) => brief(this.isLog ? Math.round(Math.expm1(tick / u.scales.y.max * Math.log1p(top()))) : tick)),
    };
  }

  /** Whether the strip of waiting jobs is logarithmic: as chosen, else where one run flattens the rest. */
  get isLog() { return byId("queue-log").checked; }

  suitQueue() {
    if (!this.isLogChosen) byId("queue-log").checked = isFlattened(this.stripRuns().map((run) => run.queue.integral.at(-1)));
  }

  addControls() {
    byId("queue-log").onchange = () => { this.isLogChosen = true; this.again(); };
    const has = (name) => this.runs[0].labels[name];
    byId("color").append(...["wait", "user", "size", "job", "queue", "home_site"].filter((rule) => !LABELED[rule] || has(rule)).map((rule) => node("option", { value: rule, textContent: ruleName(rule) })));
    if (this.runs[0].nodes && this.runs[0].jobs <= FEW_JOBS) byId("color").value = "job";
    byId("color").onchange = () => { this.color(address.following ? address.get("light") : null); this.address?.note(); };
    byId("zoom-in").onclick = () => this.view.zoomTime(.5);
    byId("zoom-out").onclick = () => this.view.zoomTime(2);
    byId("zoom-all").onclick = () => this.view.all();
    byId("find").onsubmit = (event) => { event.preventDefault(); this.find(byId("find-job").value.trim()); };
    this.addSites();
    this.addChoice(byId("shown"), this.shown, () => this.arrange());
    this.addChoice(byId("overlay"), this.inStrips, () => { this.suitQueue(); this.again(); });
    onTheme(() => this.recolor());
    new ResizeObserver(() => this.resize()).observe(byId("gantt"));
  }

  /** Let the reader look at one site of a grid or one node, and draw small sites as high as large ones. */
  addSites() {
    const { stack, sites, nodes } = this.runs[0];
    byId("of-grids").hidden = !stack || stack.length > MOST_CHOICES;
    byId("equal-label").hidden = !sites;
    byId("grid-keys").hidden = !sites || !!sites.cores;
    byId("node-keys").hidden = !nodes || !!nodes.clusters;
    byId("slot-keys").hidden = !nodes?.clusters;
    byId("share-keys").hidden = !sites?.cores;
    if (!stack) return;
    if (nodes) byId("busy-title").textContent = `${capital(stack.part)}s held`;
    byId("site-label").textContent = sites ? "Site" : "Node";
    const choices = stack.length > MOST_CHOICES ? [] : stack.name.map((name, site) => node("option", { value: site, textContent: `${name} (${number.format((stack.cores ?? stack.processors)[site])})` }));
    byId("site").append(...(sites ? choices.reverse() : choices));
    byId("site").onchange = () => this.lookAt(byId("site").value);
    byId("equal").onchange = () => this.equalize(byId("equal").checked);
    byId("equal").checked = stack.isClearerEqual(this.paneHeight());
    for (const { stack: each } of this.runs) each?.equalize(byId("equal").checked);
  }

  /** Show the processors of a site, or for "" of all. */
  lookAt(site) {
    const { stack } = this.runs[0], { view } = this;
    view.set(site === "" ? { p0: 0, p1: view.full.p1 } : { p0: stack.bottom[site], p1: stack.top(+site) });
    this.looked = [view.p0, view.p1];
  }

  /** Show one node or site of the stack, and bring the charts into sight. */
  lookAtRow(place) {
    this.lookAt(String(place));
    byId("site").value = place;
    byId("gantt").scrollIntoView({ block: "center" });
  }

  equalize(equal) {
    for (const { stack } of this.runs) stack?.equalize(equal);
    for (const { gantt } of this.known.values()) gantt.stack();
    this.paintAll(this.lit);
    this.lookAt(byId("site").value);
    for (const { chart } of this.panes) chart.redraw(false, true); // where the view stays, uPlot would keep the axis
  }

  /** Let the reader choose a set of runs; it keeps at least one. */
  addChoice(host, chosen, changed) {
    host.hidden = this.runs.length < 2;
    chosenRuns.follow(() => { for (const label of host.querySelectorAll("label")) label.hidden = !chosenRuns.isShown(this.runs[label.querySelector("input").value]); });
    for (const run of this.runs) {
      const box = node("input", { type: "checkbox", value: run.place, checked: chosen.has(run) });
      box.onchange = () => {
        if (!box.checked && visible(chosen).length === 1) return void (box.checked = true);
        chosen[box.checked ? "add" : "delete"](run);
        changed();
        this.address?.note();
      };
      host.append(node("label", { hidden: !chosenRuns.isShown(run) }, box, swatch(run), run.name));
    }
  }

  /** Show the Gantt charts of the runs chosen, in the runs' order. */
  arrange() {
    this.select(null, -1);
    for (const pane of this.panes) pane.close();
    const shown = chosenRuns.shown, chosen = shown.filter((run) => this.shown.has(run));
    this.panes = (chosen.length ? chosen : shown.slice(0, 1)).map((run) => this.paneOf(run));
    for (const pane of this.panes) pane.open(byId("gantt"), { height: this.paneHeight(), several: this.runs.length > 1, labels: pane === this.panes.at(-1) });
    byId("gantt").setAttribute("aria-label", `Gantt chart. ${this.panes.map(({ run }) => describeRun(run, this.runs.length > 1)).join(" ")}`);
    this.overview.show(this.panes[0].run);
    this.drawChips?.();
    this.suitQueue();
    this.color(this.legend.chosen);
  }

  /** Show the Gantt chart of one run only. */
  showOnly(run) {
    this.showPanes([run]);
    byId("time-section").scrollIntoView({ block: "start" });
  }

  showPanes(runs) {
    this.shown.clear();
    for (const run of runs) this.shown.add(run);
    for (const box of byId("shown").querySelectorAll("input")) box.checked = this.shown.has(this.runs[box.value]);
    this.arrange();
    this.address?.note();
  }

  paneOf(run) {
    if (!this.known.has(run)) this.known.set(run, new Pane(run, this.view, this));
    return this.known.get(run);
  }

  paneHeight() {
    const one = Math.max(260, Math.min(460, innerHeight * .55)), count = Math.max(1, visible(this.shown).length);
    return Math.round(count === 1 ? one : Math.max(180, one * (count === 2 ? .66 : .5)));
  }

  resize() {
    const width = byId("gantt").clientWidth;
    if (!width || width === this.strips.busy.width) return;
    for (const pane of this.panes) pane.chart.setSize({ width, height: this.paneHeight() });
    for (const [name, chart] of Object.entries(this.strips)) chart.setSize({ width, height: STRIP_HEIGHT[name] });
    this.view.set({});
  }

  // Colors

  color(lit = null) {
    this.classes = jobClasses(this.runs, byId("color").value);
    this.legend.mark(lit !== null && this.classes.used.has(lit) ? lit : null);
    this.lit = this.legend.chosen === null ? null : this.litBy(lit);
    this.recolor();
  }

  recolor() {
    this.legend.show(this.classes, classColors(this.classes));
    this.paintAll(this.lit);
  }

  /** Highlight the jobs of a class and dim all others; none for null. */
  light(place) {
    this.legend.mark(place);
    this.paintAll(place === null ? null : this.litBy(place));
    this.address?.note();
  }

  litBy(place) { return { legend: true, test: (run, job) => this.classes.codes(run)[job] === place }; }

  /** Highlight the jobs of the selected job's user. */
  lightUser() {
    const { pane, job } = this.selected, user = pane?.run.labels.user;
    if (!user) return;
    const wanted = String(user.of(job));
    this.legend.mark(null);
    this.lit = null;
    this.filter.set({ user: [wanted] });
    this.say(`Jobs of user ${wanted} highlighted; Escape ends it.`);
  }

  /** Paint the jobs highlighted by the legend, among those that the filter leaves. */
  paintAll(lit) {
    this.lit = lit;
    for (const { gantt, run } of this.panes) gantt.use(paintOf(run, this.classes, this.litOf(run)));
    this.view.set({});
  }

  litOf(run) {
    if (!this.filter.active.length) return this.lit;
    const { lit } = this, passes = this.filter.test(run);
    return { legend: !!lit, test: (each, job) => passes(job) && (!lit || lit.test(each, job)) };
  }

  // Drawing

  draw() {
    const { view, panes, strips } = this, runs = this.stripRuns();
    this.overview.place();
    this.address?.noteView();
    byId("gantt").classList.toggle("tall", view.p1 - view.p0 < view.full.p1);
    if (this.looked && (view.p0 !== this.looked[0] || view.p1 !== this.looked[1])) byId("site").value = ""; // moved on
    this.tops = { busy: Math.max(...this.runs.map((run) => run.capacity)), queue: 1.05 * Math.max(1, ...runs.map((run) => peak(run.queue, view))), power: 1.05 * Math.max(1e-9, ...runs.map((run) => run.power ? mostDrawn(run, view) : 0)) };
    for (const { chart } of panes) show(chart, view, view.p0, view.p1);
    for (const name in strips) show(strips[name], view, 0, this.tops[name]);
    Object.assign(byId("gantt").dataset, { from: view.t0, to: view.t1, low: view.p0, high: view.p1 });
  }

  /** Draw the strips again, with other axes. */
  again() {
    this.view.set({});
    this.strips.queue.redraw(false, true);
  }

  /** The runs of the strips; the first one with a Gantt chart last, so that it is on top. */
  stripRuns() {
    const main = this.panes[0].run;
    return [...this.runs.filter((run) => run !== main && this.inStrips.has(run) && chosenRuns.isShown(run)), main];
  }

  paintStrip(context, area, name) {
    const main = this.panes[0].run, top = this.tops[name];
    if (top === undefined) return; // the first drawing is the view's
    for (const run of this.stripRuns()) if (run[name]) drawSteps(context, area, this.view, { steps: run[name], color: runColor(run.place), top, main: run === main, ...(name === "queue" && this.isLog ? { share: logShare(top) } : {}) });
    if (name === "busy" && main.available) drawSteps(context, area, this.view, { steps: main.available, color: theme.ink, top, main: false });
    if (name !== "power" || !main.power) return;
    drawSteps(context, area, this.view, { steps: main.idle, color: theme.soft, top, main: false });
    if (main.cap) drawCap(context, area, 1 - main.cap / top);
  }

  /** What the charts show, as rows: each interval of processors of each piece of a job within the view. */
  rows() {
    const { view } = this, head = ["run", "job", "start (s)", "end (s)", "first processor", "processors"];
    return [head, ...this.panes.flatMap(({ run, gantt: { rectangles } }) => {
      const found = rectangles.within(view, Infinity), rows = [];
      for (let k = 0; k < found.length; k += 2) rows.push([run.name, run.jobName(rectangles.jobOf[found[k]]), rectangles.start[found[k]], rectangles.end[found[k]], rectangles.lowest[found[k + 1]], rectangles.count[found[k + 1]]]);
      return rows.sort((a, b) => a[2] - b[2]);
    })];
  }

  // What answers to a pointer

  hover(event, chart, pane) {
    for (const each of this.panes) each.read(each === pane ? event : null);
    if (!event) return this.read(null), this.select(null, -1);
    this.read(chart.posToVal(event.clientX - chart.over.getBoundingClientRect().left, "x"));
    if (!pane || event.buttons > 0) return this.select(null, -1);
    const job = pane.jobAt(event), band = job < 0 && pane.run.closed ? pane.closedAt(event) : -1;
    this.select(pane, job, { x: event.pageX, y: event.pageY });
    if (band >= 0) this.card.showClosed(pane, band, { x: event.pageX, y: event.pageY });
  }

  /** Write the strips' values at a moment beside their titles. */
  read(time) {
    const runs = this.stripRuns().reverse(), named = (run, text) => runs.length > 1 ? `${run.name} ${text}` : text;
    const text = (of) => time === null ? "" : `${moment(Math.floor(time), runs[0].origin)}: ${runs.map((run) => named(run, of(run))).join(" · ")}`;
    const busy = (run) => {
      const now = valueAt(run.busy, time);
      const there = run.available && time >= run.available.time[0] ? `, ${number.format(valueAt(run.available, time))} available` : "";
      return `${number.format(now)} of ${number.format(run.capacity)} (${Math.round(100 * now / run.capacity)} %)${there}`;
    };
    byId("busy-value").textContent = text(busy);
    const drawn = (run) => run.power ? `${quantity(valueAt(run.power, time), "W")} (${quantity(valueAt(run.idle, time), "W")} idle)` : "–";
    byId("power-value").textContent = byId("power-strip").hidden ? "" : text(drawn);
    byId("queue-value").textContent = text((run) => number.format(valueAt(run.queue, time)));
  }

  /** Outline a job in every chart and show its card at a place on the page; none for -1. */
  select(pane, job, place) {
    const before = this.selected;
    this.selected = { pane, job };
    if (job < 0) this.card.hide();
    else this.card.show(pane, job, this.elsewhere(pane.run, job), place);
    if (before.pane === pane && before.job === job) return;
    for (const each of this.panes) {
      each.gantt.selected = job < 0 ? -1 : sameJob(pane.run, job, each.run);
      each.chart?.redraw(false);
    }
  }

  /** The other runs shown that have the job too, with its place in them. */
  elsewhere(run, job) {
    return this.panes.filter((pane) => pane.run !== run).map((pane) => [pane.run, sameJob(run, job, pane.run)]).filter(([, same]) => same >= 0);
  }

  // What answers to keys

  keys() {
    return { n: () => this.step(1), "]": () => this.step(1), p: () => this.step(-1), "[": () => this.step(-1), h: () => this.lightUser(),
      f: () => byId("find-job").focus(), "/": () => byId("find-job").focus(), Escape: () => { this.select(null, -1); if (this.lit) this.light(null); if (this.filter.active.length) this.filter.clear(); } };
  }

  /** Go to the next or previous job in order of start. */
  step(by) {
    const pane = this.selected.pane ?? this.panes[0], { run } = pane, { view } = this;
    run.byStart ??= Int32Array.from({ length: run.jobs }, (_, job) => job).sort((a, b) => run.start[a] - run.start[b] || a - b);
    const here = this.selected.job >= 0 ? run.byStart.indexOf(this.selected.job) + by : run.byStart.findIndex((job) => run.start[job] >= view.t0);
    this.go(pane, run.byStart[Math.max(0, Math.min(run.jobs - 1, here))]);
  }

  /** Go to the job of a number, near enough to see it. */
  find(name) {
    const pane = this.panes[0], job = jobNamed(pane.run, name), { view } = this;
    byId("find-answer").textContent = job < 0 && name ? `no job ${name}` : "";
    if (job >= 0) this.approach(pane, job);
  }

  /** Zoom to a job so that it is seen, and go there. */
  approach(pane, job) {
    const { view } = this, span = Math.min(view.t1 - view.t0, Math.max(8 * pane.run.run[job], 600)), middle = pane.run.start[job] + pane.run.run[job] / 2;
    view.set({ t0: middle - span / 2, t1: middle + span / 2 });
    this.go(pane, job);
    this.address?.noteJob(pane.run, job);
  }

  /** Show a job of a run in its chart, wherever the page is scrolled. */
  goTo(run, job) {
    if (!this.panes.some((pane) => pane.run === run)) this.showPanes([...visible(this.shown), run].slice(-2));
    byId("gantt").scrollIntoView({ block: "center" });
    this.approach(this.panes.find((pane) => pane.run === run), job);
  }

  /** Bring a job into view, select it, and say what it is. */
  go(pane, job) {
    const { view } = this, { run } = pane, middle = run.start[job] + run.run[job] / 2, half = (view.t1 - view.t0) / 2;
    if (middle < view.t0 || middle > view.t1) view.set({ t0: middle - half, t1: middle + half });
    const [low, high] = pane.gantt.rectangles.ofJob(job)[0]?.intervals[0] ?? [0, 0], tall = (view.p1 - view.p0) / 2, center = (low + high + 1) / 2;
    if (center < view.p0 || center > view.p1) view.set({ p0: center - tall, p1: center + tall });
    this.select(pane, job, pane.placeOf(job));
    this.read(run.start[job]);
    this.say(this.card.text);
  }

  say(text) { byId("spoken").textContent = text; }
}

/** Round numbers from 0 on, at most so many. */
function evenMarks(high, most) {
  const step = WHOLE_STEPS.find((each) => high / each <= Math.max(1, most)) ?? high;
  return Array.from({ length: Math.floor(high / step) + 1 }, (_, mark) => mark * step);
}

/** The most that a run draws within the view, or its cap where that is near. */
function mostDrawn(run, view) {
  const most = peak(run.power, view);
  return run.cap && run.cap < 1.5 * most ? Math.max(run.cap, most) : most;
}

/** A dashed line across a strip at a share of its height from the top. */
function drawCap(context, { left, top, width, height, ratio }, share) {
  if (share < 0) return;
  context.strokeStyle = theme.ink;
  context.lineWidth = ratio;
  context.setLineDash([6 * ratio, 4 * ratio]);
  context.beginPath();
  context.moveTo(left, top + share * height);
  context.lineTo(left + width, top + share * height);
  context.stroke();
  context.setLineDash([]);
}

/** Place of a run's job in another run, or -1; the runs of a comparison mostly have the same jobs in the same places. */
function sameJob(run, job, other) {
  const name = String(run.jobName(job));
  return job < other.jobs && String(other.jobName(job)) === name ? job : jobNamed(other, name);
}

/** Place of the job of a name, or -1. */
function jobNamed(run, name) {
  run.places ??= new Map(Array.from({ length: run.jobs }, (_, job) => [String(run.jobName(job)), job]));
  return run.places.get(name) ?? -1;
}

/** A run's Gantt chart as a text, for who cannot see it. */
function describeRun(run, several) {
  let area = 0, first = Infinity, last = -Infinity;
  for (let job = 0; job < run.jobs; job++) {
    area += run.held[job] * run.size[job];
    first = Math.min(first, run.submit[job]);
    last = Math.max(last, run.start[job] + run.run[job]);
  }
  if (run.sites?.cores || run.sites?.parts) area = run.busy.integral.at(-1);
  const busy = last > first ? `, ${(100 * area / run.capacity / (last - first)).toFixed(1)} % of the processors busy` : "";
  const parts = run.stack ? ` of ${number.format(run.stack.length)} ${run.stack.one}s` : "";
  return `${several ? `${run.name}: ` : ""}${number.format(run.jobs)} jobs on ${number.format(run.capacity)} ${run.nodes ? `${run.stack.part}s` : "processors"}${parts} from ${moment(first, run.origin)} to ${moment(last, run.origin)}${busy}.`;
}

/** The time and processors of all runs together, so that they are compared on the same axes. */
function wholeOf(runs) {
  let t0 = Infinity, t1 = -Infinity;
  for (const run of runs)
    for (let job = 0; job < run.jobs; job++) {
      t0 = Math.min(t0, run.submit[job]);
      t1 = Math.max(t1, run.start[job] + run.run[job]);
    }
  return { t0, t1: t1 > t0 ? t1 : t0 + 1, p0: 0, p1: Math.max(...runs.map((run) => run.processors)) };
}
