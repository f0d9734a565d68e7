// One Gantt chart of one run among those shown above each other.

class Pane {
  constructor(run, view, section) {
    this.run = run;
    this.view = view;
    this.section = section;
    this.gantt = new Gantt(run, { ...view.full });
  }

  /** Put the chart on the page; `labels` says whether its time axis has them. */
  open(host, { height, several, labels }) {
    this.isOpen = true;
    this.element = node("div", { className: "pane" });
    host.append(this.element);
    const title = `${this.run.nodes ? capital(`${this.run.stack.part}s`) : "Processors"}${several ? ` under ${this.run.name}` : ""}${this.run.gantt ? "" : " (no Gantt, see below)"}${this.run.origin == null ? "" : ` · times in ${zone.name}`}`;
    this.under = node("output", { ariaHidden: "true" });
    this.element.append(node("div", { className: "strip-title" }, node("h3", { textContent: title }), this.under));
    const { section, view } = this;
    this.chart = timeChart(this.element, { view, origin: this.run.origin, height, top: view.p1, labels, stack: this.run.sites && this.run.stack, hover: (event, chart) => section.hover(event, chart, this),
      paint: (context, area) => this.paint(context, area) });
    followPointer(this.chart.over, view, (event) => section.hover(event, this.chart, this));
    this.chart.over.addEventListener("pointerdown", () => section.select(null, -1));
  }

  close() {
    this.isOpen = false;
    this.chart.destroy();
    this.element.remove();
  }

  /** Draw the chart, and note on the page what was drawn and how long it took. */
  paint(context, area) {
    if (this.section.tops.queue === undefined) return; // the first drawing is the view's
    if (context.isVector) return void this.gantt.paint(context, area, this.view, Infinity);
    const before = performance.now();
    this.left = this.gantt.paint(context, area, this.view, 9 / this.section.panes.length);
    const facts = { each: this.gantt.each, missing: this.left.missing, milliseconds: (performance.now() - before).toFixed(2) };
    Object.assign(this.element.dataset, facts);
    if (this.section.panes[0] === this) Object.assign(byId("gantt").dataset, facts);
    if (this.left.missing || this.left.behind) this.more();
  }

  /** Draw this chart alone once more in the next frame, with more of its tiles. */
  more() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      if (this.isOpen && !this.view.pending) this.chart.redraw(false, false);
      else if (this.isOpen) this.more();
    });
  }

  /** Write beside the title which processor of which site, or core of which node, is under a pointer event; nothing without one. */
  read(event) {
    const { stack } = this.run;
    if (!stack) return;
    this.under.textContent = event ? stack.describe(this.chart.posToVal(event.clientY - this.chart.over.getBoundingClientRect().top, "y")) : "";
  }

  /** The job under a pointer event, or -1. */
  jobAt(event) {
    const box = this.chart.over.getBoundingClientRect(), { view } = this;
    return this.gantt.rectangles.jobAt(this.chart.posToVal(event.clientX - box.left, "x"), this.chart.posToVal(event.clientY - box.top, "y"),
      { seconds: (view.t1 - view.t0) / box.width, processors: (view.p1 - view.p0) / box.height, reach: event.pointerType === "touch" ? 8 : 3 });
  }

  /** What was closed under a pointer event: the number of a band, or -1. */
  closedAt(event) {
    const box = this.chart.over.getBoundingClientRect();
    return this.run.closed.at(this.chart.posToVal(event.clientX - box.left, "x"), this.chart.posToVal(event.clientY - box.top, "y"), this.run.stack);
  }

  /** Where on the page the first rectangle of a job is. */
  placeOf(job) {
    const box = this.chart.over.getBoundingClientRect(), { view, run } = this, [low, high] = this.gantt.rectangles.ofJob(job)[0]?.intervals[0] ?? [0, 0];
    const share = (value, from, to) => Math.max(0, Math.min(1, (value - from) / (to - from)));
    return { x: box.left + scrollX + share(run.start[job] + run.run[job] / 2, view.t0, view.t1) * box.width,
      y: box.top + scrollY + (1 - share((low + high + 1) / 2, view.p0, view.p1)) * box.height };
  }
}
