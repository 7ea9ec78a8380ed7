// Rows to choose one from. One of them is in the tab order; arrows move, Enter and Space choose.
// Everything a person wrote is set as text, never as markup.

const lists = new WeakMap();

export default function (component) {
  const { parentElement, data, setTriggerValue } = component;
  let list = lists.get(parentElement);
  if (!list) {
    list = new Rows(parentElement.querySelector(".rows"));
    lists.set(parentElement, list);
  }
  list.update(data, setTriggerValue);
  return () => lists.delete(parentElement);
}

class Rows {
  constructor(root) {
    this.table = root.querySelector("table");
    this.head = root.querySelector("thead tr");
    this.body = root.querySelector("tbody");
    this.drawn = "";
    this.body.addEventListener("click", (event) => this.choose(event.target.closest("tr")));
    this.body.addEventListener("keydown", (event) => this.key(event));
  }

  update(data, send) {
    this.send = send;
    this.table.setAttribute("aria-label", data.label);
    const drawn = JSON.stringify([data.columns, data.rows]);
    if (drawn !== this.drawn) this.draw(data);
    this.drawn = drawn;
    for (const row of this.body.rows) row.setAttribute("aria-selected", String(Number(row.dataset.id) === data.selected));
    const open = this.body.querySelector("[aria-selected=true]");
    if (!this.body.contains(this.body.getRootNode().activeElement)) this.enter(open || this.body.rows[0]);
  }

  draw({ columns, rows }) {
    const focused = this.body.getRootNode().activeElement?.dataset?.id;
    this.head.replaceChildren(...columns.map(([name, kind]) => element("th", kind, name)));
    this.body.replaceChildren(...rows.map((row) => {
      const line = element("tr", row.dim ? "dim" : "");
      line.dataset.id = row.id;
      line.tabIndex = -1;
      line.append(...row.cells.map((cell, place) => this.cell(cell, columns[place][1])));
      return line;
    }));
    const again = focused && this.body.querySelector(`[data-id="${focused}"]`);
    if (again) { this.enter(again); again.focus(); }
  }

  cell(value, kind) {
    if (!Array.isArray(value)) {
      const cell = element("td", kind, value.short ?? value);
      cell.title = value.full ?? value;
      return cell;
    }
    const cell = element("td", kind);
    cell.title = value.map((chip) => chip.said).join("\n");
    cell.append(...value.map((chip) => element("span", `chip ${chip.kind}`, chip.text)));
    return cell;
  }

  enter(row) {
    for (const other of this.body.querySelectorAll("[tabindex='0']")) other.tabIndex = -1;
    if (row) row.tabIndex = 0;
  }

  key(event) {
    const row = event.target.closest("tr");
    const rows = [...this.body.rows];
    const place = rows.indexOf(row);
    const steps = { ArrowDown: place + 1, ArrowUp: place - 1, PageDown: place + 8, PageUp: place - 8, Home: 0, End: rows.length - 1 };
    if (event.key === "Enter" || event.key === " ") this.choose(row);
    else if (event.key in steps) {
      const next = rows[Math.max(0, Math.min(rows.length - 1, steps[event.key]))];
      this.enter(next);
      next.focus();
      next.scrollIntoView({ block: "nearest" });
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  choose(row) {
    if (!row) return;
    this.enter(row);
    row.focus();
    this.send("chosen", Number(row.dataset.id));
  }
}

function element(tag, kind, text = "") {
  const made = document.createElement(tag);
  made.className = kind;
  made.textContent = text;
  return made;
}
