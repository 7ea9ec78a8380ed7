// The board: one question, its tags, and every key. Verdicts live here until they are submitted, so a key answers at
// once; the server hears of a decision as one message with a number of its own (nonce), and repeating it is harmless.
// dom.js, drafts.js, precedents.js and drawing.js stand before this file when the component is made.

const SETTLE = 300; // ms an item must have been on the screen before a key may decide it
const PATIENCE = 6000; // ms without an answer before a message is sent again
const TURN = 3000; // ms that a search or a look waits for the one before it
const SHOWN = 2500; // ms that a key which was not taken is spoken of
const CUT = "l2a-cut"; // the threshold somebody set, as a share of the votes: for this tab
const CHANCE_CUT = "l2a-chance-cut"; // the same for the chance
const STRICT = "l2a-untouched-rejected"; // what untouched tags mean: for this browser
const ALIVE = 300000; // ms between two signs that somebody is at the page
const SIGNS = ["pointermove", "pointerdown", "keydown", "wheel"]; // what only a person does
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

class Board extends Drawing {
  constructor(root) {
    super();
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
    this.outbox = new Map(); // the newest search and look that were not sent yet
    this.turnEnds = 0;
    this.strict = remembered(STRICT, () => localStorage) === "1";
    this.onKey = (event) => this.key(event);
    document.addEventListener("keydown", this.onKey);
    this.onEscape = (event) => { if (event.key === "Escape") this.returnFocus(); };
    document.addEventListener("keydown", this.onEscape, true); // what closes a popover keeps the key to itself
    this.onSign = () => this.alive();
    for (const sign of SIGNS) document.addEventListener(sign, this.onSign, { capture: true, passive: true });
    this.clock = setInterval(() => this.tick(), 1000);
    const box = this.find(".search-box");
    box.addEventListener("input", () => this.ask(box.value));
    box.addEventListener("keydown", (event) => this.searchKey(event));
    this.find(".note-box").addEventListener("keydown", (event) => this.noteKey(event));
    const slider = this.find(".threshold input");
    slider.addEventListener("input", () => {
      this.cut = this.byChance ? Number(slider.value) / 100 : Number(slider.value);
      if (this.byChance) remember(CHANCE_CUT, String(this.cut), () => sessionStorage);
      else remember(CUT, String(this.cut / this.data.beam), () => sessionStorage);
      this.draw();
    });
    slider.addEventListener("pointerup", () => this.root.focus({ preventScroll: true }));
    this.find(".strict input").addEventListener("change", (event) => {
      this.strict = event.target.checked;
      remember(STRICT, this.strict ? "1" : "0", () => localStorage);
      this.draw();
    });
    this.find(".strict").addEventListener("mouseup", () => setTimeout(() => this.root.focus({ preventScroll: true })));
  }

  leave() {
    document.removeEventListener("keydown", this.onKey);
    document.removeEventListener("keydown", this.onEscape, true);
    for (const sign of SIGNS) document.removeEventListener(sign, this.onSign, { capture: true });
    clearInterval(this.clock);
    clearTimeout(this.asking);
    clearTimeout(this.forgetting);
  }

  update(component, data) {
    this.send = component.setTriggerValue;
    this.data = data;
    this.texts = data.texts;
    this.turnEnds = 0; // every answer draws the board anew
    this.evidence = new Map(data.evidence);
    this.root.dataset.scheme = data.scheme;
    if (this.pending && [data.receipt?.nonce, data.error?.nonce].includes(this.pending.nonce)) {
      const { type, item } = this.pending.message;
      if (type === "submit" && data.receipt?.nonce === this.pending.nonce) dropDraft(item);
      this.pending = null;
    }
    const visit = (item) => (item ? `${item.id}/${item.lease}` : null);
    if (visit(data.item) !== visit(this.item)) this.open(data.item);
    else this.item = data.item;
    if (data.search && data.search.sequence === this.sequence && this.answered !== this.sequence) {
      this.answered = this.sequence;
      this.showMatches(data.search.matches);
      if (this.taking) this.take(0);
    }
    this.draw();
    this.flush();
  }

  open(item) {
    this.item = item;
    this.outbox.clear(); // of the question before
    this.draft = this.draftFor(item);
    this.selected = 0;
    this.cut = this.firstCut();
    this.sure = false;
    this.mode = "tags";
    this.openedAt = Infinity;
    this.toldAt = performance.now();
    // Two frames on it is on the screen; a tab that nobody sees paints nothing and takes no key either.
    requestAnimationFrame(() => requestAnimationFrame(() => { if (this.item?.id === item?.id) this.openedAt = performance.now(); }));
    this.find(".search-box").value = "";
    this.answered = this.sequence;
    this.taking = false;
    this.showMatches([]);
    const active = this.root.getRootNode().activeElement;
    if (active?.matches("input")) this.root.focus({ preventScroll: true });
    document.querySelector('[data-testid="stMain"]')?.scrollTo(0, 0);
    this.look();
  }

