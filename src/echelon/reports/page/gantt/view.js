// The part of the schedule that is looked at: a span of time, and a span of processors.

const RESTING = 90; // milliseconds without zooming after which a view is drawn as sharp as can be

class View {
  constructor(full, shown) {
    this.full = full; // { t0, t1, p0, p1 }
    this.draw = shown;
    this.pending = false;
    this.zoomedAt = -Infinity;
    Object.assign(this, full);
  }

  /** Look at another part; `full` keeps it inside the schedule. Drawn once per frame however often it changes. */
  set(part) {
    const { full } = this, wide = this.t1 - this.t0, high = this.p1 - this.p0;
    Object.assign(this, part);
    [this.t0, this.t1] = clamp(this.t0, this.t1, full.t0, full.t1, Math.min(10, (full.t1 - full.t0) / 1000));
    [this.p0, this.p1] = clamp(this.p0, this.p1, full.p0, full.p1, Math.min(4, full.p1));
    if (Math.abs(this.t1 - this.t0 - wide) > 1e-6 * wide || Math.abs(this.p1 - this.p0 - high) > 1e-6 * high) this.zoomed();
    this.again();
  }

  /** Note that the view is being zoomed, and draw once more when it rests. */
  zoomed() {
    this.zoomedAt = performance.now();
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.again(), RESTING);
  }

  /** Whether the view was zoomed a moment ago, so that it may be zoomed further. */
  zooming() { return performance.now() - this.zoomedAt < RESTING - 5; }

  /** Draw within the next frame. */
  again() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => { this.pending = false; this.draw(); });
  }

  all() { this.set(this.full); }

  zoomTime(factor, at = (this.t0 + this.t1) / 2) {
    this.set({ t0: at - (at - this.t0) * factor, t1: at + (this.t1 - at) * factor });
  }

  zoomProcessors(factor, at = (this.p0 + this.p1) / 2) {
    this.set({ p0: at - (at - this.p0) * factor, p1: at + (this.p1 - at) * factor });
  }

  /** Move by shares of what is seen. */
  pan(time, processors) {
    const dt = time * (this.t1 - this.t0), dp = processors * (this.p1 - this.p0);
    this.set({ t0: this.t0 + dt, t1: this.t1 + dt, p0: this.p0 + dp, p1: this.p1 + dp });
  }
}

function clamp(low, high, lowest, highest, least) {
  let span = Math.min(Math.max(high - low, least), highest - lowest);
  const start = Math.min(Math.max(high - low < least ? (low + high - span) / 2 : low, lowest), highest - span);
  return [start, start + span];
}

/** Let pointers and wheel over a chart's plotting area move the view; `tap` is called with clicks that move nothing. */
function followPointer(over, view, tap) {
  const pointers = new Map();
  let moved = 0, frame = null;
  const share = (event) => {
    const box = over.getBoundingClientRect();
    return { x: (event.clientX - box.left) / box.width, y: 1 - (event.clientY - box.top) / box.height };
  };
  over.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    over.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, share(event));
    moved = 0;
    if (event.shiftKey) frame = new Frame(over, share(event));
  });
  over.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = share(event), [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    moved += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
    if (frame) frame.draw(now);
    else if (other) pinch(view, before, now, other);
    else view.pan(before.x - now.x, before.y - now.y);
    pointers.set(event.pointerId, now);
  });
  const end = (event) => {
    const held = pointers.delete(event.pointerId), chosen = frame?.end(view);
    frame = null;
    if (chosen && event.type === "pointerup") view.set(chosen);
    else if (held && event.type === "pointerup" && moved < .01) tap?.(event);
  };
  over.addEventListener("pointerup", end);
  over.addEventListener("pointercancel", end);
  over.addEventListener("dblclick", () => view.all());
  over.addEventListener("wheel", (event) => {
    event.preventDefault();
    const at = share(event), amount = event.deltaMode === 1 ? 30 : 1;
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) return view.pan(event.deltaX * amount / over.clientWidth, 0);
    const factor = Math.exp(Math.max(-200, Math.min(200, event.deltaY * amount)) * .002);
    if (event.ctrlKey || event.altKey) view.zoomProcessors(factor, view.p0 + at.y * (view.p1 - view.p0));
    else view.zoomTime(factor, view.t0 + at.x * (view.t1 - view.t0));
  }, { passive: false });
}

/** One of two fingers moves: zoom each axis along which they are apart, about the place between them. */
function pinch(view, before, now, other) {
  const factor = (axis) => Math.abs(now[axis] - other[axis]) < .08 ? 1 : Math.max(.05, Math.abs(before[axis] - other[axis])) / Math.abs(now[axis] - other[axis]);
  view.zoomTime(factor("x"), view.t0 + other.x * (view.t1 - view.t0));
  view.zoomProcessors(factor("y"), view.p0 + other.y * (view.p1 - view.p0));
}

/** A frame that is drawn over a chart to zoom to what it holds. */
class Frame {
  constructor(over, from) {
    this.from = this.to = from;
    this.box = node("div", { className: "frame" });
    over.append(this.box);
  }

  draw(to) {
    this.to = { x: Math.max(0, Math.min(1, to.x)), y: Math.max(0, Math.min(1, to.y)) };
    const { left, right, low, high } = this.edges();
    Object.assign(this.box.style, { left: `${100 * left}%`, right: `${100 * (1 - right)}%`, bottom: `${100 * low}%`, top: `${100 * (1 - high)}%` });
  }

  /** The edges as shares; a frame that is flat along an axis holds all of it. */
  edges() {
    const { from, to } = this;
    const [left, right] = [from.x, to.x].sort((a, b) => a - b), [low, high] = [from.y, to.y].sort((a, b) => a - b);
    return high - low < .04 ? { left, right, low: 0, high: 1 } : { left, right, low, high };
  }

  /** Remove the frame; returns the part of the view that it held, if any. */
  end(view) {
    this.box.remove();
    const { left, right, low, high } = this.edges(), wide = view.t1 - view.t0, tall = view.p1 - view.p0;
    return right - left < .005 ? null : { t0: view.t0 + left * wide, t1: view.t0 + right * wide, p0: view.p0 + low * tall, p1: view.p0 + high * tall };
  }
}

/** Let keys pressed on `host` move the view; swallows only keys it knows. */
function followKeys(host, view, others) {
  const keys = {
    ArrowLeft: () => view.pan(-.15, 0), ArrowRight: () => view.pan(.15, 0),
    ArrowUp: () => view.pan(0, .15), ArrowDown: () => view.pan(0, -.15),
    "+": () => view.zoomTime(.6), "=": () => view.zoomTime(.6), "-": () => view.zoomTime(1 / .6),
    PageUp: () => view.zoomProcessors(.6), PageDown: () => view.zoomProcessors(1 / .6),
    0: () => view.all(), Home: () => view.all(), ...others,
  };
  host.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    if (/Arrow(Up|Down)/.test(event.key) && view.p1 - view.p0 >= view.full.p1) return; // nothing to pan: the page scrolls
    event.preventDefault();
    keys[event.key]();
  });
}
