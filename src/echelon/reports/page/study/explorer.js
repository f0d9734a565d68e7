// The panel of configurations: a table with a row for each, for a metric and a baseline that the reader chooses.

const MOST_DRAWN = 40; // rows of the chart beside the table
const JOINER = " · ";

class Explorer {
  constructor(page, choices, address) {
    Object.assign(this, { page, choices, address });
    const draw = () => this.draw(), again = () => this.again();
    address.choice("metric", { initial: page.measures[0], read: oneOf(Object.keys(page.metrics)), apply: again });
    address.choice("rows", { initial: 0, read: oneOf(page.levels.map((_, place) => place)), apply: again });
    address.choice("baseline", { initial: null, read: (text) => choices.labelsOf(text), write: (labels) => choices.codesOf(labels), apply: again });
    address.choice("filter", { initial: "", read: (text) => text.slice(0, 200), apply: again });
    address.choice("sort", { initial: null, read: readSort, write: writeSort, apply: again });
    address.choice("below", { initial: "all", read: oneOf(["all", "one"]), apply: again });
    this.fill();
    choices.watchers.push(draw);
    this.draw();
    choices.markers.push(() => this.drawText(this.all, this.visible));
    byId("explorer").hidden = false;
    byId("explorer-absent").hidden = true;
  }

  get level() { return this.page.levels[this.address.get("rows")]; }
  get measure() { return this.page.metrics[this.address.get("metric")]; }
  get labels() { return this.level.rows.map((values) => Object.fromEntries(this.level.axes.map((axis, place) => [axis, values[place]]))); }

  /** Fill the controls and let them answer. */
  fill() {
    const { page, address } = this, option = (value, textContent) => node("option", { value, textContent });
    const group = (label, names) => names.length ? [node("optgroup", { label }, ...names.map((name) => option(name, page.metrics[name].label)))] : [];
    byId("metric").append(...group("Of the study", page.measures), ...group("Others", Object.keys(page.metrics).filter((name) => !page.measures.includes(name))));
    byId("level").append(...page.levels.map((level, place) => option(place, place || page.levels.length === 1 ? `values of ${level.axes.join(JOINER)}` : "configurations")));
    byId("level-choice").hidden = page.levels.length < 2;
    const sets = { metric: (value) => value, level: Number, baseline: (value) => this.choices.labelsOf(value), below: (value) => value };
    for (const [id, read] of Object.entries(sets))
      byId(id).onchange = () => { address.set(id === "level" ? "rows" : id, read(byId(id).value)); if (id === "level") this.forgetSort(); this.again(); };
    byId("scale").onchange = () => this.choices.scale(byId("scale").value);
    byId("filter").oninput = () => { address.set("filter", byId("filter").value, { replace: true }); this.again(); };
    byId("show-all").onclick = () => this.choices.hide(this.choices.hidden, false);
    byId("clear-chosen").onclick = () => this.choices.clear();
  }

  forgetSort() { this.address.set("sort", null); }

  /** What rows are compared with: the baseline's values of those axes that say how jobs are scheduled. */
  baselines() {
    const axes = this.level.axes.filter((axis) => this.page.compared.includes(axis)), used = axes.length ? axes : this.level.axes;
    const sets = new Map(this.labels.map((labels) => { const part = Object.fromEntries(used.map((axis) => [axis, labels[axis]])); return [this.choices.codesOf(part), part]; }));
    const initial = Object.fromEntries(used.map((axis) => [axis, this.page.baseline[axis]])), wanted = this.choices.codesOf(this.address.get("baseline"));
    const now = sets.has(wanted) ? wanted : sets.has(this.choices.codesOf(initial)) ? this.choices.codesOf(initial) : [...sets.keys()][0];
    return { sets, now };
  }

  /** Draw, and mark what is chosen. */
  again() {
    this.draw();
    this.choices.highlight();
  }

  draw() {
    const { address, page, level, measure, labels } = this, { sets, now } = this.baselines();
    byId("metric").value = measure.name;
    byId("level").value = address.get("rows");
    byId("scale").value = address.get("scale");
    byId("below").value = address.get("below");
    if (byId("filter").value !== address.get("filter")) byId("filter").value = address.get("filter");
    byId("baseline").replaceChildren(...[...sets].map(([value, part]) => node("option", { value, textContent: Object.values(part).join(JOINER), selected: value === now })));
    const rows = this.rows(level, measure, labels, sets.get(now)), visible = rows.filter((row) => this.passes(row));
    this.drawTable(visible, measure);
    this.drawChart(this.table.order.map((place) => visible[place]), measure);
    Object.assign(this, { all: rows, visible });
    this.drawText(rows, visible);
    for (const part of document.querySelectorAll(".measure"))
      part.hidden = address.get("below") === "one" && page.measures.includes(measure.name) && part.dataset.measure !== measure.name;
  }

