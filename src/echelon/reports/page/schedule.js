// The schedule over time: puts the Gantt chart and the strips on the page and lets them answer.

const BUSY_HEIGHT = 104, QUEUE_HEIGHT = 146;

/** The section on the schedule over time: Gantt chart, strips below it, and what they answer to. */
class ScheduleOverTime {
  constructor(runs) {
    this.runs = runs;
    this.run = runs[0];
    this.overlaid = new Set(runs.length <= 4 ? runs : []);
    this.gantt = new Gantt();
    this.view = new View(wholeOf(runs), () => this.draw());
    byId("time-section").hidden = false;
    this.addCharts();
    this.addControls();
    this.choose(this.run);
  }

  addCharts() {
    const { view } = this, origin = this.run.origin;
    const common = { view, origin };
    this.charts = {
      gantt: timeChart(byId("gantt"), { ...common, height: this.ganttHeight(), top: view.p1, labels: true, hover: (event, chart) => this.hoverGantt(event, chart),
        paint: (context, area) => this.timed(() => this.gantt.paint(context, area, view)) }),
      busy: timeChart(byId("busy"), { ...common, height: BUSY_HEIGHT, top: view.p1, labels: false, hover: (event, chart) => this.readStrips(event, chart),
        paint: (context, area) => this.paintStrip(context, area, "busy", view.full.p1, [this.run]) }),
      queue: timeChart(byId("queue"), { ...common, height: QUEUE_HEIGHT, top: 1, labels: true, hover: (event, chart) => this.readStrips(event, chart),
        paint: (context, area) => this.paintStrip(context, area, "queue", this.queueTop, this.drawnRuns()) }),
    };
    for (const [name, chart] of Object.entries(this.charts)) {
      followPointer(chart.over, view, name === "gantt" ? (event) => this.hoverGantt(event, chart) : null);
      chart.over.addEventListener("pointerdown", () => this.card(-1));
    }
    followKeys(byId("gantt"), view, { n: () => this.step(1), p: () => this.step(-1), Escape: () => this.card(-1) });
  }

  addControls() {
    byId("run").append(...this.runs.map((run) => node("option", { value: run.place, textContent: run.name })));
    byId("run").onchange = () => this.choose(this.runs[byId("run").value]);
    byId("color").onchange = () => this.choose(this.run);
    byId("run-choice").hidden = this.runs.length < 2;
    byId("zoom-in").onclick = () => this.view.zoomTime(.5);
    byId("zoom-out").onclick = () => this.view.zoomTime(2);
    byId("zoom-all").onclick = () => this.view.all();
    this.addOverlay();
    onTheme(() => this.draw());
    new ResizeObserver(() => this.resize()).observe(byId("gantt"));
  }

  addOverlay() {
    byId("overlay").hidden = this.runs.length < 2;
    for (const run of this.runs) {
      const box = node("input", { type: "checkbox", value: run.place, checked: this.overlaid.has(run) });
      box.onchange = () => { this.overlaid[box.checked ? "add" : "delete"](run); this.view.set({}); };
      byId("overlay").append(node("label", {}, box, swatch(run), run.name));
    }
  }

  /** Show a run in the Gantt chart, colored as chosen. */
  choose(run) {
    this.run = run;
    const paint = jobColors(run, byId("color").value);
    this.gantt.use(run, paint);
    this.order = null;
    byId("gantt-title").textContent = `Processors ${this.runs.length > 1 ? `under ${run.name}` : ""}${run.gantt ? "" : " (no Gantt, see below)"}${run.origin == null ? "" : " · dates in UTC"}`;
    for (const box of byId("overlay").querySelectorAll("input")) box.disabled = box.value === String(run.place);
    byId("legend").replaceChildren(...(paint.legend ? [paint.legend[0], node("i", { style: `background:${RAMP_CSS}` }), paint.legend[1]] : []));
    this.card(-1);
    this.view.set({});
  }

  draw() {
    const { view, charts } = this;
    byId("gantt").classList.toggle("tall", view.p1 - view.p0 < view.full.p1);
    this.queueTop = 1.05 * Math.max(1, ...this.drawnRuns().map((run) => peak(run.queue, view)));
    show(charts.gantt, view, view.p0, view.p1);
    show(charts.busy, view, 0, view.full.p1);
    show(charts.queue, view, 0, this.queueTop);
    Object.assign(byId("gantt").dataset, { from: view.t0, to: view.t1, low: view.p0, high: view.p1 });
  }

  /** The runs of the queue strip; the one of the Gantt chart last, so that it is on top. */
  drawnRuns() {
    return [...this.runs.filter((run) => run !== this.run && this.overlaid.has(run)), this.run];
  }

  paintStrip(context, area, name, top, runs) {
    for (const run of runs) drawSteps(context, area, this.view, { steps: run[name], color: runColor(run.place), top, main: run === this.run });
  }

  /** Draw, and leave on the page how much was drawn and how long it took. */
  timed(paint) {
    const before = performance.now();
    paint();
    Object.assign(byId("gantt").dataset, { rectangles: this.gantt.drawn, milliseconds: (performance.now() - before).toFixed(2) });
  }

