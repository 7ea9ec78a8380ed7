// The board: one question, its tags, and every key. Verdicts live here until they are submitted, so a key answers at
// once; the server hears of a decision as one message with a number of its own (nonce), and repeating it is harmless.
// Everything a person or the model wrote is set as text, never as markup.

const SETTLE = 300; // ms an item must have been on the screen before a key may decide it
const PATIENCE = 6000; // ms without an answer before a message is sent again
const boards = new WeakMap();

export default function (component) {
  const { parentElement, data } = component;
  let board = boards.get(parentElement);
  if (!board) {
    board = new Board(parentElement.querySelector(".board"));
    boards.set(parentElement, board);
  }
  board.update(component, data);
  return () => {
    board.leave();
    boards.delete(parentElement);
  };
}

class Board {
  constructor(root) {
    this.root = root;
    this.find = (selector) => root.querySelector(selector);
    this.item = null;
    this.draft = emptyDraft();
    this.pending = null;
    this.selected = 0;
    this.mode = "tags"; // or "skip", "flag": the note is open
    this.matches = [];
    this.active = 0;
    this.sequence = 0; // of the searches asked for
    this.answered = 0;
    this.taking = false; // Enter was pressed before the matches came
    this.onKey = (event) => this.key(event);
    document.addEventListener("keydown", this.onKey);
    this.clock = setInterval(() => this.tick(), 1000);
    const box = this.find(".search-box");
    box.addEventListener("input", () => this.ask(box.value));
    box.addEventListener("keydown", (event) => this.searchKey(event));
    this.find(".note-box").addEventListener("keydown", (event) => this.noteKey(event));
    this.find(".threshold input").addEventListener("input", (event) => {
      this.cut = Number(event.target.value);
      this.draw();
    });
  }

  leave() {
    document.removeEventListener("keydown", this.onKey);
    clearInterval(this.clock);
    clearTimeout(this.asking);
  }

  update(component, data) {
    this.send = component.setTriggerValue;
    this.data = data;
    this.texts = data.texts;
    this.root.dataset.scheme = data.scheme;
    if (this.pending && [data.receipt?.nonce, data.error?.nonce].includes(this.pending.nonce)) this.pending = null;
    const id = data.item ? data.item.id : null;
    if (id !== (this.item ? this.item.id : null)) this.open(data.item);
    else this.item = data.item;
    if (data.search && data.search.sequence === this.sequence && this.answered !== this.sequence) {
      this.answered = this.sequence;
      this.showMatches(data.search.matches);
      if (this.taking) this.take(0);
    }
    this.draw();
  }

  open(item) {
    this.item = item;
    this.draft = item ? load(item.id) : emptyDraft();
    this.selected = 0;
    this.cut = Math.floor(this.data.threshold * this.data.beam + 1e-9);
    this.sure = false;
    this.mode = "tags";
    this.openedAt = performance.now();
    this.find(".search-box").value = "";
    this.answered = this.sequence;
    this.taking = false;
    this.showMatches([]);
    if (this.root.getRootNode().activeElement) this.root.getRootNode().activeElement.blur();
    this.look();
  }

  // --- keys -------------------------------------------------------------------------------------------------------

