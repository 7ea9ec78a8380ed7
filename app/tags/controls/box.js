// A text field that completes tags: the server hears what was typed once the fingers rest, and sends what matches.
// While an input method composes (pinyin to hanzi) nothing is sent, and no key belongs to the list.

const REST = 180; // ms
const boxes = new WeakMap();
let number = 0;

export default function (component) {
  const { parentElement, data, setStateValue } = component;
  const root = parentElement.querySelector(".box");
  let box = boxes.get(root);
  if (!box) boxes.set(root, (box = new Box(root, data)));
  box.send = (text) => setStateValue("text", text);
  box.update(data);
  return () => clearTimeout(box.waiting);
}

class Box {
  constructor(root, data) {
    this.root = root;
    this.list = node("ul", { id: `tag-matches-${(number += 1)}`, role: "listbox", hidden: "" });
    this.field = node("input", {
      id: `tag-box-${number}`, type: "text", maxlength: data.longest, autocomplete: "off", spellcheck: "false",
    });
    if (data.completes) {
      for (const [name, value] of [["role", "combobox"], ["aria-autocomplete", "list"], ["aria-controls", this.list.id], ["aria-expanded", "false"]]) {
        this.field.setAttribute(name, value);
      }
    }
    this.label = node("label", { for: this.field.id });
    this.field.value = this.sent = data.text;
    this.matches = [];
    this.active = -1;
    this.chosen = data.text;
    root.replaceChildren(this.label, this.field, this.list);
    this.field.addEventListener("input", (event) => event.isComposing || this.typed());
    this.field.addEventListener("compositionend", () => this.typed());
    this.field.addEventListener("keydown", (event) => this.key(event));
    this.field.addEventListener("blur", () => { this.tell(); this.show([]); });
    this.list.addEventListener("mousedown", (event) => event.preventDefault()); // the field keeps the focus
    this.list.addEventListener("click", (event) => {
      const option = event.target.closest("[role=option]");
      if (option) this.choose(Number(option.dataset.place));
    });
    if (data.focus) requestAnimationFrame(() => this.field.focus());
  }

  update(data) {
    this.root.dataset.scheme = data.scheme;
    this.label.textContent = data.label;
    this.list.setAttribute("aria-label", data.label);
    this.field.placeholder = data.placeholder;
    const here = this.root.getRootNode().activeElement === this.field;
    if (data.completes && here && data.text === this.field.value && data.text !== this.chosen) this.show(data.matches);
  }

  typed() {
    clearTimeout(this.waiting);
    this.chosen = null;
    this.waiting = setTimeout(() => this.tell(), REST);
  }

  tell() {
    clearTimeout(this.waiting);
    if (this.field.value === this.sent) return;
    this.sent = this.field.value;
    this.send(this.sent);
  }

  key(event) {
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && this.matches.length) this.mark((this.active + step + this.matches.length) % this.matches.length);
    else if (event.key === "Enter" && this.active >= 0) this.choose(this.active);
    else if (event.key === "Enter") this.tell();
    else if (event.key === "Escape" && this.matches.length) this.show([]);
    else return;
    event.preventDefault();
    event.stopPropagation(); // Escape closes the list, not the dialog around it
  }

  choose(place) {
    this.field.value = this.chosen = this.matches[place].name;
    this.show([]);
    this.tell();
  }

  show(matches) {
    this.matches = matches;
    this.list.replaceChildren(...matches.map((match, place) => node("li", {
      id: `${this.list.id}-${place}`, role: "option", "data-place": place, "aria-selected": "false",
    }, [node("span", { class: "name" }, [match.name]), node("span", { class: "about" }, [match.about])])));
    this.list.hidden = !matches.length;
    if (this.field.hasAttribute("role")) this.field.setAttribute("aria-expanded", String(matches.length > 0));
    this.mark(matches.length ? 0 : -1);
  }

  mark(place) {
    this.active = place;
    [...this.list.children].forEach((option, at) => option.setAttribute("aria-selected", String(at === place)));
    if (place < 0) this.field.removeAttribute("aria-activedescendant");
    else this.field.setAttribute("aria-activedescendant", `${this.list.id}-${place}`);
  }
}

function node(tag, attributes, children = []) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.map((child) => (child instanceof Node ? child : String(child ?? ""))));
  return made;
}
