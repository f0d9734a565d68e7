// Choices of a page that its address holds, so that a link opened elsewhere shows the same, and back and forward work.
//
// The fragment is a list such as "#color=user&time=0-3600". What a page does not know, or cannot read, is ignored.

const LONGEST_FRAGMENT = 16_000; // characters; anything longer is not from this page

class UrlState {
  constructor(place = location, past = history) {
    Object.assign(this, { place, past, choices: new Map(), unclaimed: new Map(), written: null, pending: null });
    this.take();
    addEventListener("popstate", () => this.follow());
    addEventListener("hashchange", () => this.follow());
  }

  /**
   * Declare a choice and return its value now: what the address says, else `initial`.
   *
   * `read(text)` gives a value, or undefined for what is none; `write(value)` the text; `apply(value)` is called
   * when the address changes, as by back and forward.
   */
  choice(name, { initial, read, write = String, apply = () => null }) {
    const choice = { initial, read, write, apply }, before = this.choices.get(name);
    this.choices.set(name, choice);
    choice.value = this.valueOf(choice, before ? before.write(before.value) : this.unclaimed.get(name));
    this.unclaimed.delete(name);
    return choice.value;
  }

  valueOf({ initial, read }, text) {
    if (text === undefined) return initial;
    try {
      return read(text) ?? initial;
    } catch {
      return initial; // a text that its reader chokes on is garbage
    }
  }

  get(name) { return this.choices.get(name).value; }

  /** Note what was chosen; choices of one moment make one step back, those that `replace` none. */
  set(name, value, { replace = false } = {}) {
    const choice = this.choices.get(name);
    if (this.following || choice.write(choice.value) === choice.write(value)) return;
    choice.value = value;
    if (this.pending === null) queueMicrotask(() => this.put());
    this.pending = (this.pending ?? "replace") === "replace" && replace ? "replace" : "push";
  }

  /** The fragment that has all choices that differ from those at the beginning. */
  get fragment() {
    const query = new URLSearchParams();
    for (const [name, choice] of this.choices) {
      const text = choice.write(choice.value);
      if (text !== choice.write(choice.initial)) query.set(name, text);
    }
    for (const [name, text] of this.unclaimed) query.set(name, text);
    return query.toString().replaceAll("%2C", ",").replaceAll("%3A", ":");
  }

  put() {
    const way = this.pending;
    this.pending = null;
    this.written = this.fragment;
    const address = this.written ? `#${this.written}` : `${this.place.pathname}${this.place.search}`;
    try {
      this.past[way === "push" ? "pushState" : "replaceState"](null, "", address);
    } catch {
      // A page inside another one, as in a notebook, has no address of its own.
    }
  }

  /** Read the fragment; what is no list of choices, as the name of a section, says nothing of them. */
  take() {
    const text = this.place.hash.slice(1);
    this.written = text;
    this.unclaimed = new Map(text.includes("=") && text.length <= LONGEST_FRAGMENT ? new URLSearchParams(text) : []);
  }

  /** Take over what the address says now. */
  follow() {
    const text = this.place.hash.slice(1);
    if (text === this.written || (text && !text.includes("="))) return;
    this.take();
    const query = this.unclaimed;
    this.unclaimed = new Map();
    const changed = [];
    for (const [name, choice] of this.choices) {
      const value = this.valueOf(choice, query.get(name));
      if (choice.write(value) === choice.write(choice.value)) continue;
      choice.value = value;
      changed.push(choice);
    }
    this.following = true; // what is applied was chosen already
    try {
      for (const choice of changed) choice.apply(choice.value);
    } finally {
      this.following = false;
    }
  }
}

// Readers of texts: a value, or undefined for what is none.

/** One of some values. */
const oneOf = (values) => (text) => values.map(String).includes(text) ? values[values.map(String).indexOf(text)] : undefined;

/** Yes or no. */
const readSwitch = (text) => ({ yes: true, no: false })[text];
const writeSwitch = (value) => value ? "yes" : "no";

/** Two ascending numbers, "12:40.5"; either may be left out. */
function readRange(text) {
  const found = /^(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)?:(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)?$/i.exec(text);
  if (!found || text === ":") return undefined;
  const [low, high] = [found[1] === undefined ? -Infinity : +found[1], found[2] === undefined ? Infinity : +found[2]];
  return low <= high && !Number.isNaN(low + high) || low === -Infinity && high === Infinity ? [low, high] : undefined;
}

const writeRange = ([low, high]) => `${low === -Infinity ? "" : low}:${high === Infinity ? "" : high}`;

/** Some of `count` places, "0,2,3"; none is garbage. */
const readPlaces = (count) => (text) => {
  const places = [...new Set(text.split(",").filter((part) => /^\d{1,6}$/.test(part)).map(Number))].filter((place) => place < count);
  return places.length ? places : undefined;
};
