// The part of the schedule that is looked at: a span of time, and a span of processors.

class View {
  constructor(full, shown) {
    this.full = full; // { t0, t1, p0, p1 }
    this.draw = shown;
    this.pending = false;
    Object.assign(this, full);
  }

  /** Look at another part; `full` keeps it inside the schedule. Drawn once per frame however often it changes. */
  set(part) {
    Object.assign(this, part);
    [this.t0, this.t1] = clamp(this.t0, this.t1, this.full.t0, this.full.t1, 10);
    [this.p0, this.p1] = clamp(this.p0, this.p1, this.full.p0, this.full.p1, Math.min(4, this.full.p1));
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

/** Let pointer and wheel over a chart's plotting area move the view; `tap` is called with clicks that move nothing. */
function followPointer(over, view, tap) {
  const pointers = new Map();
  let moved = 0;
  const share = (event) => {
    const box = over.getBoundingClientRect();
    return { x: (event.clientX - box.left) / box.width, y: 1 - (event.clientY - box.top) / box.height };
  };
  over.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    over.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, share(event));
    moved = 0;
  });
  over.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = share(event);
    moved += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
    if (pointers.size === 2) {
      const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
      const factor = Math.max(.02, Math.abs(before.x - other.x)) / Math.max(.02, Math.abs(now.x - other.x));
      view.zoomTime(factor, view.t0 + (now.x + other.x) / 2 * (view.t1 - view.t0));
    } else view.pan(before.x - now.x, before.y - now.y);
    pointers.set(event.pointerId, now);
  });
  const end = (event) => {
    if (pointers.delete(event.pointerId) && event.type === "pointerup" && moved < .01) tap?.(event);
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

/** Let keys pressed on `host` move the view; returns nothing, swallows only keys it knows. */
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
