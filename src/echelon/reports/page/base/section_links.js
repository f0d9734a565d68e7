// Links to the sections of a page.

/** Let links to sections keep what else the address says; returns what goes to the section that it names. */
function addSectionLinks(address) {
  const sections = [...document.querySelectorAll("main > section")].map(({ id }) => id), go = (id) => byId(id)?.scrollIntoView({ block: "start" });
  address.choice("at", { initial: "", read: oneOf(sections), apply: go });
  for (const link of document.querySelectorAll("nav a"))
    link.onclick = (event) => {
      const id = link.hash.slice(1);
      if (event.ctrlKey || event.metaKey || event.shiftKey || !sections.includes(id)) return;
      event.preventDefault();
      address.set("at", id);
      go(id);
      byId(id).querySelector("h2").tabIndex = -1;
      byId(id).querySelector("h2").focus({ preventScroll: true });
    };
  return () => { if (address.get("at")) go(address.get("at")); };
}