  /** What each row of the table says, hidden ones too. */
  rows(level, measure, labels, baseline) {
    const values = level.values[measure.name], { quantiles } = this.page;
    const rows = labels.map((its, place) => {
      const found = experimentsAlone(level, values, place), mean = meanOf(found), half = halfWidth(found, quantiles);
      const first = labels.findIndex((other) => Object.entries(its).every(([axis, value]) => other[axis] === (baseline[axis] ?? value)));
      const pair = first < 0 || first === place ? null : pairedWith(level, values, place, first, quantiles);
      return { place, labels: its, name: level.rows[place].join(JOINER), runs: level.runs[place], n: found.length, mean, half, pair, isBaseline: first === place, isHidden: this.choices.isHidden(its) };
    });
    const adjusted = holm(rows.map(({ pair }) => pair && canTest(this.page) ? pair.p : NaN));
    rows.forEach((row, place) => { row.p = adjusted[place]; });
    return rows;
  }

  /** Whether a row holds all terms of the filter. */
  passes({ labels }) {
    const wanted = this.address.get("filter").toLowerCase().split(/\s+/).filter(Boolean), facts = Object.entries(labels);
    return wanted.every((term) => {
      const [axis, value] = term.split("=");
      if (value !== undefined && facts.some(([name]) => name.toLowerCase() === axis)) return facts.some(([name, its]) => name.toLowerCase() === axis && its.toLowerCase() === value);
      return facts.some(([, its]) => its.toLowerCase().includes(term));
    });
  }

  drawTable(rows, measure) {
    const { level, page, choices } = this, numeric = (value) => value !== "" && Number.isFinite(+value);
    const asValue = (text) => numeric(text) ? +text : text, unit = measure.unit ? `, ${measure.unit}` : "", pairOf = (row, key) => rows[row].pair ? rows[row].pair[key] : NaN;
    const byBounds = rows.some(({ mean, half }) => measure.isCut(mean, half));
    const isNumbers = level.axes.map((axis) => page.axes.find(({ name }) => name === axis).values.every(numeric));
    const columns = [
      ...level.axes.map((axis, place) => ({ name: axis, text: (row) => rows[row].labels[axis], value: (row) => isNumbers[place] ? asValue(rows[row].labels[axis]) : rows[row].labels[axis] })),
      { name: "n", text: (row) => number.format(rows[row].n), value: (row) => rows[row].n },
      { name: `${measure.label}${unit}`, metric: measure.name, text: (row) => measure.said(rows[row].mean), value: (row) => measure.scaled(rows[row].mean) },
      { name: byBounds ? "Interval" : "±", saved: "±", text: (row) => measure.intervalSaid(rows[row].mean, rows[row].half, byBounds), value: (row) => measure.scaled(rows[row].half) },
      { name: "Difference", text: (row) => rows[row].isBaseline ? "baseline" : rows[row].pair ? `${pairOf(row, "difference") > 0 ? "+" : ""}${measure.said(pairOf(row, "difference"))}` : "–", value: (row) => rows[row].isBaseline ? 0 : measure.scaled(pairOf(row, "difference")) },
      { name: "± ", text: (row) => rows[row].pair?.exact ? "exact" : rows[row].pair ? measure.said(pairOf(row, "half"), 2) : "", value: (row) => measure.scaled(pairOf(row, "half")) },
      { name: "%", text: (row) => Number.isFinite(pairOf(row, "percent")) ? `${pairOf(row, "percent") > 0 ? "+" : ""}${figure(pairOf(row, "percent"), 3)}` : "", value: (row) => pairOf(row, "percent") },
      { name: "p (t, Holm)", text: (row) => rows[row].pair ? chanceText(rows[row].p) : "", value: (row) => rows[row].p },
      { name: "Lower · same · higher", text: (row) => rows[row].pair && rows[row].pair.n > 1 ? ["below", "equal", "above"].map((key) => pairOf(row, key)).join(" · ") : "", value: (row) => pairOf(row, "below") },
    ];
    const sort = this.address.get("sort") ?? { column: 0, descending: false }, found = columns[sort.column] ? sort : { column: 0, descending: false };
    const dress = (row, element) => {
      element.dataset.labels = JSON.stringify(rows[row].labels);
      element.classList.toggle("is-hidden", rows[row].isHidden);
      element.append(node("td", {}, this.showBox(rows[row])));
      alignText(element);
    };
    const alignText = ({ cells }) => isNumbers.forEach((isNumber, place) => cells[place].classList.toggle("text", !isNumber));
    // Until the reader sorts, rows are in the study's order.
    const inOrder = this.address.get("sort") ? columns : columns.map((column, place) => place ? column : { ...column, value: (row) => row });
    this.table = sortableTable(byId("configurations-table"), inOrder, rows.length, byId("configurations-more"), {
      sort: found, first: 30, dress, extra: "Shown", onSort: (chosen) => { this.address.set("sort", chosen); this.again(); byId("configurations-table").querySelectorAll("thead button")[chosen.column].focus(); },
      onRow: (row) => choices.choose(rows[row].labels), isChosen: (row) => choices.chosen !== null && agree(rows[row].labels, choices.chosen),
    });
    alignText(byId("configurations-table").tHead.rows[0]);
    this.table.order = sortedRows(rows.length, inOrder[found.column].value, found.descending);
    addDefinitions(byId("configurations-table"), page.definitions);
  }

