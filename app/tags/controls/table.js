// A table of tags. The server sorts, filters and pages; the browser says what was pressed. Whatever a person wrote is set
// as text, never as markup. The focus stays where it was when new rows come: on the same button, or the same place.

const RETURN = 100; // ms after a dialog has gone: whoever else wants the focus has it by then
const tables = new WeakMap();

export default function (component) {
  const { parentElement, data, setTriggerValue } = component;
  const root = parentElement.querySelector(".table");
  let table = tables.get(root);
  if (!table) {
    table = { drawn: "" };
    tables.set(root, table);
    root.addEventListener("click", (event) => press(root, event.target, table));
    root.addEventListener("keydown", (event) => move(root, event));
  }
  table.send = (act) => setTriggerValue("act", act);
  root.dataset.scheme = data.scheme;
  const drawn = JSON.stringify(data);
  if (drawn !== table.drawn) {
    table.drawn = drawn;
    draw(root, data);
  }
  return () => table.watch?.disconnect();
}

function press(root, target, table) {
  const button = target.closest("button");
  if (!button) return;
  const { sort, tag, operation } = button.dataset;
  if (!sort) awaitDialog(root, button, table);
  table.send(sort ? { sort } : { tag: Number(tag), operation: operation || "" });
}

// A dialog gives the focus back to what had it, but does not see into a shadow root: the button is found again here.
function awaitDialog(root, button, table) {
  const [mark, place] = [button.dataset.mark, placeOf(root, button)];
  let wasOpen = false;
  table.watch?.disconnect();
  table.watch = new MutationObserver(() => {
    const isOpen = document.querySelector('[role="dialog"]') !== null;
    if (wasOpen && !isOpen) {
      table.watch.disconnect();
      setTimeout(() => document.activeElement === document.body && focus(root, mark, place), RETURN);
    }
    wasOpen ||= isOpen;
  });
  table.watch.observe(document.body, { childList: true, subtree: true });
}

function placeOf(root, button) {
  return [...root.querySelectorAll("button")].indexOf(button);
}

// The button that did the same for the same tag, or the one that stands where it stood.
function focus(root, mark, place) {
  const buttons = [...root.querySelectorAll("button")];
  (buttons.find((button) => button.dataset.mark === mark) || buttons[Math.min(place, buttons.length - 1)])?.focus();
}

// Up and down go to the same button of the next row; Tab goes through all of them.
function move(root, event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const cell = event.target.closest("td");
  if (!step || !cell) return;
  event.preventDefault();
  const rows = [...root.querySelectorAll("tbody tr")];
  const row = rows[rows.indexOf(cell.parentElement) + step];
  if (!row) return;
  const place = [...cell.parentElement.querySelectorAll("button")].indexOf(event.target.closest("button"));
  const buttons = row.querySelectorAll("button");
  buttons[Math.min(place, buttons.length - 1)].focus();
}

function draw(root, data) {
  const focused = root.getRootNode().activeElement;
  const place = focused ? placeOf(root, focused) : -1;
  const mark = focused && focused.dataset ? focused.dataset.mark : null;
  const head = node("tr", {}, data.columns.map((column) => node(
    "th", { scope: "col", class: column.name, "aria-sort": column.sorted || "none" }, [column.sortable
      ? node("button", { type: "button", "data-sort": column.name, "data-mark": `sort-${column.name}` }, [
        column.label, node("span", { class: "arrow", "aria-hidden": "true" }, [arrow(column.sorted)]),
      ])
      : column.label],
  )));
  const rows = data.rows.map((row) => node("tr", { class: row.status }, [
    node("td", { class: "name" }, [
      node("button", { type: "button", class: "open", "data-tag": row.id, "data-mark": `${row.id}-` }, [row.name]),
      row.note ? node("span", { class: "note" }, [row.note]) : "",
    ]),
    node("td", { class: "uses" }, [row.uses]),
    node("td", { class: "parent", "data-label": data.labels.parent }, [row.parent]),
    node("td", { class: "aliases", "data-label": data.labels.aliases }, row.aliases.map((alias) => node("span", { class: "alias" }, [alias]))),
    node("td", { class: "actions" }, row.actions.map(([operation, label, name]) => node("button", {
      type: "button", "data-tag": row.id, "data-operation": operation, "data-mark": `${row.id}-${operation}`,
      "aria-label": name,
    }, [label]))),
  ]));
  root.replaceChildren(node("table", { "aria-label": data.caption }, [node("thead", {}, [head]), node("tbody", {}, rows)]));
  if (place >= 0) focus(root, mark, place);
}

function arrow(sorted) {
  return { ascending: "↑", descending: "↓" }[sorted] || "↕";
}

function node(tag, attributes, children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...[].concat(children).map((child) => (child instanceof Node ? child : String(child ?? ""))));
  return made;
}
