// A table that is sorted by the heading pressed, and shows more of its rows when asked.

const FIRST_ROWS = 15;

/**
 * Fill a table. Columns have `name`, `value(row)`, `text(row)`, and may have `metric`, whose definition their heading
 * shows, and `saved`, what the values are in a file if that is another unit; rows are numbers 0 to n - 1.
 *
 * Options: `sort` is how it begins, { column, descending }; `onSort(sort)` is called with another; `onRow(row)` makes
 * rows answer: each is then a button by its first cell; `isChosen(row)` marks some; `first` is how many rows are shown at
 * once; `dress(row, element)` adds to a row what stands under the heading `extra`.
 */
function sortableTable(table, columns, n, more, { sort = null, onSort = () => null, onRow = null, isChosen = () => false, first = FIRST_ROWS, dress = null, extra = "" } = {}) {
  const state = { column: columns.length > 2 ? 2 : 0, descending: true, ...(sort && columns[sort.column] ? sort : {}), all: false };
  const buttons = columns.map((column, place) => {
    const button = node("button", { type: "button", textContent: column.name });
    button.onclick = () => {
      state.descending = state.column === place ? !state.descending : place > 0;
      state.column = place;
      draw();
      onSort({ column: state.column, descending: state.descending });
    };
    return button;
  });
  const heads = buttons.map((button, place) => {
    const cell = node("th", { scope: "col" }, button);
    if (columns[place].metric) cell.dataset.metric = columns[place].metric;
    return cell;
  });
  const head = node("thead", {}, node("tr", {}, ...heads, ...(dress ? [node("th", { scope: "col", textContent: extra })] : [])));
  more.onclick = () => { state.all = !state.all; draw(); };

  function draw() {
    const order = sortedRows(n, columns[state.column].value, state.descending).slice(0, state.all ? n : first);
    heads.forEach((cell, place) => cell.setAttribute("aria-sort", place !== state.column ? "none" : state.descending ? "descending" : "ascending"));
    const body = tableBody(order.map((row) => columns.map((column) => column.text(row))));
    if (onRow) order.forEach((row, place) => answering(body.rows[place], () => onRow(row), isChosen(row)));
    if (dress) order.forEach((row, place) => dress(row, body.rows[place]));
    table.replaceChildren(head, body);
    more.hidden = n <= first;
    more.textContent = state.all ? `Show ${first}` : `Show all ${number.format(n)}`;
  }
  draw();
  return { draw, rows: () => [columns.map(({ name, saved = name }) => saved), ...sortedRows(n, columns[state.column].value, state.descending).map((row) => columns.map(({ value }) => value(row)))] };
}

/** Numbers of rows in the order of their values; those of one value stay in order, those without one come last. */
function sortedRows(n, value, descending) {
  const sign = descending ? -1 : 1, keys = Array.from({ length: n }, (_, row) => value(row));
  const isLess = new Intl.Collator("en", { numeric: true }).compare;
  return Array.from(keys, (_, row) => row).sort((a, b) => {
    const x = keys[a], y = keys[b], lacks = (x == null || x !== x) - (y == null || y !== y);
    return lacks || (x == null || x !== x ? 0 : sign * (typeof x === "string" ? isLess(x, String(y)) : x - y)) || a - b;
  });
}

/** Make a row of a table answer to a click, and its first cell to the keyboard. */
function answering(row, act, chosen) {
  const [first] = row.cells, button = node("button", { type: "button", className: "pick" }, ...first.childNodes);
  button.setAttribute("aria-pressed", String(chosen));
  first.replaceChildren(button);
  row.classList.add("answers");
  row.classList.toggle("chosen", chosen);
  row.onclick = act;
}
