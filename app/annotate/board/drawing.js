// How the board looks. Everything a person or the model wrote is set as text, never as markup.

class Drawing {
  draw() {
    const { data, texts, item } = this;
    this.root.classList.toggle("idle", !item);
    this.drawActions();
    this.drawState();
    this.find(".progress").textContent = data.progress;
    this.find(".nothing").hidden = Boolean(item);
    for (const part of [".question", ".deciding-tags", ".legend"]) this.find(part).hidden = !item;
    this.drawContradiction();
    if (!item) {
      this.find(".precedents").hidden = this.find(".evidence").hidden = true;
      this.find(".nothing-title").textContent = data.empty.title;
      fill(this.find(".nothing-hints"), data.empty.hints.map((hint) => node("p", {}, [hint])));
      return;
    }
    const tag = data.tags[this.selected];
    this.drawQuestion(tag);
    this.drawEvidence(tag);
    this.drawPrecedents();
    this.drawThreshold();
    this.drawTags();
    fill(this.find(".added"), this.draft.added.map((name, place) => node("li", {}, [
      name, this.button(`remove-${name}`, ["×"], () => this.remove(place), { ariaLabel: `${texts.remove} ${name}` }),
    ])));
    this.find(".search-box").placeholder = texts.search;
    this.find(".search-box").ariaLabel = texts.search;
    this.drawNote();
    const legend = [...texts.legend];
    if (data.precedents.length) legend.push(["P", texts.precedentLegend]);
    if (data.precedents.length > 1) legend.push(["⇧2-5", texts.precedentsLegend]);
    if (this.strict) legend.push(["·", texts.strictLegend]);
    fill(this.find(".legend"), legend.map(([keys, meaning]) => node("span", {}, [node("kbd", {}, [keys]), meaning])));
  }

  // A button that the mouse does not give the focus to: the next key is the board's again, as a hand expects that goes
  // from mouse to keyboard. Whoever tabs to it has it focused.
  button(key, children, act, properties = {}) {
    return node("button", {
      type: "button", "data-focus": key, ...properties,
      onmousedown: (event) => { event.preventDefault(); this.root.focus({ preventScroll: true }); },
      onclick: (event) => { if (event.currentTarget.getAttribute("aria-disabled") !== "true") act(); },
    }, children);
  }

  drawQuestion(tag) {
    const { item, texts } = this;
    const meta = [node("span", {}, [`#${item.id}`])];
    if (item.source) meta.push(node("span", {}, [item.source]));
    if (item.url) meta.push(node("a", { href: item.url, target: "_blank", rel: "noopener noreferrer", "data-focus": "url" }, [texts.original]));
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
    const weights = tag && this.evidence.get(tag.tag);
    box.hidden = !weights;
    if (!weights) return;
    const most = Math.max(...weights, 1e-9);
    const head = tag.hypothesis.length ? this.texts.evidence : this.texts.evidenceUnwritten;
    this.find(".evidence-head").textContent = head.replace("{tag}", () => tag.tag);
    this.find(".words").ariaLabel = this.find(".evidence-head").textContent;
    fill(this.find(".words"), this.data.words.map((word, place) => node("span", {
      title: `${(100 * weights[place]).toFixed(1)}%`,
      style: `background: color-mix(in srgb, var(--accent) ${Math.round((45 * weights[place]) / most)}%, transparent)`,
    }, [word])));
    this.find(".hypothesis").textContent = tag.hypothesis.length
      ? `${this.texts.hypothesis} ${tag.hypothesis.join(" · ")}`
      : this.texts.noHypothesis;
  }

  drawThreshold() {
    const { data, texts } = this;
    const slider = this.find(".threshold input");
    this.find(".cutting").hidden = !data.tags.length;
    const percent = Math.round(100 * this.cut);
    const [name, value] = this.byChance ? [texts.thresholdChance, `${percent}%`] : [texts.threshold, `${this.cut} / ${data.beam}`];
    slider.max = this.byChance ? 100 : data.beam;
    slider.value = this.byChance ? percent : this.cut;
    slider.setAttribute("aria-label", name);
    slider.setAttribute("aria-valuetext", value);
    this.find(".threshold-label").textContent = `${name} > ${value}`;
    this.find(".strict input").checked = this.strict;
    this.find(".strict-label").textContent = texts.strict;
    this.find(".strict").title = texts.strictHint;
  }

  drawTags() {
    const { data, texts } = this;
    if (!data.tags.length) {
      fill(this.find(".tags"), [node("li", { className: "empty" }, [this.item.blind ? texts.blindHint : texts.none])]);
      return;
    }
    fill(this.find(".tags"), data.tags.map((tag, place) => this.tagRow(tag, place)));
  }

