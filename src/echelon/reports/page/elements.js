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