  get byChance() { // a model without a ranker, and one of an older version, order their tags by votes
    return this.data.cut !== null;
  }

  firstCut() {
    const share = Number(remembered(this.byChance ? CHANCE_CUT : CUT, () => sessionStorage) ?? NaN);
    const own = this.byChance ? this.data.cut : this.data.threshold;
    const chosen = Number.isFinite(share) ? share : own;
    return this.byChance ? chosen : Math.floor(chosen * this.data.beam + 1e-9);
  }

  isAbove(tag) {
    return (this.byChance ? tag.chance ?? 0 : tag.votes) > this.cut;
  }

  draftFor(item) {
    if (!item) return emptyDraft();
    const kept = loadDraft(item.id);
    if (!item.choices || kept?.origin === item.choices.nonce) return kept ?? emptyDraft();
    const draft = draftOf(item.choices, this.data.tags);
    saveDraft(item.id, draft);
    return draft;
  }

  returnFocus() { // a popover that closes leaves the focus on its button, where Enter would open it again
    setTimeout(() => {
      if (document.activeElement?.closest('[data-testid="stPopover"]')) this.root.focus({ preventScroll: true });
    }, 150);
  }

  // --- keys -------------------------------------------------------------------------------------------------------

  key(event) {
    if (event.repeat || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (belongsElsewhere(event) || document.querySelector('[role="dialog"]')) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (this.item && this.mode !== "tags") {
      if (key === "Escape") this.close();
      else if (/^[1-9]$/.test(key)) this.choose(Number(key) - 1);
      else if (key === "Enter" && this.mode === "flag") this.close();
      else return;
      event.preventDefault();
      return;
    }
    const further = event.shiftKey ? /^Digit([1-5])$/.exec(event.code) : null; // what the key writes differs by country
    const act = further ? () => this.follow(Number(further[1]) - 1, `⇧${further[1]}`) : this.actOf(key);
    if (!act || (further && !this.item)) return;
    event.preventDefault();
    act();
  }

  actOf(key) {
    if (key === "u") return () => this.undo();
    if (!this.item) return null;
    if (/^[0-9]$/.test(key)) return () => this.toggle(key === "0" ? 9 : Number(key) - 1, key);
    return new Map([
      ["Enter", () => this.submit()], ["a", () => this.acceptAll()], ["s", () => this.openNote("skip")],
      ["f", () => this.openNote("flag")], ["/", () => this.find(".search-box").focus()],
      ["ArrowDown", () => this.move(1)], ["ArrowUp", () => this.move(-1)], ["j", () => this.move(1)], ["k", () => this.move(-1)],
      [" ", () => this.toggle(this.selected, "␣")], ["x", () => this.judge(this.selected, "rejected", "X")],
      ["p", () => this.follow(0, "P")],
    ]).get(key) ?? null;
  }

  // A key that does nothing says so: whoever types ahead would otherwise believe that it counted.
  refuse(key, why) {
    const line = this.find(".missed");
    line.textContent = why.replace("{pressed}", () => key);
    const side = this.find(".deciding-tags");
    side.classList.remove("shake");
    void side.offsetWidth; // the animation begins anew
    side.classList.add("shake");
    clearTimeout(this.forgetting);
    this.forgetting = setTimeout(() => { line.textContent = ""; side.classList.remove("shake"); }, SHOWN);
  }

  searchKey(event) {
    if (event.isComposing) return;
    if (event.key === "Escape") { event.target.value = ""; this.showMatches([]); this.root.focus({ preventScroll: true }); }
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

  // Whether the question may be decided now; if not, the key that wanted to is shown.
  ready(key) {
    if (!this.item) return false;
    if (this.pending) this.refuse(key, this.texts.missedSaving);
    else if (performance.now() - this.openedAt < SETTLE) this.refuse(key, this.texts.missedEarly);
    else return true;
    return false;
  }

  toggle(place, key) {
    const tag = this.data.tags[place];
    if (!this.ready(key)) return;
    if (!tag) { this.refuse(key, this.texts.missedNone); return; }
    const next = new Map([[undefined, "accepted"], ["accepted", "rejected"], ["rejected", "rejected"]]);
    this.judge(place, next.get(this.draft.verdicts.get(tag.tag)), key);
  }

  // Give a verdict; giving it again takes it away.
  judge(place, verdict, key = this.texts[verdict]) {
    const tag = this.data.tags[place];
    if (!this.ready(key) || !tag) return;
    if (this.draft.verdicts.get(tag.tag) !== verdict) this.draft.verdicts.set(tag.tag, verdict);
    else this.draft.verdicts.delete(tag.tag);
    this.touch();
    this.select(place);
  }

  acceptAll() {
    if (!this.ready("A")) return;
    const above = this.data.tags.filter((tag) => this.isAbove(tag));
    if (!above.length) { this.refuse("A", this.texts.missedAbove); return; }
    for (const tag of above) if (!this.draft.verdicts.has(tag.tag)) this.draft.verdicts.set(tag.tag, "accepted");
    this.touch();
    this.draw();
  }

  // Take over the tags of a similar question; again: give them back.
  follow(place, key = this.texts.takeOver) {
    const precedent = this.data.precedents[place];
    if (!this.ready(key)) return;
    if (!precedent?.tags.length) { this.refuse(key, this.texts.missedPrecedent); return; }
    const taken = takenFrom(this.draft, precedent).length > 0;
    if (taken && areChosen(this.draft, this.data.tags, precedent.tags)) giveBack(this.draft, precedent);
    else if (!takeOver(this.draft, this.data.tags, precedent)) { this.refuse(key, this.texts.missedTaken); return; }
    this.touch();
    this.draw();
  }

  move(step) {
    const count = this.data.tags.length;
    if (count) this.select((this.selected + step + count) % count);
  }

  select(place) {
    if (this.selected !== place) { this.selected = place; this.look(); }
    this.draw();
  }

  add(name) {
    const text = name.trim().replace(/\s+/g, " ");
    if (!text || !this.item) return;
    if ([...text].length > this.data.longestTag) {
      this.refuse("Enter", this.texts.tagTooLong.replace("{most}", this.data.longestTag));
      return;
    }
    const offered = offeredAs(this.data.tags, text);
    if (offered) this.draft.verdicts.set(offered.tag, "accepted");
    else if (!this.draft.added.some((other) => same(other, text))) this.draft.added.push(text);
    this.touch();
    this.draw();
  }

  remove(place) {
    this.draft.added.splice(place, 1);
    this.touch();
    this.draw();
  }

  touch() {
    this.sure = false;
    this.draft.touched = true;
    saveDraft(this.item.id, this.draft);
  }

  submit() {
    if (!this.ready("Enter")) return;
    const verdicts = new Map(this.draft.verdicts);
    for (const tag of this.draft.added) verdicts.set(tag, "added");
    const taken = [...verdicts.values()].some((verdict) => verdict !== "rejected");
    if (!taken && !this.sure) { // an empty answer is an answer, but not by a slip of the finger
      this.sure = true;
      this.draw();
      return;
    }
    if (this.strict) {
      for (const tag of this.data.tags) if (this.isAbove(tag) && !verdicts.has(tag.tag)) verdicts.set(tag.tag, "rejected");
    }
    this.tell("submit", {
      verdicts: [...verdicts], comment: this.draft.comment, flag: this.draft.flag,
      seconds: (this.draft.spent + performance.now() - this.openedAt) / 1000,
    });
  }

  skip(reason) {
    if (reason.trim() && this.ready("S")) this.tell("skip", { reason: reason.trim() });
  }

  undo() {
    if (this.pending) this.refuse("U", this.texts.missedSaving);
    else if (!this.data.undo) this.refuse("U", this.texts.nothingToUndo);
    else this.tell("undo", { target: this.data.undo.receipt });
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

  // Of two messages of one component that wait at the server, Streamlit keeps the newer: a look would lose a search. So
  // they are sent one by one; a decision does not wait for them.
  post(kind, message) {
    this.outbox.set(kind, message);
    this.flush();
  }

  flush() {
    const [next] = this.outbox;
    if (!next || this.pending || performance.now() < this.turnEnds) return;
    const [kind, message] = next;
    this.outbox.delete(kind);
    this.turnEnds = performance.now() + TURN;
    this.send(kind, message);
  }

  alive() { // without it the question would go back to the queue while somebody reads for long
    const now = performance.now();
    if (!this.item || this.pending || now - this.toldAt < ALIVE) return;
    this.toldAt = now;
    this.post("alive", { at: now });
  }

  tick() {
    this.flush();
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
    this.asking = setTimeout(() => this.post("query", { text, sequence: this.sequence }), 120);
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
    if (!box.value.trim()) { this.root.focus({ preventScroll: true }); return; }
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
    if (!this.ready(mode === "skip" ? "S" : "F")) return;
    this.mode = mode;
    this.find(".note-box").value = mode === "flag" ? this.draft.comment : "";
    this.find(".note-box").maxLength = mode === "flag" ? this.data.longest.comment : this.data.longest.reason;
    this.draw();
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
    this.root.focus({ preventScroll: true });
    this.draw();
  }

  look() { // evidence is worked out only for the tag a person looks at
    clearTimeout(this.looking);
    const tag = this.data.tags[this.selected];
    if (!this.item || !tag || this.evidence.has(tag.tag)) return;
    const item = this.item.id;
    this.looking = setTimeout(() => this.post("look", { item, tag: tag.tag }), 250);
  }
}
