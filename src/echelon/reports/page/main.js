// Puts everything on the page.

const TEXTS = ["assumptions", "reproduction"]; // sections without figures; one that only says why it is empty has none either

/** Fold the rows of the summary that fewer people ask for, where there is a table. */
function foldSummary() {
  const table = byId("summary-table"), button = byId("summary-more");
  if (!table || !table.querySelector(".more")) return;
  const captions = [button.textContent, "Show fewer metrics"];
  const fold = (folded) => {
    table.classList.toggle("folded", folded);
    button.textContent = captions[+!folded];
    button.ariaExpanded = String(!folded);
  };
  button.hidden = false;
  button.onclick = () => fold(!table.classList.contains("folded"));
  fold(true);
}

/** Buttons that copy the command beside them. */
function addCopying() {
  for (const button of document.querySelectorAll("button.copy")) {
    const text = button.parentElement.querySelector("pre");
    button.hidden = false;
    button.onclick = async () => {
      try {
        await navigator.clipboard.writeText(text.textContent);
        button.textContent = "Copied";
      } catch {
        // Without leave to the clipboard the text is selected, to be copied by hand.
        getSelection().selectAllChildren(text);
        button.textContent = "Selected";
      }
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    };
  }
}

/** Menus that save each section but those of text. */
function addDownloads() {
  for (const section of document.querySelectorAll("main > section"))
    if (!TEXTS.includes(section.id) && !section.querySelector(":scope > .absent")) addDownload(section, { rows: () => panelRows[section.id]?.() ?? rowsWithin(section) });
}

async function begin() {
  if (!globalThis.DecompressionStream) throw new Error("this browser is too old: it lacks DecompressionStream");
  readTheme();
  addThemeButton(byId("theme"));
  foldSummary();
  addCopying();
  addDownloads();
  const goToSection = addSectionLinks(address);
  const page = JSON.parse(byId("report-data").textContent);
  addDefinitions(document, page.metrics);
  const runs = await loadRuns(page);
  useZone(page.zone);
  chosenRuns = new RunChoice(runs);
  if (runs.length > 1) chosenRuns.addControls(byId("summary-table").parentElement);
  theSchedule = new ScheduleOverTime(runs);
  requestAnimationFrame(() => requestAnimationFrame(() => { document.documentElement.dataset.ready = "true"; }));
  panelRows["time-section"] = () => theSchedule.rows();
  await breath();
  new JobTable(runs, theSchedule.filter);
  addPicks(theSchedule.filter);
  await fillPanels(page.panels, runs);
  goToSection();
}

begin().catch((error) => {
  byId("trouble").hidden = false;
  byId("trouble").textContent = `The charts could not be drawn: ${error.message}.`;
  throw error;
});
