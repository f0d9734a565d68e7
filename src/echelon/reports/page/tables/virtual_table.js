// A table of very many rows, of which only those in sight are on the page.

const ROW = 30; // pixels
const MOST_HIGH = 8e6; // pixels: browsers draw nothing far below
const SPARE = 6; // rows above and below what is in sight

/**
 * Columns have `name`, `text(row)`, `isNumber`, and may have `metric`; `rows` are numbers in the order shown.
 * `choose(row)` is called for a click or Enter, `sort(column)` for a heading.
 */
class VirtualTable {
  constructor(host, { label, columns, choose, sort }) {
    Object.assign(this, { host, columns, choose, rows: [], active: 0, chosen: -1, drawn: "" });
    this.heads = columns.map(({ name, metric }, place) => {
      const cell = node("th", { scope: "col", className: columns[place].isNumber ? "" : "text" }, node("button", { type: "button", textContent: name, onclick: () => sort(place) }));
      if (metric) cell.dataset.metric = metric;
      cell.setAttribute("aria-colindex", String(place + 1));
      return cell;
    });
    this.body = node("tbody");
    this.table = node("table", { className: "sortable virtual" }, node("thead", {}, node("tr", {}, ...this.heads)), this.body);
    this.table.setAttribute("aria-label", label);
    this.table.setAttribute("aria-colcount", String(columns.length));
    this.room = node("div", { className: "virtual-room" }, this.table);
    this.scroll = node("div", { className: "scroll virtual-scroll", tabIndex: 0, role: "region", ariaLabel: label }, this.room);
    host.append(this.scroll);
    this.scroll.addEventListener("scroll", () => this.draw(), { passive: true });
    this.scroll.addEventListener("keydown", (event) => this.key(event));
    this.body.addEventListener("click", (event) => { const row = event.target.closest("tr"); if (row) this.pick(+row.dataset.at); });
    new ResizeObserver(() => this.draw(true)).observe(this.scroll);
  }

  /** Show these rows, from the first on. */
  show(rows, { column, descending }) {
    this.rows = rows;
    this.active = 0;
    this.heads.forEach((cell, place) => cell.setAttribute("aria-sort", place !== column ? "none" : descending ? "descending" : "ascending"));
    this.table.setAttribute("aria-rowcount", String(rows.length + 1));
    this.scroll.scrollTop = 0;
    this.draw(true);
  }

  get high() { return Math.min(MOST_HIGH, this.rows.length * ROW); }
  get headHigh() { return this.table.tHead.offsetHeight || ROW; }
  get sight() { return Math.max(1, Math.floor((this.scroll.clientHeight - this.headHigh) / ROW)); }

  /** The first row in sight: by pixels, or by the share of the way where pixels would be too many. */
  get first() {
    const most = Math.max(0, this.rows.length - this.sight), way = this.high - this.sight * ROW;
    return way <= 0 ? 0 : Math.min(most, Math.round(this.scroll.scrollTop / way * most));
  }

  draw(always = false) {
    const from = Math.max(0, this.first - SPARE), to = Math.min(this.rows.length, this.first + this.sight + SPARE + 1);
    const key = `${from} ${to} ${this.chosen}`;
    if (key === this.drawn && !always) return;
    this.drawn = key;
    this.room.style.height = `${this.high + this.headHigh}px`;
    const exact = this.high === this.rows.length * ROW, above = exact ? from * ROW : Math.max(0, Math.min(this.scroll.scrollTop - (this.first - from) * ROW, this.high - (to - from) * ROW));
    this.body.replaceChildren(node("tr", { className: "room", ariaHidden: "true" }, node("td", { colSpan: this.columns.length, style: `height:${above}px` })), ...Array.from({ length: to - from }, (_, k) => this.row(from + k)));
  }

  row(at) {
    const job = this.rows[at], line = node("tr", { className: job === this.chosen ? "answers chosen" : "answers" }, ...this.columns.map(({ text, isNumber }, place) => node(place ? "td" : "th", { textContent: text(job), ...(place ? {} : { scope: "row" }), ...(isNumber ? {} : { className: "text" }) })));
    line.dataset.at = at;
    line.setAttribute("aria-rowindex", String(at + 2));
    if (at === this.active) line.classList.add("active");
    return line;
  }

  pick(at) {
    this.active = at;
    this.chosen = this.rows[at];
    this.draw(true);
    this.choose(this.rows[at]);
  }

  /** Mark a row as chosen, and bring it into sight. */
  mark(job) {
    this.chosen = job;
    const at = this.rows.indexOf(job);
    if (at >= 0) this.reach(at);
    this.draw(true);
  }

  reach(at) {
    this.active = at;
    const most = Math.max(1, this.rows.length - this.sight), way = this.high - this.sight * ROW;
    if (at < this.first || at >= this.first + this.sight) this.scroll.scrollTop = Math.max(0, Math.min(1, (at - this.sight / 2) / most)) * way;
    this.draw(true);
  }

  key(event) {
    if (event.target !== this.scroll) return;
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: this.sight, PageUp: -this.sight, Home: -Infinity, End: Infinity }[event.key];
    if (event.key === "Enter" && this.rows.length) this.pick(this.active);
    else if (by !== undefined) this.reach(Math.max(0, Math.min(this.rows.length - 1, this.active + by)));
    else return;
    event.preventDefault();
    const line = this.body.querySelector(".active");
    byId("spoken").textContent = event.key === "Enter" || !line ? "" : [...line.cells].map((cell, place) => `${this.columns[place].name} ${cell.textContent}`).join(", ");
  }
}
