// A table that is sorted by the heading pressed, and shows more of its rows when asked.

const FIRST_ROWS = 15;

/** Fill a table. Columns have `name`, `value(row)`, `text(row)`; rows are numbers 0 to n - 1. */
function sortableTable(table, columns, n, more) {
  const state = { column: columns.length > 2 ? 2 : 0, descending: true, all: false };
  const buttons = columns.map((column, place) => {
    const button = node("button", { type: "button", textContent: column.name });
    button.onclick = () => {
      state.descending = state.column === place ? !state.descending : place > 0;
      state.column = place;
      draw();
    };
    return button;
  });
  const heads = buttons.map((button) => node("th", { scope: "col" }, button));
  const head = node("thead", {}, node("tr", {}, ...heads));
  more.onclick = () => { state.all = !state.all; draw(); };

  function draw() {
    const { value } = columns[state.column], sign = state.descending ? -1 : 1;
    const compare = (a, b) => {
      const x = value(a), y = value(b);
      return sign * (typeof x === "string" ? x.localeCompare(y, "en", { numeric: true }) : x - y) || a - b;
    };
    const order = Array.from({ length: n }, (_, row) => row).sort(compare).slice(0, state.all ? n : FIRST_ROWS);
    heads.forEach((cell, place) => cell.setAttribute("aria-sort", place !== state.column ? "none" : state.descending ? "descending" : "ascending"));
    table.replaceChildren(head, tableBody(order.map((row) => columns.map((column) => column.text(row)))));
    more.hidden = n <= FIRST_ROWS;
    more.textContent = state.all ? `Show ${FIRST_ROWS}` : `Show all ${number.format(n)}`;
  }
  draw();
}
