// What a metric is: its definition, unit and source, shown where its name stands.

const SHOW_AFTER = 150; // milliseconds for which a pointer rests on a name

/**
 * Let every element of `root` with `data-metric` show its definition: when a pointer rests on it, when it has the
 * focus, and when it is tapped. `known` has label, unit, formula, source and better of each metric by its name.
 */
function addDefinitions(root, known) {
  const box = definitionBox();
  for (const element of root.querySelectorAll("[data-metric]")) {
    const facts = Object.hasOwn(known, element.dataset.metric) ? known[element.dataset.metric] : null;
    if (facts && !element.dataset.defined) defined(element, facts, box);
  }
}

/** The one box in which definitions are shown. */
function definitionBox() {
  const found = document.getElementById("definition");
  if (found) return found;
  const box = node("div", { id: "definition", className: "definition", role: "tooltip", hidden: true });
  document.body.append(box);
  addEventListener("keydown", (event) => { if (event.key === "Escape") box.hidden = true; });
  document.addEventListener("pointerdown", (event) => { if (!event.target.closest("[data-defined]")) box.hidden = true; });
  return box;
}

function defined(element, facts, box) {
  const named = element.matches("th, figcaption, dt") ? element : element.querySelector("th, figcaption, dt") ?? element;
  const has = named.querySelector("button"), term = has ?? node("button", { type: "button", className: "term" }, ...named.childNodes);
  if (!has) named.append(term);
  element.dataset.defined = "true";
  term.dataset.defined = "true";
  let rest = null;
  const show = () => {
    box.replaceChildren(...definitionOf(facts));
    box.hidden = false;
    term.setAttribute("aria-describedby", box.id);
    placeBeside(box, term);
  };
  const hide = () => {
    clearTimeout(rest);
    box.hidden = true;
    term.removeAttribute("aria-describedby");
  };
  term.addEventListener("pointerenter", (event) => { if (event.pointerType === "mouse") rest = setTimeout(show, SHOW_AFTER); });
  term.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") hide(); });
  term.addEventListener("focus", show);
  term.addEventListener("blur", hide);
  if (!has) term.addEventListener("click", show);
}

/** What is known of a metric, as elements. */
function definitionOf({ label, unit, formula, source, better }) {
  const rows = [["definition", node("code", { textContent: formula })], ["unit", unit], ["better", { low: "less", high: "more" }[better]], ["source", source]];
  const list = rows.filter(([, value]) => value).flatMap(([name, value]) => [node("dt", { textContent: name }), node("dd", {}, value)]);
  return [node("b", { textContent: label }), node("dl", {}, ...list)];
}

/** Put a box below an element, or above it where there is no room, within the window. */
function placeBeside(box, element) {
  const at = element.getBoundingClientRect(), room = document.documentElement.clientWidth - box.offsetWidth - 8;
  box.style.left = `${Math.max(8, Math.min(at.left, room)) + scrollX}px`;
  const below = at.bottom + 6 + box.offsetHeight <= innerHeight || at.top < box.offsetHeight + 6;
  box.style.top = `${(below ? at.bottom + 6 : at.top - box.offsetHeight - 6) + scrollY}px`;
}