  resize() {
    const width = byId("gantt").clientWidth;
    if (!width || width === this.charts.gantt.width) return;
    this.charts.gantt.setSize({ width, height: this.ganttHeight() });
    this.charts.busy.setSize({ width, height: BUSY_HEIGHT });
    this.charts.queue.setSize({ width, height: QUEUE_HEIGHT });
    this.view.set({});
  }

  ganttHeight() {
    return Math.max(260, Math.min(460, innerHeight * .55));
  }

  hoverGantt(event, chart) {
    this.readStrips(event, chart);
    if (!event || event.buttons > 0) return this.card(-1);
    const box = chart.over.getBoundingClientRect(), { view } = this;
    const time = chart.posToVal(event.clientX - box.left, "x"), processor = chart.posToVal(event.clientY - box.top, "y");
    const job = this.gantt.jobAt(time, processor, 2 * (view.t1 - view.t0) / box.width);
    this.card(job, event.pageX, event.pageY);
  }

  readStrips(event, chart) {
    if (!event) return [byId("busy-value"), byId("queue-value")].forEach((output) => { output.textContent = ""; });
    const time = chart.posToVal(event.clientX - chart.over.getBoundingClientRect().left, "x");
    const at = moment(Math.floor(time), this.run.origin);
    const runs = this.drawnRuns().reverse(), named = (run, text) => runs.length > 1 ? `${run.name} ${text}` : text;
    byId("busy-value").textContent = `${at}: ${number.format(valueAt(this.run.busy, time))} of ${number.format(this.run.processors)}`;
    byId("queue-value").textContent = `${at}: ${runs.map((run) => named(run, number.format(valueAt(run.queue, time)))).join(" · ")}`;
  }

  /** Show a job's card at a place on the page, and outline it; none for -1. */
  card(job, x, y) {
    const card = byId("card");
    card.hidden = job < 0;
    if (job >= 0) {
      card.replaceChildren(...this.facts(job));
      const room = document.documentElement.clientWidth - card.offsetWidth - 8;
      card.style.left = `${Math.max(8, Math.min(x + 14, room + scrollX))}px`;
      card.style.top = `${y + 18 + card.offsetHeight > scrollY + innerHeight ? y - card.offsetHeight - 12 : y + 18}px`;
    }
    if (job === this.gantt.selected) return;
    this.gantt.selected = job;
    this.charts.gantt.redraw(false);
  }

  facts(job) {
    const { run } = this, start = run.start[job], submit = run.submit[job], end = start + run.run[job];
    const parts = this.gantt.processorsOf(job)?.map(([low, high]) => low === high ? low : `${low}–${high}`) ?? [];
    const rows = [
      ["submitted", moment(submit, run.origin)], ["waited", duration(start - submit)],
      ["started", moment(start, run.origin)], ["ran", duration(run.run[job])], ["ended", moment(end, run.origin)],
      run.requested?.[job] > 0 ? ["requested", duration(run.requested[job])] : null,
      ["size", `${number.format(run.size[job])} processors`],
      ["numbers", parts.slice(0, 6).join(" ") + (parts.length > 6 ? ` … (${parts.length} intervals)` : "")],
    ];
    const list = node("dl", {}, ...rows.filter(Boolean).flatMap(([name, value]) => [node("dt", { textContent: name }), node("dd", { textContent: value })]));
    return [node("b", { textContent: `Job ${run.jobName(job)}${run.user ? ` · user ${run.user(job)}` : ""}` }), list];
  }

  /** Go to the next or previous job in order of start, and say what it is. */
  step(by) {
    const { run, view, gantt } = this;
    this.order ??= Int32Array.from({ length: run.jobs }, (_, job) => job).sort((a, b) => run.start[a] - run.start[b] || a - b);
    const here = gantt.selected >= 0 ? this.order.indexOf(gantt.selected) + by : this.order.findIndex((job) => run.start[job] >= view.t0);
    const job = this.order[Math.max(0, Math.min(run.jobs - 1, here))];
    const middle = run.start[job] + run.run[job] / 2, half = (view.t1 - view.t0) / 2;
    if (middle < view.t0 || middle > view.t1) view.set({ t0: middle - half, t1: middle + half });
    const box = this.charts.gantt.over.getBoundingClientRect(), [low] = gantt.processorsOf(job)?.[0] ?? [0];
    const x = box.left + (middle - view.t0) / (view.t1 - view.t0) * box.width, y = box.top + (view.p1 - low) / (view.p1 - view.p0) * box.height;
    this.card(job, x + scrollX, y + scrollY);
    byId("spoken").textContent = byId("card").innerText.replaceAll("\n", " ");
  }
}

/** The time and processors of all runs together, so that they are compared on the same axes. */
function wholeOf(runs) {
  let t0 = Infinity, t1 = -Infinity;
  for (const run of runs)
    for (let job = 0; job < run.jobs; job++) {
      t0 = Math.min(t0, run.submit[job]);
      t1 = Math.max(t1, run.start[job] + run.run[job]);
    }
  return { t0, t1, p0: 0, p1: Math.max(...runs.map((run) => run.processors)) };
}
