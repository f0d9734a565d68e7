// The last and the next hours of all clusters: the chart, what it says of a job, and the keys that move it.

const TALL = 420, LOW = 260, EACH = 26; // pixels of the chart: at most, at least, and for a processor

class Outlook {
  /** `open` is called with the id of a job to be shown; `submitted` gives when a job was, if that is known. */
  constructor(service, { open, submitted }) {
    Object.assign(this, { service, open, submitted, selected: -1, run: null, chart: null, kept: new Map(), card: new Card(byId("card")) });
    this.host = byId("gantt");
    this.addControls();
    onTheme(() => this.recolor());
    new ResizeObserver(() => this.resize()).observe(this.host);
  }

  get hours() { return Number(byId("hours").value); }

  addControls() {
    byId("hours").onchange = () => { this.fits = true; this.load(); };
    byId("equal").onchange = () => this.equalize();
    byId("zoom-in").onclick = () => this.view?.zoomTime(.5);
    byId("zoom-out").onclick = () => this.view?.zoomTime(2);
    byId("zoom-all").onclick = () => this.view?.all();
  }

  /** Ask for the bars, and draw them. */
  async load() {
    const { hours } = this, answer = await this.service.ask(`outlook?hours=${hours}`);
    if (hours !== this.hours) return;
    this.service.setClock(answer.now);
    this.origin ??= Math.floor(answer.now);
    this.shift = zoneShift(answer.now);
    const before = this.bar(this.selected)?.key;
    this.run = runOf(answer, this);
    for (const key of [...this.kept.keys()]) if (!this.run.bars.some((bar) => bar.key === key)) this.kept.delete(key);
    this.empty(answer.clusters);
    if (!this.run.processors) return;
    this.look(answer.now - this.origin);
    this.gantt = new LiveGantt(this.run, { ...this.view.full }, () => this.service.now() - this.origin);
    this.gantt.selected = this.selected = this.run.bars.findIndex((bar) => bar.key === before);
    this.layOut();
    this.host.ariaLabel = describe(answer);
    this.host.dataset.bars = this.run.jobs;
  }

  bar(job) { return this.run?.bars[job]; }

  empty(clusters) {
    const none = clusters.length > 0 && !this.run.jobs, period = { 0.25: "15 minutes", 1: "hour", 6: "6 hours", 24: "day", 168: "week" }[this.hours];
    byId("gantt-empty").hidden = !none;
    write(byId("gantt-empty"), `Nothing ran in the last ${period}, and nothing is forecast for the next.`);
  }

  /** Let the view hold the hours around now; it stays where a reader has moved it. */
  look(now) {
    const full = { t0: now - HOUR * this.hours, t1: now + HOUR * this.hours, p0: 0, p1: this.run.processors }, { view } = this;
    if (!view) this.view = new View(full, () => this.draw());
    else {
      const follows = this.fits || (view.t0 === view.full.t0 && view.t1 === view.full.t1), all = view.p1 - view.p0 === view.full.p1;
      view.full = full;
      view.set(follows ? full : all ? { p0: 0, p1: full.p1 } : {});
    }
    this.fits = false;
  }

  /** Make the chart where there is none for these clusters. */
  layOut() {
    const { sites, stack } = this.run, shape = JSON.stringify(sites);
    if (shape !== this.shape) {
      this.shape = shape;
      this.height = Math.round(Math.max(LOW, Math.min(TALL, EACH * this.run.processors, innerHeight * .6)));
      byId("equal-label").hidden = sites.name.length < 2;
      byId("equal").checked = sites.name.length > 1 && stack.isClearerEqual(this.height);
      this.chart?.destroy();
      this.chart = null;
    }
    stack.equalize(byId("equal").checked);
    this.gantt.stack();
    if (!this.chart) this.makeChart();
    this.axis.of = stack;
    this.recolor();
  }

  makeChart() {
    // The stack is another one with each answer; the axis asks for the present one.
    this.axis = { of: this.run.stack };
    const axis = { ticks: (...given) => this.axis.of.ticks(...given), processorAt: (tick) => this.axis.of.processorAt(tick) };
    this.chart = timeChart(this.host, { view: this.view, origin: this.run.origin, height: this.height, top: this.view.p1, labels: true, stack: axis,
      hover: (event) => this.hover(event), paint: (context, area) => this.paint(context, area) });
    followPointer(this.chart.over, this.view, (event) => this.tap(event));
    if (!this.hasKeys) followKeys(this.host, this.view, { "]": () => this.step(1), "[": () => this.step(-1), Enter: () => this.openSelected(), Escape: () => this.select(-1) });
    this.hasKeys = true;
  }