  tagRow(tag, place) {
    const { data, texts } = this;
    const verdict = this.draft.verdicts.get(tag.tag);
    const falls = !verdict && this.strict && this.isAbove(tag); // left as it is, it counts as rejected
    const badges = [];
    if (tag.isNew) badges.push(node("span", { title: texts.newHint }, [texts.new]));
    if (tag.parentOf) badges.push(node("span", { title: texts.parentHint.replace("{child}", () => tag.parentOf) }, [texts.parent]));
    if (falls) badges.push(node("span", { className: "falls", title: texts.strictHint }, [texts.strictMark]));
    const selected = place === this.selected;
    const state = [verdict, selected ? "selected" : "", this.isAbove(tag) ? "" : "below"].filter(Boolean).join(" ");
    const said = verdict ? texts[verdict] : texts.undecided;
    const mark = (kind, sign) => this.button(`${kind}-${tag.tag}`, [sign], () => this.judge(place, kind), {
      className: `mark ${kind}`, ariaPressed: String(verdict === kind), ariaLabel: `${texts[kind]} ${tag.tag}`,
      title: texts[kind], tabIndex: selected ? 0 : -1,
    });
    return node("li", { className: `tag ${state}` }, [
      node("kbd", { "aria-hidden": "true" }, [verdict === "accepted" ? "✓" : verdict === "rejected" ? "✕" : place < 10 ? String((place + 1) % 10) : " "]),
      this.button(`look-${tag.tag}`, [
        node("span", { className: "name" }, [tag.tag]), node("span", { className: "badges" }, badges),
        ...(tag.told.length ? [node("span", { className: "told", title: tag.told.join(" · ") }, tag.told.map((told) => node("span", {}, [told])))] : []),
      ], () => this.select(place), {
        className: "look", title: tag.definition, "aria-current": String(selected),
        ariaLabel: [tag.tag, said, ...(this.byChance ? [percentOf(tag.chance)] : []), `${tag.votes} / ${data.beam}`, ...tag.told].join(", "),
      }),
      this.measure(tag),
      node("span", { className: "marks" }, [mark("accepted", "✓"), mark("rejected", "✕")]),
    ]);
  }

  // How much speaks for a tag: the chance where there is one, the votes small beside it; otherwise the votes.
  measure(tag) {
    const { data, texts, cut } = this;
    const votes = texts.votes.replace("{votes}", tag.votes).replace("{beam}", data.beam);
    const counted = (words) => node("span", { title: tag.votes ? texts.votesHint : texts.noHypothesis }, [words]);
    const probability = () => node("span", { title: texts.probability }, [`p ${(100 * tag.probability).toFixed(1)}%`]);
    const [filled, line, said] = this.byChance
      ? [tag.chance ?? 0, cut, [node("em", { title: texts.chance }, [percentOf(tag.chance)]), counted(votes)]]
      : [tag.votes / data.beam, cut / data.beam, [probability(), counted(`${tag.votes} / ${data.beam}`)]];
    return node("span", { className: "measure" }, [
      node("span", { className: "said" }, said),
      node("span", { className: "bar" }, [node("i", { style: `width: ${100 * filled}%` }), node("b", { style: `left: ${100 * line}%` })]),
    ]);
  }

  drawPrecedents() {
    const { data, texts, draft } = this;
    const almost = data.precedents.find((precedent) => precedent.almost);
    this.find(".almost").hidden = !almost;
    if (almost) {
      const said = texts.almost.replace("{question}", almost.id).replace("{tags}", () => almost.tags.join(texts.comma) || texts.noTags);
      fill(this.find(".almost"), [node("span", {}, [said]), this.takeOverButton(almost, "almost")]);
    }
    this.find(".precedents").hidden = !data.precedents.length;
    this.find(".precedents-head").textContent = texts.precedents;
    fill(this.find(".precedent-list"), data.precedents.map((precedent) => node("li", {}, [
      node("div", { className: "precedent-title", title: precedent.title }, [precedent.title]),
      node("div", { className: "precedent-tags" }, [
        ...precedent.tags.map((name) => node("span", { className: isChosen(draft, data.tags, name) ? "tagged chosen" : "tagged" }, [name])),
        ...(precedent.tags.length ? [] : [node("span", {}, [texts.noTags])]),
        node("span", { className: "precedent-about" }, [precedent.about]),
      ]),
      this.takeOverButton(precedent, "take"),
    ])));
  }

