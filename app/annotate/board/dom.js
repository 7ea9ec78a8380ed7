// Small helpers of the board: making nodes, keeping the focus, and who has a key.

function node(name, properties = {}, children = []) {
  const made = document.createElement(name);
  for (const [property, value] of Object.entries(properties)) {
    if (value === null) continue;
    if (property === "style" || property === "role" || property.includes("-")) made.setAttribute(property, value);
    else made[property] = value;
  }
  made.append(...children);
  return made;
}

// New children in place of the old; a control that had the focus has it again if it is still among them.
function fill(parent, children) {
  const active = parent.getRootNode().activeElement;
  const held = active && parent.contains(active) ? active.getAttribute("data-focus") : null;
  parent.replaceChildren(...children);
  if (held) parent.querySelector(`[data-focus="${CSS.escape(held)}"]`)?.focus({ preventScroll: true });
}

function same(one, other) {
  const folded = (text) => text.normalize("NFKC").toLowerCase().trim().replace(/\s+/g, " ");
  return folded(one) === folded(other);
}

function marked(text, cues) {
  const words = cues.filter((cue) => cue.trim()).sort((a, b) => b.length - a.length);
  if (!words.length) return [text];
  const pattern = new RegExp(`(${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`, "gi");
  return text.split(pattern).map((part, place) => (place % 2 ? node("mark", {}, [part]) : part));
}

// A chance is never quite sure: 99.7% does not become 100%.
function percentOf(chance) {
  return `${Math.min(99, Math.max(1, Math.round(100 * (chance ?? 0))))}%`;
}

const TYPING = 'input:not([type]), input:not([type=range], [type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable], [role=combobox], [role=textbox]';
const ARROWED = 'input[type=range], input[type=radio], [role=slider], [role=radio], [role=tab], [role=menu], [role=menuitem], [role=listbox], [role=option], [role=grid], canvas';
const PRESSED = 'a[href], button, summary, input, [role=button], [role=link], [tabindex]:not([tabindex="-1"])';

// Whether a control that has the focus has this key too: whoever tabs to a link wants to follow it, not to submit.
function belongsElsewhere(event) {
  const target = event.composedPath()[0]; // event.target would be the host of the shadow root
  if (!(target instanceof Element)) return false;
  if (target.closest(TYPING)) return true;
  const arrow = /^(Arrow|Page|Home$|End$)/.test(event.key);
  if (target.closest(ARROWED)) return arrow || event.key === "Enter" || event.key === " ";
  const control = target.closest(PRESSED);
  if (!control) return false;
  if (event.key === "Enter" || event.key === " ") return true;
  return arrow && control.matches('[tabindex="0"]:not(button)'); // a part of the page that scrolls
}
