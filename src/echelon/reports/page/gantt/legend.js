// The legend of the Gantt chart's colors: choosing an entry highlights its jobs.

class Legend {
  /** `choose` is called with the class chosen, or null. */
  constructor(host, choose) {
    this.host = host;
    this.choose = choose;
    this.chosen = null;
  }

  /** Show the classes of a rule that any job has. */
  show(classes, colors) {
    const places = colors.map((_, place) => place).filter((place) => classes.used.has(place));
    this.host.replaceChildren(...places.map((place) => this.entry(classes.title(place), colors[place], place)));
  }

  entry(title, rgb, place) {
    const box = node("i", { style: `background:rgb(${rgb.map(Math.round)})` });
    const button = node("button", { type: "button", value: place, title: "Highlight these jobs" }, box, title);
    button.setAttribute("aria-pressed", String(this.chosen === place));
    button.onclick = () => this.choose(this.chosen === place ? null : place);
    return node("li", {}, button);
  }

  /** Mark an entry as chosen; none for null. */
  mark(chosen) {
    this.chosen = chosen;
    for (const button of this.host.querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.value === String(chosen)));
  }
}
