// What is chosen on the page of a study: a configuration that all charts highlight, those that are hidden, the scale.

const DRAWN = { intervals: drawIntervals, boxes: drawBoxes, curves: drawCurves, ranks: drawRanks, front: drawFront, profile: drawProfile };

/** Whether two places in the axes agree on all axes that they share, and share one. */
function agree(labels, other) {
  const shared = Object.keys(labels).filter((axis) => Object.hasOwn(other, axis));
  return shared.length > 0 && shared.every((axis) => labels[axis] === other[axis]);
}

class Choices {
  constructor(page, address) {
    Object.assign(this, { page, address, charts: [], watchers: [], markers: [] });
    const again = () => this.changed();
    this.configurations = page.levels[0].rows.map((values) => Object.fromEntries(page.levels[0].axes.map((axis, place) => [axis, values[place]])));
    address.choice("scale", { initial: "auto", read: oneOf(["auto", "linear", "log"]), apply: again });
    address.choice("hidden", { initial: [], read: readPlaces(this.configurations.length), write: (places) => places.join(","), apply: again });
    address.choice("chosen", { initial: null, read: (text) => this.labelsOf(text), write: (labels) => this.codesOf(labels), apply: again });
  }

  /** The values of axes that a text such as "0.1-1.2" stands for: axis 0 with its value 1, axis 1 with its value 2. */
  labelsOf(text) {
    const pairs = text.split("-").map((pair) => /^(\d{1,4})\.(\d{1,6})$/.exec(pair)), { axes } = this.page;
    if (!pairs.every((pair) => pair && axes[pair[1]]?.values[pair[2]] !== undefined)) return undefined;
    return Object.fromEntries(pairs.map(([, axis, value]) => [axes[axis].name, axes[axis].values[value]]));
  }

  codesOf(labels) {
    const { axes } = this.page;
    return Object.entries(labels ?? {}).map(([axis, value]) => { const place = axes.findIndex(({ name }) => name === axis); return `${place}.${axes[place]?.values.indexOf(value)}`; }).join("-");
  }

  get chosen() { return this.address.get("chosen"); }
  get hidden() { return this.address.get("hidden"); }
  get way() { return this.address.get("scale"); }

  /** Highlight what these values stand for; a second time nothing again. */
  choose(labels) {
    const known = Object.fromEntries(Object.entries(labels).filter(([axis]) => this.page.axes.some(({ name }) => name === axis)));
    if (!Object.keys(known).length) return;
    this.address.set("chosen", this.codesOf(known) === this.codesOf(this.chosen) ? null : known);
    this.highlight();
  }

  clear() {
    this.address.set("chosen", null);
    this.highlight();
  }

  hide(places, isHidden) {
    const hidden = new Set(this.hidden);
    for (const place of places) hidden[isHidden ? "add" : "delete"](place);
    this.address.set("hidden", [...hidden].sort((a, b) => a - b));
    this.changed();
  }

  scale(way) {
    this.address.set("scale", way);
    this.changed();
  }

  /** The configurations that have these values. */
  placesOf(labels) { return this.configurations.flatMap((one, place) => agree(labels, one) ? [place] : []); }

  /** Whether all configurations of these values are hidden. */
  isHidden(labels) {
    if (!this.hidden.length) return false;
    const places = this.placesOf(labels), hidden = new Set(this.hidden);
    return places.length > 0 && places.every((place) => hidden.has(place));
  }

  changed() {
    for (const draw of this.charts) draw();
    this.watchers.forEach((watch) => watch());
    this.highlight();
  }

  /** Mark what is chosen in every chart that has it; others in these charts fade. */
  highlight() {
    const { chosen } = this;
    for (const chart of document.querySelectorAll("figure.drawn svg")) {
      const marks = [...chart.querySelectorAll(".mark")], found = chosen ? marks.filter(({ labels }) => agree(labels, chosen)) : [];
      chart.classList.toggle("has-chosen", found.length > 0 && found.length < marks.length);
      for (const each of marks) each.classList.toggle("chosen", found.includes(each));
    }
    for (const row of document.querySelectorAll("tr[data-labels]")) {
      const isChosen = chosen !== null && agree(JSON.parse(row.dataset.labels), chosen);
      row.classList.toggle("chosen", isChosen);
      row.querySelector(".pick").setAttribute("aria-pressed", String(isChosen));
    }
    this.markers.forEach((mark) => mark());
  }

  /** Draw again, so that it answers, a chart that the page holds as a drawing; returns its figures as rows. */
  enliven(figure) {
    const data = JSON.parse(figure.querySelector("script").textContent), still = figure.querySelector("svg");
    data.items.forEach((item, place) => { item.place = place; });
    data.count = data.items.length;
    const measures = (data.measures ?? [data.measure]).map((name) => this.page.metrics[name]);
    if (measures.some((measure) => measure === undefined)) return () => [];
    let chart = still;
    const draw = () => {
      const items = data.items.filter(({ labels }) => !this.isHidden(labels));
      const drawn = items.length ? DRAWN[data.kind]({ ...data, items }, { measures, way: this.way, level: this.page.level }) : node("p", { className: "absent", textContent: "All of it is hidden." });
      if (items.length) answerMarks(drawn, (labels) => this.choose(labels));
      chart.replaceWith(drawn);
      chart = drawn;
    };
    this.charts.push(draw);
    return () => rowsOfChart(data, measures);
  }
}

/** The figures of a chart as rows, in the metrics' own units. */
function rowsOfChart({ kind, items, along, x, measure }, measures) {
  const named = (heads, rows) => [[measure ? `${kind} of ${measure}` : kind], heads, ...rows, []];
  return {
    intervals: () => named(["name", "mean", "low", "high", "experiments", "runs"], items.map((item) => [item.name, item.mean, item.low, item.high, item.n, item.runs])),
    boxes: () => named(["name", "least", "first quartile", "median", "third quartile", "most", "experiments"], items.map((item) => [item.name, ...(item.box.length ? item.box : ["", "", "", "", ""]), item.n])),
    curves: () => named(["name", along, "mean", "low", "high", "experiments"], items.flatMap((item) => item.x.map((at, point) => [item.name, at, item.y[point], item.low[point], item.high[point], item.n[point]]))),
    ranks: () => named(["name", "mean rank"], items.map((item) => [item.name, item.rank])),
    front: () => named(["name", ...measures.map(({ name }) => name), "on the front"], items.map((item) => [item.name, ...item.values, item.front ? "yes" : "no"])),
    profile: () => named(["factor", ...items.map(({ name }) => name)], x.map((factor, place) => [factor, ...items.map(({ y }) => y[place])])),
  }[kind]();
}
