// Controls of the report whose state its address holds.

const address = new UrlState();

/** Keep what a select or a checkbox says in the address, under a name. */
function remember(control, name) {
  const isBox = control.type === "checkbox", now = () => isBox ? control.checked : control.value;
  const apply = (value) => {
    control[isBox ? "checked" : "value"] = value;
    control.dispatchEvent(new Event("change"));
  };
  const read = isBox ? readSwitch : (text) => [...control.options].some((option) => option.value === text) ? text : undefined;
  const initial = now(), value = address.choice(name, { initial, read, write: isBox ? writeSwitch : String, apply });
  control.addEventListener("change", () => address.set(name, now()));
  if (value !== initial) apply(value);
}

/** How a table of so many columns is sorted, kept in the address; `apply(sort)` sorts it when that changes. */
function rememberedSort(name, columns, initial, apply) {
  const read = (text) => {
    const found = /^(\d{1,3}):(up|down)$/.exec(text);
    return found && +found[1] < columns ? { column: +found[1], descending: found[2] === "down" } : undefined;
  };
  const write = ({ column, descending }) => `${column}:${descending ? "down" : "up"}`;
  return { sort: address.choice(name, { initial, read, write, apply }), onSort: (sort) => address.set(name, sort) };
}
