// The page on a study stands without a script. With one its charts answer, and all configurations are a table.

const TEXTS = ["summary", "priorities", "tests", "failures", "reproduction"]; // sections without charts

function begin() {
  readTheme();
  addThemeButton(byId("theme"));
  const dataElement = byId("study-data"), address = new UrlState(), rows = new Map();
  if (dataElement) {
    const page = JSON.parse(dataElement.textContent);
    for (const [name, metric] of Object.entries(page.metrics)) page.metrics[name] = new Measure(name, metric);
    const choices = new Choices(page, address);
    for (const figure of document.querySelectorAll("figure.drawn:has(script)")) {
      const section = figure.closest("section").id;
      rows.set(section, [...(rows.get(section) ?? []), choices.enliven(figure)]);
    }
    const explorer = new Explorer(page, choices, address);
    rows.set("configurations", [() => explorer.csv()]);
    addDefinitions(document, page.definitions);
    choices.changed();
  }
  for (const section of document.querySelectorAll("main > section"))
    if (!TEXTS.includes(section.id)) addDownload(section, { rows: () => rowsOfSection(section, rows.get(section.id) ?? []) });
  const go = addSectionLinks(address);
  followScrolling(address);
  document.documentElement.dataset.ready = "true";
  go();
}

/** Keep in the address which section is at the top of the window. */
function followScrolling(address) {
  const sections = [...document.querySelectorAll("main > section")];
  let rest = null;
  addEventListener("scroll", () => {
    clearTimeout(rest);
    rest = setTimeout(() => {
      const above = sections.filter((section) => section.getBoundingClientRect().top < innerHeight / 3);
      address.set("at", scrollY < 10 ? "" : above.at(-1)?.id ?? "", { replace: true });
    }, 200);
  }, { passive: true });
}

/** The figures of a section: its tables, then its charts. */
function rowsOfSection(section, charts) {
  if (section.id === "configurations") return charts[0]();
  const tables = rowsWithin(section);
  return [...tables, ...(tables.length ? [[]] : []), ...charts.flatMap((rows) => rows())];
}

begin();
