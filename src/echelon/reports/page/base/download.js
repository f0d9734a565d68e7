// What a panel shows as a file: its figures as CSV, its picture as SVG or PNG.

const PNG_SCALE = 2; // pixels of a picture to one of the page
const MOST_PIXELS = 80e6; // of a picture: beyond, browsers give none

/** Give the reader a file. */
function saveFile(name, type, content) {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = node("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Rows of values as CSV (RFC 4180). */
function csvText(rows) {
  const cell = (value) => {
    const text = value == null || Number.isNaN(value) ? "" : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

/** A text as the name of a file. */
const fileName = (text) => text.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 60) || "figure";

/** An SVG text as a PNG. */
async function pngOf(svg, width, height) {
  const scale = Math.min(PNG_SCALE, Math.sqrt(MOST_PIXELS / (width * height))), image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = node("canvas", { width: Math.round(width * scale), height: Math.round(height * scale) });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

/** The figures of all tables, bars and columns within an element, as rows. */
function rowsWithin(element) {
  const tables = [...element.querySelectorAll("table")].flatMap((table, place) => [...(place ? [[]] : []), ...rowsOfTable(table)]);
  const bars = [...element.querySelectorAll("figure")].filter((figure) => figure.querySelector(".bars, .columns-top")).flatMap(rowsOfBars);
  const facts = [...element.querySelectorAll("dl > div")].map((each) => [...each.children].map(textOfCell));
  return [...(bars.length ? [["figure", "name", "value"], ...bars] : []), ...(bars.length && tables.length ? [[]] : []), ...tables,
    ...(facts.length ? [...(bars.length || tables.length ? [[]] : []), ["figure", "value"], ...facts] : [])];
}

const rowsOfTable = (table) => [...table.rows].map((row) => [...row.cells].filter((cell) => !cell.hidden).map(textOfCell));

function rowsOfBars(figure) {
  const title = textOfCell(figure.querySelector("figcaption button") ?? figure.querySelector("figcaption"));
  const bar = (each) => [title, each.querySelector(".bar-name").textContent, each.dataset.value ?? each.querySelector(".bar-value").textContent];
  const column = (each) => [title, ...(each.dataset.label ? [each.dataset.label, each.dataset.value] : [each.title, ""])];
  return [...figure.querySelectorAll("li")].map((each) => each.querySelector(".bar-name") ? bar(each) : column(each));
}

/** What a cell says: its exact value where it has one. */
const textOfCell = (cell) => cell.dataset.value ?? (cell.querySelector("[data-value]")?.dataset.value || cell.textContent.trim().replace(/\s+/g, " "));

/**
 * Put a menu on an element that saves it.
 *
 * `name` begins the file's name; `rows()` gives its figures, those of its tables and bars by default; `picture()`
 * the element that is drawn. Returns the menu.
 */
function downloadMenu(name, { picture, rows = () => rowsWithin(picture()) }) {
  const menu = node("details", { className: "download" }, node("summary", { textContent: "Download", ariaLabel: `Download: ${name}` }));
  const save = { PNG: async () => { const { svg, width, height } = pictureOf(picture()); saveFile(`${fileName(name)}.png`, "image/png", await pngOf(svg, width, height)); },
    SVG: () => saveFile(`${fileName(name)}.svg`, "image/svg+xml", pictureOf(picture()).svg),
    CSV: async () => saveFile(`${fileName(name)}.csv`, "text/csv;charset=utf-8", csvText(await rows())) };
  const entry = ([kind, act]) => node("button", { type: "button", textContent: kind, onclick: async () => { menu.open = false; menu.firstChild.focus(); await act(); } });
  menu.append(node("div", { role: "group", ariaLabel: `Kinds of files: ${name}` }, ...Object.entries(save).map(entry)));
  menu.addEventListener("keydown", (event) => { if (event.key === "Escape" && menu.open) { menu.open = false; menu.firstChild.focus(); event.stopPropagation(); } });
  menu.addEventListener("focusout", (event) => { if (!menu.contains(event.relatedTarget)) menu.open = false; });
  return menu;
}

/** Put such a menu beside the heading of a section. */
function addDownload(section, options = {}) {
  const heading = section.querySelector("h2");
  if (!heading) return;
  const menu = downloadMenu(heading.textContent, { picture: () => section, ...options });
  const row = node("div", { className: "heading" });
  heading.before(row);
  row.append(heading, menu);
}
