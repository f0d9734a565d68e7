// The legend of the Gantt chart's colors: choosing an entry highlights its jobs.

class Legend {
  /** `choose` is called with the class chosen, or null. */
  constructor(host, choose) {
    this.host = host;
    this.choose = choose;
    this.chosen = null;
  }

  /** Show the classes of a rule; a class without jobs in the first run is faint. */
  show(classes, colors) {
    this.host.replaceChildren(...colors.map((rgb, place) => this.entry(classes.title(place), rgb, place)));
  }

  entry(title, rgb, place) {
    const box = node("i", { style: `background:rgb(${rgb.map(Math.round)})` });
    const button = node("button", { type: "button", title: "Highlight these jobs" }, box, title);
    button.setAttribute("aria-pressed", String(this.chosen === place));
    button.onclick = () => this.choose(this.chosen === place ? null : place);
    return node("li", {}, button);
  }

  /** Mark an entry as chosen; none for null. */
  mark(chosen) {
    this.chosen = chosen;
    [...this.host.querySelectorAll("button")].forEach((button, place) => button.setAttribute("aria-pressed", String(place === chosen)));
  }
}