  key(event) {
    if (event.repeat || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event) || document.querySelector('[role="dialog"]')) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (this.mode !== "tags") {
      if (key === "Escape") this.close();
      else if (/^[1-9]$/.test(key)) this.choose(Number(key) - 1);
      else if (key === "Enter" && this.mode === "flag") this.close();
      else return;
      event.preventDefault();
      return;
    }
    if (key === "Enter" && event.target && event.target.tagName === "BUTTON") return; // the button has it
    const act = {
      Enter: () => this.submit(), a: () => this.acceptAll(), s: () => this.openNote("skip"), f: () => this.openNote("flag"),
      u: () => this.undo(), "/": () => this.find(".search-box").focus(),
      ArrowDown: () => this.move(1), ArrowUp: () => this.move(-1), j: () => this.move(1), k: () => this.move(-1),
      " ": () => this.toggle(this.selected), x: () => this.judge(this.selected, "rejected"),
    }[key];
    if (act) act();
    else if (/^[0-9]$/.test(key)) this.toggle(key === "0" ? 9 : Number(key) - 1);
    else return;
    event.preventDefault();
  }

  searchKey(event) {
    if (event.isComposing) return;
    if (event.key === "Escape") { event.target.value = ""; this.showMatches([]); event.target.blur(); }
    else if (event.key === "ArrowDown") this.point(1);
    else if (event.key === "ArrowUp") this.point(-1);
    else if (event.key === "Enter") { if (!event.repeat) this.take(this.active); }
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  noteKey(event) {
    if (event.isComposing) return;
    if (event.key === "Escape") this.close();
    else if (event.key === "Enter" && !event.repeat) this.confirmNote();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // --- deciding ---------------------------------------------------------------------------------------------------

  get ready() {
    return this.item && !this.pending && performance.now() - this.openedAt >= SETTLE;
  }

  toggle(place) {
    const tag = this.data.tags[place];
    if (!tag || !this.ready) return;
    const next = { undefined: "accepted", accepted: "rejected", rejected: undefined }[this.draft.verdicts[tag.tag]];
    this.judge(place, next);
  }

  judge(place, verdict) {
    const tag = this.data.tags[place];
    if (!tag || !this.ready) return;
    if (verdict && this.draft.verdicts[tag.tag] !== verdict) this.draft.verdicts[tag.tag] = verdict;
    else delete this.draft.verdicts[tag.tag];
    this.touch();
    if (this.selected !== place) { this.selected = place; this.look(); }
    this.draw();
  }

  acceptAll() {
    if (!this.ready) return;
    for (const tag of this.data.tags) {
      if (tag.votes > this.cut && !this.draft.verdicts[tag.tag]) this.draft.verdicts[tag.tag] = "accepted";
    }
    this.touch();
    this.draw();
  }

  move(step) {
    const count = this.data.tags.length;
    if (!count) return;
    this.selected = (this.selected + step + count) % count;
    this.look();
    this.draw();
  }

  add(name) {
    const text = name.trim().replace(/\s+/g, " ");
    if (!text || !this.item) return;
    const offered = this.data.tags.find((tag) => same(tag.tag, text));
    if (offered) this.draft.verdicts[offered.tag] = "accepted";
    else if (!this.draft.added.some((other) => same(other, text))) this.draft.added.push(text);
    this.touch();
    this.draw();
  }

  touch() {
    this.sure = false;
    this.draft.touched = true;
    save(this.item.id, this.draft);
  }

  submit() {
    if (!this.ready) return;
    const taken = this.draft.added.length + Object.values(this.draft.verdicts).filter((v) => v === "accepted").length;
    if (!taken && !this.sure) { // an empty answer is an answer, but not by a slip of the finger
      this.sure = true;
      this.draw();
      return;
    }
    const verdicts = { ...this.draft.verdicts };
    for (const tag of this.draft.added) verdicts[tag] = "added";
    this.tell("submit", {
      verdicts, shown: this.data.tags.map((tag) => tag.tag), comment: this.draft.comment, flag: this.draft.flag,
      seconds: (this.draft.spent + performance.now() - this.openedAt) / 1000,
    });
  }

  skip(reason) {
    if (this.ready && reason.trim()) this.tell("skip", { reason: reason.trim() });
  }

  undo() {
    if (!this.pending && this.data.canUndo) this.tell("undo", {});
  }

  tell(type, more) {
    const nonce = crypto.randomUUID();
    this.pending = {
      nonce, sentAt: performance.now(), tries: 1,
      message: { type, nonce, item: this.item?.id ?? null, lease: this.item?.lease ?? null, ...more },
    };
    this.send("act", this.pending.message);
    this.draw();
  }

  tick() {
    if (this.pending && performance.now() - this.pending.sentAt > PATIENCE) {
      this.pending.sentAt = performance.now();
      this.pending.tries += 1;
      this.send("act", { ...this.pending.message, again: this.pending.tries });
      this.draw();
    }
  }

  // --- search -----------------------------------------------------------------------------------------------------

  ask(text) {
    clearTimeout(this.asking);
    this.taking = false;
    this.sequence += 1; // what was asked before is of no interest any more
    if (!text.trim()) { this.answered = this.sequence; this.showMatches([]); return; }
    this.asking = setTimeout(() => this.send("query", { text, sequence: this.sequence }), 120);
  }

  showMatches(matches) {
    const typed = this.find(".search-box").value.trim();
    const exact = matches.some((match) => same(match.name, typed) || same(match.matched, typed));
    this.matches = typed ? [...matches, ...(exact ? [] : [{ name: typed, fresh: true }])] : [];
    this.active = 0;
    this.drawMatches();
  }

  point(step) {
    if (!this.matches.length) return;
    this.active = (this.active + step + this.matches.length) % this.matches.length;
    this.drawMatches();
  }

  take(place) {
    const box = this.find(".search-box");
    if (!box.value.trim()) { box.blur(); return; }
    if (this.answered !== this.sequence) { this.taking = true; return; } // Enter before the answer: wait for it
    this.taking = false;
    const chosen = this.matches[place];
    if (!chosen) return;
    this.add(chosen.name);
    box.value = "";
    this.sequence += 1;
    this.answered = this.sequence;
    this.showMatches([]);
  }

  // --- notes: why it is skipped, what is wrong with it --------------------------------------------------------------

  openNote(mode) {
    if (!this.ready) return;
    this.mode = mode;
    this.find(".note-box").value = mode === "flag" ? this.draft.comment : "";
    this.draw();
    this.find(".note-box").placeholder = mode === "flag" ? this.texts.comment : this.texts.reason;
  }

  choose(place) {
    const choices = this.mode === "skip" ? this.texts.reasons : this.texts.flags;
    if (!choices[place]) return;
    if (this.mode === "skip") { this.skip(choices[place]); return; }
    this.draft.flag = this.draft.flag === choices[place] ? null : choices[place];
    this.touch();
    this.draw();
    this.find(".note-box").focus();
  }

  confirmNote() {
    const text = this.find(".note-box").value;
    if (this.mode === "skip") { this.skip(text); return; }
    this.draft.comment = text;
    if (text.trim() && !this.draft.flag) this.draft.flag = this.texts.flags[0];
    this.touch();
    this.close();
  }

  close() {
    if (this.mode === "flag") { this.draft.comment = this.find(".note-box").value; this.touch(); }
    this.mode = "tags";
    this.find(".note-box").blur();
    this.draw();
  }

  look() { // evidence is worked out only for the tag a person looks at
    clearTimeout(this.looking);
    const tag = this.data.tags[this.selected];
    if (!this.item || !tag || this.data.evidence[tag.tag]) return;
    this.looking = setTimeout(() => { if (!this.pending) this.send("look", { item: this.item.id, tag: tag.tag }); }, 250);
  }

  // --- drawing ----------------------------------------------------------------------------------------------------

  draw() {
    const { data, texts, item } = this;
    if (!item) return;
    const tag = data.tags[this.selected];
    this.drawQuestion(tag);
    this.drawEvidence(tag);
    const slider = this.find(".threshold input");
    this.find(".threshold").hidden = !data.tags.length;
    slider.max = data.beam;
    slider.value = this.cut;
    slider.setAttribute("aria-label", texts.threshold);
    this.find(".threshold-label").textContent = `${texts.threshold} > ${this.cut} / ${data.beam}`;
    this.drawTags();
    fill(this.find(".added"), this.draft.added.map((name, place) => node("li", {}, [
      name, node("button", { type: "button", ariaLabel: `${texts.remove} ${name}`, onclick: () => { this.draft.added.splice(place, 1); this.touch(); this.draw(); } }, ["×"]),
    ])));
    this.find(".search-box").placeholder = texts.search;
    this.find(".search-box").ariaLabel = texts.search;
    this.drawNote();
    this.drawActions();
    this.drawState();
    this.find(".progress").textContent = data.progress;
    fill(this.find(".legend"), texts.legend.map(([keys, meaning]) => node("span", {}, [node("kbd", {}, [keys]), meaning])));
  }

  drawQuestion(tag) {
    const { item, texts } = this;
    const meta = [node("span", {}, [`#${item.id}`])];
    if (item.source) meta.push(node("span", {}, [item.source]));
    if (item.url) meta.push(node("a", { href: item.url, target: "_blank", rel: "noopener noreferrer" }, [texts.original]));
    if (item.blind) meta.push(node("span", { className: "blind" }, [texts.blind]));
    if (item.prior.length) meta.push(node("span", {}, [`${texts.prior} ${item.prior.join("、")}`]));
    if (item.others) meta.push(node("span", {}, [item.others]));
    fill(this.find(".meta"), meta);
    const cues = tag ? tag.cues : [];
    fill(this.find(".title"), marked(item.title, cues));
    fill(this.find(".description"), marked(item.description, cues));
  }

  drawEvidence(tag) {
    const box = this.find(".evidence");
    const weights = tag && this.data.evidence[tag.tag];
    box.hidden = !weights;
    if (!weights) return;
    const most = Math.max(...weights, 1e-9);
    const head = tag.hypothesis.length ? this.texts.evidence : this.texts.evidenceUnwritten;
    this.find(".evidence-head").textContent = head.replace("{tag}", tag.tag);
    fill(this.find(".words"), this.data.words.map((word, place) => node("span", {
      title: `${(100 * weights[place]).toFixed(1)}%`,
      style: `background: color-mix(in srgb, var(--accent) ${Math.round((55 * weights[place]) / most)}%, transparent)`,
    }, [word])));
    this.find(".hypothesis").textContent = tag.hypothesis.length
      ? `${this.texts.hypothesis} ${tag.hypothesis.join(" · ")}`
      : this.texts.noHypothesis;
  }

  drawTags() {
    const { data, texts } = this;
    if (!data.tags.length) {
      fill(this.find(".tags"), [node("li", { className: "empty" }, [this.item.blind ? texts.blindHint : texts.none])]);
      return;
    }
    fill(this.find(".tags"), data.tags.map((tag, place) => {
      const verdict = this.draft.verdicts[tag.tag];
      const badges = [];
      if (tag.isNew) badges.push(node("span", { title: texts.newHint }, [texts.new]));
      if (tag.parentOf) badges.push(node("span", { title: texts.parentHint.replace("{child}", tag.parentOf) }, [texts.parent]));
      const state = `${verdict || ""} ${place === this.selected ? "selected" : ""} ${tag.votes > this.cut ? "" : "below"}`;
      return node("li", {
        className: `tag ${state}`, title: tag.definition, onclick: () => this.toggle(place), ariaLabel: `${tag.tag} ${verdict || ""}`,
      }, [
        node("kbd", {}, [place < 10 ? String((place + 1) % 10) : " "]),
        node("span", {}, [node("span", { className: "name" }, [tag.tag]), node("span", { className: "badges" }, badges)]),
        node("span", { className: "verdict" }, [verdict ? texts[verdict] : ""]),
        node("span", { className: "votes" }, [
          node("span", {}, [
            ...(tag.chance === null ? [] : [node("em", { title: texts.chance }, [`≈ ${Math.round(100 * tag.chance)}%`])]),
            tag.hypothesis.length
              ? node("span", { className: "probability", title: texts.probability }, [`p ${(100 * tag.probability).toFixed(1)}%`])
              : node("span", { className: "probability", title: texts.noHypothesis }, [texts.unwritten]),
            `${tag.votes} / ${data.beam}`,
          ]),
          node("span", { className: "bar" }, [
            node("i", { style: `width: ${(100 * tag.votes) / data.beam}%` }),
            node("b", { style: `left: ${(100 * this.cut) / data.beam}%` }),
          ]),
        ]),
      ]);
    }));
  }

  drawMatches() {
    const list = this.find(".matches");
    list.hidden = !this.matches.length;
    fill(list, this.matches.map((match, place) => node("li", {
      className: place === this.active ? "active" : "", role: "option", title: match.definition || "",
      onmousedown: (event) => { event.preventDefault(); this.take(place); },
    }, match.fresh
      ? [`${this.texts.addNew} ${match.name}`]
      : [match.name, node("small", {}, [[match.matched !== match.name ? match.matched : "", match.status !== "active" ? this.texts.deprecated : "", match.uses ? `×${match.uses}` : ""].filter(Boolean).join(" · ")])])));
  }

  drawNote() {
    const open = this.mode !== "tags";
    this.find(".note").hidden = !open;
    if (!open) return;
    const choices = this.mode === "skip" ? this.texts.reasons : this.texts.flags;
    fill(this.find(".note-choices"), choices.map((choice, place) => node("button", {
      type: "button", ariaPressed: String(this.draft.flag === choice && this.mode === "flag"), onclick: () => this.choose(place),
    }, [node("kbd", {}, [String(place + 1)]), ` ${choice}`])));
  }

  drawActions() {
    const { texts } = this;
    const busy = Boolean(this.pending);
    const make = (label, key, act, main = false, off = false) => node("button", {
      type: "button", className: main ? "main" : "", disabled: busy || off, onclick: act,
    }, [label, node("kbd", {}, [key])]);
    // Two rows, so that none is left over for a row of its own: what ends a question, and what is needed now and then.
    fill(this.find(".actions"), [
      node("div", {}, [
        make(this.sure ? texts.sure : texts.submit, "Enter", () => this.submit(), true),
        make(texts.acceptAll, "A", () => this.acceptAll()),
      ]),
      node("div", {}, [
        make(texts.skip, "S", () => this.openNote("skip")),
        make(this.draft.flag ? `${texts.flag}: ${this.draft.flag}` : texts.flag, "F", () => this.openNote("flag")),
        make(texts.undo, "U", () => this.undo(), false, !this.data.canUndo),
      ]),
    ]);
  }

  drawState() {
    const { data, texts } = this;
    const state = this.find(".state");
    const [kind, text] = this.pending
      ? this.pending.tries > 1 ? ["failed", texts.notSaved] : ["waiting", texts.saving]
      : data.error ? ["failed", data.error.text]
      : this.draft.touched ? ["unsaved", texts.unsaved]
      : data.receipt ? ["saved", data.receipt.text]
      : ["", ""];
    state.className = `state ${kind}`;
    state.textContent = text;
  }
}

function emptyDraft() {
  return { verdicts: {}, added: [], comment: "", flag: null, touched: false, spent: 0 };
}

function load(id) { // a reload in the middle of an item loses no key press
  try {
    const kept = JSON.parse(sessionStorage.getItem("l2a-draft") || "null");
    if (kept && kept.id === id) return { ...emptyDraft(), ...kept.draft };
  } catch { /* a browser without storage works all the same */ }
  return emptyDraft();
}

function save(id, draft) {
  try { sessionStorage.setItem("l2a-draft", JSON.stringify({ id, draft })); } catch { /* as above */ }
}

function isTyping(event) {
  const target = event.composedPath()[0];
  return target instanceof Element && (target.matches("input:not([type=range]), textarea, select") || target.isContentEditable);
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

function node(name, properties = {}, children = []) {
  const made = document.createElement(name);
  for (const [property, value] of Object.entries(properties)) {
    if (property === "style" || property === "role") made.setAttribute(property, value);
    else made[property] = value;
  }
  made.append(...children);
  return made;
}

function fill(parent, children) {
  parent.replaceChildren(...children);
}
