// Bars of the runs: those shown, in order, on a logarithmic scale where one run flattens the rest.

panels.bars = (_, runs) => {
  const box = byId("bars-log"), figures = [...document.querySelectorAll("[data-bars]")].map((figure) => ({ figure, bars: [...figure.querySelectorAll("li")], title: figure.querySelector("button.term") ?? figure.querySelector("figcaption") }));
  const value = (bar) => parseFloat(bar.dataset.value);
  const widths = figures.map(({ bars }) => bars.map((bar) => bar.querySelector("i").style.width));
  const flat = ({ bars }) => isFlattened(visible(runs).map((run) => value(bars[run.place])));
  const draw = () => {
    const shown = chosenRuns.shown;
    byId("bars-controls").hidden = !figures.some(flat);
    figures.forEach(({ figure, bars, title }, place) => {
      const isLogarithmic = box.checked && flat(figures[place]), low = logarithmicFloor(shown.map((run) => value(bars[run.place]))), most = Math.max(...shown.map((run) => value(bars[run.place]) || 0));
      figure.querySelector("ul").replaceChildren(...shown.map((run) => bars[run.place]));
      bars.forEach((bar, run) => { bar.querySelector("i").style.width = isLogarithmic ? `${value(bar) > 0 ? 100 * Math.log(value(bar) / low) / Math.log(most / low) : 0}%` : widths[place][run]; });
      figure.classList.toggle("logarithmic", isLogarithmic);
      title.parentElement.querySelector("small")?.remove();
      if (isLogarithmic) title.after(node("small", { textContent: " · logarithmic" }));
    });
  };
  for (const { bars } of figures) bars.forEach((bar, place) => { if (runs[place]) picked(bar, `Show the Gantt chart of ${runs[place].name}`, () => theSchedule.showOnly(runs[place])); });
  box.checked = true;
  box.onchange = draw;
  chosenRuns.follow(draw);
  draw();
  remember(box, "bars-log");
};

/** A round value below the least, at which logarithmic bars begin. */
function logarithmicFloor(values) {
  const least = Math.min(...values.filter((value) => value > 0));
  return 10 ** Math.floor(Math.log10(least / 1.5));
}