  equalize() {
    this.run.stack.equalize(byId("equal").checked);
    this.gantt.stack();
    this.recolor();
    this.chart.redraw(false, true);
  }

  recolor() {
    if (!this.gantt) return;
    this.gantt.use(paintOfBars(this.run.bars));
    this.view.again();
  }

  resize() {
    if (this.chart && this.host.clientWidth && this.host.clientWidth !== this.chart.width) this.chart.setSize({ width: this.host.clientWidth, height: this.height });
  }

  draw() {
    if (!this.chart) return;
    this.host.classList.toggle("tall", this.view.p1 - this.view.p0 < this.view.full.p1);
    show(this.chart, this.view, this.view.p0, this.view.p1);
    this.chart.redraw(false, false);
  }

  paint(context, area) {
    const { missing, behind } = this.gantt.paint(context, area, this.view, 9);
    Object.assign(this.host.dataset, { each: this.gantt.each, missing, now: this.service.now().toFixed(1) });
    if (missing || behind) this.view.again();
  }

  // What answers to a pointer and to keys

  jobAt(event) {
    const { chart, view } = this, box = chart.over.getBoundingClientRect();
    return this.gantt.rectangles.jobAt(chart.posToVal(event.clientX - box.left, "x"), chart.posToVal(event.clientY - box.top, "y"),
      { seconds: (view.t1 - view.t0) / box.width, processors: (view.p1 - view.p0) / box.height, reach: event.pointerType === "touch" ? 8 : 3 });
  }

  hover(event) {
    const { chart } = this;
    write(byId("under"), event ? this.run.stack.describe(chart.posToVal(event.clientY - chart.over.getBoundingClientRect().top, "y")) : "");
    if (!event || event.buttons > 0) return this.select(-1);
    this.select(this.jobAt(event), { x: event.pageX, y: event.pageY });
  }

  tap(event) {
    this.select(this.jobAt(event), { x: event.pageX, y: event.pageY });
    if (event.pointerType === "mouse" || this.tapped === this.selected) this.openSelected();
    this.tapped = this.selected;
  }

  openSelected() {
    const bar = this.bar(this.selected);
    if (!bar?.job) return;
    this.card.hide();
    this.open(bar.job);
  }

  select(job, place) {
    const before = this.selected;
    this.selected = job;
    if (job < 0) this.card.hide();
    else this.card.fill(...describeBar(this.bar(job), this.service.now()), place);
    if (!this.gantt || before === job) return;
    this.gantt.selected = job;
    this.view.again();
  }

  /** Go to the next or previous job in the order of starts. */
  step(by) {
    if (!this.run?.jobs) return;
    const { start } = this.run, order = Array.from(start.keys()).sort((a, b) => start[a] - start[b] || a - b);
    const here = this.selected < 0 ? order.findIndex((job) => start[job] >= this.view.t0) : order.indexOf(this.selected) + by;
    const job = order[Math.max(0, Math.min(order.length - 1, here))], bar = this.bar(job), half = (this.view.t1 - this.view.t0) / 2;
    if (start[job] < this.view.t0 || start[job] > this.view.t1) this.view.set({ t0: start[job] - half, t1: start[job] + half });
    const box = this.chart.over.getBoundingClientRect(), share = (start[job] + this.run.run[job] / 2 - this.view.t0) / (2 * half);
    this.select(job, { x: box.left + scrollX + Math.max(0, Math.min(1, share)) * box.width, y: box.top + scrollY + box.height / 2 });
    write(byId("spoken"), describeBar(bar, this.service.now()).flat(2).join(" "));
  }
}

/** What is known of a bar: a title, and names with values. */
function describeBar(bar, now) {
  const runs = !bar.planned && !isEnded(bar.state), when = bar.planned ? "starts, as forecast" : "started";
  return [bar.job ? `Job ${bar.number}${bar.name ? ` · ${bar.name}` : ""}` : "A job of others", [
    ["cluster", bar.cluster], ["state", bar.job ? stateName(bar.state) : bar.planned ? "waiting" : "running"], ["processors", number.format(bar.processors)],
    [when, timeAt(bar.start, now)], [bar.planned || runs ? "ends, as forecast" : "ended", timeAt(bar.end, now)], ["for", span(bar.end - bar.start)],
  ]];
}

/** The chart as a text, for who cannot see it. */
function describe({ clusters }) {
  const of = ({ name, bars }) => {
    const planned = bars.filter((bar) => bar.planned).length, ended = bars.filter((bar) => isEnded(bar.state)).length;
    return `${name}: ${ended} ended, ${bars.length - planned - ended} running, ${planned} forecast to start.`;
  };
  return `Gantt chart of jobs on processors. ${clusters.map(of).join(" ")}`;
}