  // The button that takes a similar question's tags over.
  takeOverButton(precedent, name) {
    const { data, texts, draft } = this;
    const place = data.precedents.indexOf(precedent);
    const done = takenFrom(draft, precedent).length > 0 && areChosen(draft, data.tags, precedent.tags);
    return this.button(`${name}-${precedent.id}`, [
      done ? `✓ ${texts.takenOver}` : texts.takeOver, node("kbd", {}, [place ? `⇧${place + 1}` : "P"]),
    ], () => this.follow(place), {
      className: "taking", ariaPressed: String(done), "aria-disabled": String(!precedent.tags.length),
      ariaLabel: texts.takeOverOf.replace("{question}", precedent.id).replace("{tags}", () => precedent.tags.join(texts.comma)),
    });
  }

  // What was decided about almost the same question, where the choice is another: quietly, beside the keys that were missed.
  drawContradiction() {
    const { data, texts } = this;
    const found = this.item ? contradiction(this.draft, data.tags, data.precedents) : null;
    const line = this.find(".differs");
    const what = found ? [[texts.lacks, found.lacks], [texts.refused, found.refused]]
      .filter(([, names]) => names.length)
      .map(([said, names]) => said.replace("{tags}", () => names.join(texts.comma)))
      .join(texts.semicolon) : "";
    const said = found ? texts.differs.replace("{question}", found.precedent.id).replace("{what}", () => what) : "";
    if (line.textContent !== said) line.textContent = said;
  }

  drawMatches() {
    const list = this.find(".matches"), box = this.find(".search-box");
    list.hidden = !this.matches.length;
    box.setAttribute("aria-expanded", String(Boolean(this.matches.length)));
    box.setAttribute("aria-activedescendant", this.matches.length ? `match-${this.active}` : "");
    fill(list, this.matches.map((match, place) => node("li", {
      id: `match-${place}`, className: place === this.active ? "active" : "", role: "option",
      "aria-selected": String(place === this.active), title: match.definition || "",
      onmousedown: (event) => { event.preventDefault(); this.take(place); },
    }, match.fresh
      ? [`${this.texts.addNew} ${match.name}`]
      : [match.name, node("small", {}, [[match.matched !== match.name ? match.matched : "", match.status !== "active" ? this.texts.deprecated : "", match.uses ? `×${match.uses}` : ""].filter(Boolean).join(" · ")])])));
  }

  drawNote() {
    const open = this.mode !== "tags";
    this.find(".note").hidden = !open;
    if (!open) return;
    const box = this.find(".note-box");
    box.placeholder = this.mode === "flag" ? this.texts.comment : this.texts.reason;
    box.ariaLabel = box.placeholder;
    const choices = this.mode === "skip" ? this.texts.reasons : this.texts.flags;
    fill(this.find(".note-choices"), choices.map((choice, place) => this.button(
      `choice-${place}`, [node("kbd", {}, [String(place + 1)]), ` ${choice}`], () => this.choose(place),
      { ariaPressed: String(this.draft.flag === choice && this.mode === "flag") },
    )));
  }

  drawActions() {
    const { texts, data } = this;
    const make = (key, name, act, off, properties = {}) => this.button(name, [
      properties.label ?? texts[name], node("kbd", {}, [key]),
    ], act, { className: name === "submit" ? "main" : "", "aria-disabled": String(Boolean(this.pending) || off), title: properties.title ?? "" });
    const undo = make("U", "undo", () => this.undo(), !data.undo, { title: data.undo ? data.undo.text : texts.nothingToUndo });
    if (!this.item) {
      fill(this.find(".actions"), [node("div", {}, [undo])]);
      return;
    }
    // Two rows, so that none is left over for a row of its own: what ends a question, and what is needed now and then.
    fill(this.find(".actions"), [
      node("div", {}, [
        make("Enter", "submit", () => this.submit(), false, { label: this.sure ? texts.sure : texts.submit }),
        make("A", "acceptAll", () => this.acceptAll(), !data.tags.length),
      ]),
      node("div", {}, [
        make("S", "skip", () => this.openNote("skip"), false),
        make("F", "flag", () => this.openNote("flag"), false, { label: this.draft.flag ? `${texts.flag}: ${this.draft.flag}` : texts.flag }),
        undo,
      ]),
    ]);
  }

  drawState() {
    const { data, texts } = this;
    const [kind, text] = this.pending
      ? this.pending.tries > 1 ? ["failed", texts.notSaved] : ["waiting", texts.saving]
      : data.error ? ["failed", data.error.text]
      : this.draft.touched ? ["unsaved", texts.unsaved]
      : data.receipt ? ["saved", data.receipt.text]
      : this.draft.origin ? ["unsaved", texts.unsaved]
      : ["", ""];
    const state = this.find(".state");
    state.className = `state ${kind}`;
    if (state.textContent !== text) state.textContent = text; // unchanged, it is not read out again
    const heard = this.find(".heard"), alarm = kind === "failed" ? text : "";
    if (heard.textContent !== alarm) heard.textContent = alarm;
  }
}