  /** The box that shows or hides a row in all charts. */
  showBox(row) {
    const box = node("input", { type: "checkbox", checked: !row.isHidden, ariaLabel: `Show ${row.name}` });
    box.onclick = (event) => event.stopPropagation();
    box.onchange = () => {
      this.choices.hide(this.choices.placesOf(row.labels), !box.checked);
      [...document.querySelectorAll("#configurations-table input")].find((other) => other.ariaLabel === `Show ${row.name}`)?.focus();
    };
    return box;
  }

  drawChart(rows, measure) {
    const figure_ = byId("explored-chart"), shown = rows.filter(({ isHidden }) => !isHidden), items = shown.slice(0, MOST_DRAWN).map((row) => {
      const has = Number.isFinite(row.half), finite = (value) => Number.isFinite(value) ? value : null;
      return { labels: row.labels, name: row.name, place: this.colorOf(row.labels), n: row.n, mean: finite(row.mean), low: has ? measure.within(row.mean - row.half) : null, high: has ? measure.within(row.mean + row.half) : null };
    });
    const left = shown.length - items.length;
    figure_.querySelector("figcaption").textContent = `${measure.label} of the rows above, in their order${left > 0 ? `: the first ${MOST_DRAWN}` : ""}`;
    figure_.querySelector("svg, p")?.remove();
    if (!items.length) return void figure_.append(node("p", { className: "absent", textContent: "No row is shown." }));
    const chart = drawIntervals({ items }, { measures: [measure], way: this.choices.way, level: this.page.level });
    answerMarks(chart, (labels) => this.choices.choose(labels));
    figure_.append(chart);
  }

  /** Rows of the chart are colored by their first axis that says how jobs are scheduled. */
  colorOf(labels) {
    const axis = this.level.axes.find((name) => this.page.compared.includes(name)) ?? this.level.axes[0];
    return this.page.axes.find(({ name }) => name === axis).values.indexOf(labels[axis]);
  }

  drawText(rows, visible) {
    const { choices, page } = this, hidden = rows.filter(({ isHidden }) => isHidden).length;
    const facts = [`${number.format(visible.length)} of ${number.format(rows.length)} rows`, ...(hidden ? [`${number.format(hidden)} hidden in charts`] : []), ...(choices.chosen ? [`highlighted: ${Object.values(choices.chosen).join(JOINER)}`] : [])];
    byId("explorer-count").textContent = facts.join(" · ");
    byId("show-all").hidden = !choices.hidden.length;
    byId("clear-chosen").hidden = !choices.chosen;
    const tests = canTest(page) ? `± is half of the ${levelText(page.level)} interval by Student's t over n experiments. Of an interval that leaves the range of the metric the part within it is shown, here by its bounds. p is the paired t's, corrected by Holm for the rows of the table.` : "Without scipy there are no intervals and no tests.";
    byId("explorer-reading").textContent = `${tests} Differences are from the baseline under the same other settings, pair by pair. Click a row or a mark to highlight it in all charts. Hidden rows are left out of charts; means of other rows and ranks still count them.${choices.way === "log" ? " On a logarithmic scale what is 0 or less is at its beginning." : ""}`;
  }

  /** The table as rows of a file. */
  csv() { return this.table.rows(); }
}

const canTest = (page) => page.canTest;

/** A column and a direction: "3" or "-3". */
function readSort(text) {
  const found = /^(-?)(\d{1,3})$/.exec(text);
  return found ? { column: +found[2], descending: found[1] === "-" } : undefined;
}

const writeSort = (sort) => sort ? `${sort.descending ? "-" : ""}${sort.column}` : "";
