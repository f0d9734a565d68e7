// Which runs the page shows, in which order, and which one the others are compared with.

const FLATTENED = .05; // of the largest value: below, a bar or a line is next to nothing

/** Whether one value flattens the rest: at least half of them are next to nothing beside the largest. */
function isFlattened(values) {
  const sizes = values.filter((value) => value > 0), most = Math.max(...sizes);
  return sizes.length > 1 && sizes.filter((value) => value < FLATTENED * most).length >= sizes.length / 2;
}

class RunChoice {
  constructor(runs) {
    Object.assign(this, { runs, listeners: [] });
    const changed = () => this.changed();
    address.choice("base", { initial: 0, read: oneOf(runs.map((run) => run.place)), apply: changed });
    address.choice("hide", { initial: [], read: (text) => { const found = readPlaces(runs.length)(text); return found && found.length < runs.length ? found : undefined; }, write: (places) => [...places].sort((a, b) => a - b).join(","), apply: changed });
    address.choice("order", { initial: "given", read: oneOf(this.orders().map(([value]) => value)), apply: changed });
  }

  get baseline() { return this.runs[address.get("base")]; }
  isShown(run) { return !address.get("hide").includes(run.place); }

  /** What runs can be ordered by: as they were given, by name, by a metric of the summary. */
  orders() {
    const rows = [...document.querySelectorAll("#summary-table tbody tr")].filter((row) => !row.matches("[data-kind=count]"));
    return [["given", "as given"], ["name", "name"], ...rows.map((row) => [row.dataset.metric, row.cells[0].textContent])];
  }

  /** The runs shown, in order: of a metric the best first, or the least where neither end is better. */
  get shown() {
    const order = address.get("order"), kept = this.runs.filter((run) => this.isShown(run));
    if (order === "given") return kept;
    if (order === "name") return kept.sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
    const row = [...document.querySelectorAll("#summary-table tbody tr")].find((each) => each.dataset.metric === order), sign = row.dataset.better === "more" ? -1 : 1;
    const value = (run) => parseFloat([...row.querySelectorAll("td")].find((cell) => cell.dataset.run === run.name)?.dataset.value ?? "NaN");
    return kept.sort((a, b) => Number.isNaN(value(a)) - Number.isNaN(value(b)) || sign * (value(a) - value(b)) || a.place - b.place);
  }

  /** Call `listener` whenever the choice changes. */
  follow(listener) { this.listeners.push(listener); }

  changed() {
    for (const draw of this.draws ?? []) draw();
    for (const listener of this.listeners) listener();
  }

  /** Put the controls above the summary. */
  addControls(host) {
    const { runs } = this, base = node("select", { id: "baseline" }), order = node("select", { id: "run-order" }), boxes = node("fieldset", { className: "chips", id: "runs-shown" }, node("legend", { textContent: "Show" }));
    base.append(...runs.map((run) => node("option", { value: run.place, textContent: run.name })));
    order.append(...this.orders().map(([value, textContent]) => node("option", { value, textContent })));
    base.onchange = () => this.set("base", +base.value);
    order.onchange = () => this.set("order", order.value);
    const inputs = runs.map((run) => node("input", { type: "checkbox", value: run.place, onchange: () => this.show(run, inputs[run.place].checked) }));
    boxes.append(...runs.map((run) => node("label", {}, inputs[run.place], swatch(run), run.name)));
    this.draws = [() => { base.value = this.baseline.place; order.value = address.get("order"); for (const run of runs) inputs[run.place].checked = this.isShown(run); }, () => this.arrangeSummary()];
    host.before(node("div", { className: "controls", id: "run-choice" }, node("label", {}, "Baseline ", base), node("label", {}, "Sort runs by ", order)), boxes);
    this.draws.forEach((draw) => draw());
  }

  set(name, value) {
    address.set(name, value);
    this.changed();
  }

  /** Show or hide a run; one at least stays. */
  show(run, shown) {
    const hidden = shown ? address.get("hide").filter((place) => place !== run.place) : [...address.get("hide"), run.place];
    if (hidden.length < this.runs.length) this.set("hide", hidden);
    else this.changed();
  }

  /** Put the columns of the summary in order, and compare with the baseline. */
  arrangeSummary() {
    const shown = this.shown, name = byId("baseline-name");
    if (name) name.textContent = this.baseline.name;
    for (const row of byId("summary-table").rows) {
      this.cells ??= new Map();
      if (!this.cells.has(row)) this.cells.set(row, [...row.cells].slice(1));
      const cells = this.cells.get(row);
      for (const cell of cells) cell.hidden = true;
      for (const run of shown) {
        cells[run.place].hidden = false;
        row.append(cells[run.place]);
      }
      if (row.dataset.kind && row.dataset.kind !== "count") this.compare(row, cells);
    }
  }

  compare(row, cells) {
    const reference = parseFloat(cells[this.baseline.place].dataset.value), sets = byId("summary-table").dataset.sets?.split(",");
    cells.forEach((cell, place) => {
      cell.querySelector("small")?.remove();
      const value = parseFloat(cell.dataset.value);
      if (place === this.baseline.place || !reference || !Number.isFinite(value)) return;
      if (sets && sets[place] !== sets[this.baseline.place]) return; // figures of other jobs
      const percent = 100 * (value - reference) / Math.abs(reference), isSame = Math.abs(percent) < .05;
      const way = isSame || !row.dataset.better ? "" : percent < 0 === (row.dataset.better === "less") ? "good" : "bad", size = Math.abs(percent);
      cell.append(node("small", { className: way, textContent: `${isSame ? "±" : percent > 0 ? "+" : "−"}${size.toLocaleString("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 })} %` }));
    });
  }
}

/** Let the reader show or hide a run in a panel; a run that the page hides has no box. */
function addRunChoice(host, run, shown, changed) {
  const box = node("input", { type: "checkbox", checked: shown.has(run) }), label = node("label", {}, box, swatch(run), run.name);
  box.onchange = () => {
    shown[box.checked ? "add" : "delete"](run);
    changed();
  };
  host.append(label);
  label.hidden = !chosenRuns.isShown(run);
  chosenRuns.follow(() => { label.hidden = !chosenRuns.isShown(run); });
}

let chosenRuns = null; // of the page; set when its runs are there

/** Those of a panel's runs that the page shows. */
const visible = (runs) => [...runs].filter((run) => chosenRuns.isShown(run));
