// Elements of the page.

const byId = (id) => document.getElementById(id);
const node = (name, properties, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

/** A dash in a run's color. */
function swatch(run) {
  return node("i", { className: "swatch", style: `background:${runColor(run.place)}` });
}

/** Let a select choose a run; it is hidden where there is only one. */
function runSelect(select, runs, chosen, onChange) {
  select.append(...runs.map((run) => node("option", { value: run.place, textContent: run.name })));
  select.value = chosen.place;
  select.onchange = () => onChange(runs[select.value]);
  select.closest("label").hidden = runs.length < 2;
}

/** A legend: a ramp of colors with a text at each end. */
function rampLegend(low, high, colors = RAMP_CSS) {
  return [low, node("i", { style: `background:${colors}` }), high];
}

/** A table body of rows of texts; the first of each is the row's heading. */
function tableBody(rows) {
  return node("tbody", {}, ...rows.map(([first, ...rest]) =>
    node("tr", {}, node("th", { scope: "row", textContent: first }), ...rest.map((textContent) => node("td", { textContent })))));
}

function tableHead(names) {
  return node("thead", {}, node("tr", {}, ...names.map((textContent) => node("th", { scope: "col", textContent }))));
}
