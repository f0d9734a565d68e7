// The whole time at a glance, and on it the window that the charts below show: moved and resized by pointer, finger, keys.

const OVERVIEW_HEIGHT = 56;

class Overview {
  constructor(host, view) {
    Object.assign(this, { host, view, run: null });
    this.canvas = node("canvas", { className: "overview-picture" });
    this.canvas.setAttribute("aria-hidden", "true");
    const slider = (className, label) => {
      const made = node("div", { className, tabIndex: 0, role: "slider", ariaLabel: label, ariaOrientation: "horizontal", ariaValueMin: 0, ariaValueMax: 100 });
      return made;
    };
    this.body = slider("brush-body", "Window of time: arrow keys move it");
    this.left = slider("brush-handle left", "Start of the window: arrow keys move it");
    this.right = slider("brush-handle right", "End of the window: arrow keys move it");
    this.brush = node("div", { className: "brush" }, this.body, this.left, this.right);
    this.room = node("div", { className: "overview-room" }, this.canvas, this.brush);
    this.room.style.margin = `0 ${RIGHT}px 0 ${LEFT}px`;
    host.append(this.room);
    this.room.addEventListener("pointerdown", (event) => this.hold(event));
    this.room.addEventListener("dblclick", () => view.all());
    for (const part of ["body", "left", "right"]) this[part].addEventListener("keydown", (event) => this.key(event, part));
    paintedBy(this.canvas, (context) => this.paint(context, 1));
    onTheme(() => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.room);
  }

  /** Show the steps of a run. */
  show(run) {
    this.run = run;
    this.draw();
    this.place();
  }

  draw() {
    const ratio = devicePixelRatio || 1, width = this.room.clientWidth;
    if (!width || !this.run) return;
    Object.assign(this.canvas, { width: Math.round(width * ratio), height: Math.round(OVERVIEW_HEIGHT * ratio) });
    this.paint(this.canvas.getContext("2d"), ratio);
  }

  /** Busy processors as a gray area, and the waiting jobs as a line. */
  paint(context, ratio) {
    const { run, view: { full } } = this, area = { left: 0, top: 0, width: Math.round(this.room.clientWidth * ratio), height: Math.round(OVERVIEW_HEIGHT * ratio), ratio };
    context.fillStyle = theme.empty;
    context.fillRect(0, 0, area.width, area.height);
    context.globalAlpha = .4;
    drawSteps(context, area, full, { steps: run.busy, color: theme.soft, top: run.capacity, main: true });
    context.globalAlpha = 1;
    drawSteps(context, area, full, { steps: run.queue, color: runColor(run.place), top: 1.05 * Math.max(1, peak(run.queue, full)), main: false });
  }

  /** Put the window where the view is. */
  place() {
    const { t0, t1, full } = this.view, share = (time) => (time - full.t0) / (full.t1 - full.t0), { origin } = this.run;
    this.brush.style.left = `${100 * share(t0)}%`;
    this.brush.style.width = `${100 * (share(t1) - share(t0))}%`;
    const tell = (element, at, text) => {
      element.setAttribute("aria-valuenow", String(Math.round(100 * at)));
      element.setAttribute("aria-valuetext", text);
    };
    tell(this.left, share(t0), moment(Math.floor(t0), origin));
    tell(this.right, share(t1), moment(Math.floor(t1), origin));
    tell(this.body, share((t0 + t1) / 2), `${moment(Math.floor(t0), origin)} to ${moment(Math.floor(t1), origin)}`);
  }

  timeAt(event) {
    const box = this.room.getBoundingClientRect(), { full } = this.view;
    return full.t0 + Math.max(0, Math.min(1, (event.clientX - box.left) / box.width)) * (full.t1 - full.t0);
  }

  /** Take hold of an end, of the window, or of a place outside, from which a new window is drawn. */
  hold(event) {
    if (event.button !== 0) return;
    event.preventDefault();
    const { view, room } = this, from = this.timeAt(event), before = { t0: view.t0, t1: view.t1 };
    const part = event.target === this.left ? "left" : event.target === this.right ? "right" : event.target === this.body && !this.isWhole ? "body" : "new";
    this[part]?.focus({ preventScroll: true });
    room.setPointerCapture(event.pointerId);
    const move = (next) => {
      const to = this.timeAt(next);
      if (part === "new") { if (Math.abs(to - from) > .004 * (view.full.t1 - view.full.t0)) view.set({ t0: Math.min(from, to), t1: Math.max(from, to) }); }
      else this.moved(part, before, to - from);
    };
    const end = (last) => {
      for (const [name, act] of Object.entries(acts)) room.removeEventListener(name, act);
      const isTap = last.type === "pointerup" && part === "new" && Math.abs(this.timeAt(last) - from) <= .004 * (view.full.t1 - view.full.t0);
      if (isTap && !this.isWhole) this.moved("body", before, from - (before.t0 + before.t1) / 2);
    };
    const acts = { pointermove: move, pointerup: end, pointercancel: end };
    for (const [name, act] of Object.entries(acts)) room.addEventListener(name, act);
  }

  get isWhole() { return this.view.t1 - this.view.t0 >= .999 * (this.view.full.t1 - this.view.full.t0); }

  /** Move a part of the window by seconds from where it was. */
  moved(part, { t0, t1 }, by) {
    const { full } = this.view, least = (full.t1 - full.t0) / 1000;
    if (part === "body") {
      const shift = Math.max(full.t0 - t0, Math.min(full.t1 - t1, by));
      this.view.set({ t0: t0 + shift, t1: t1 + shift });
    } else if (part === "left") this.view.set({ t0: Math.max(full.t0, Math.min(t1 - least, t0 + by)), t1 });
    else this.view.set({ t0, t1: Math.min(full.t1, Math.max(t0 + least, t1 + by)) });
  }

  key(event, part) {
    const { view } = this, { t0, t1, full } = view, step = (part === "body" ? (t1 - t0) / 10 : (full.t1 - full.t0) / 100) * (event.shiftKey ? 5 : 1);
    const by = { ArrowLeft: -step, ArrowDown: -step, ArrowRight: step, ArrowUp: step, PageDown: -5 * step, PageUp: 5 * step, Home: full.t0 - full.t1, End: full.t1 - full.t0 }[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.moved(part, { t0, t1 }, by);
  }
}
