// What is chosen and not submitted: it outlives a reload, and waits for its question when another comes in between.

const DRAFTS = "l2a-drafts";
const MOST_DRAFTS = 30;

function emptyDraft() {
  return { verdicts: new Map(), added: [], comment: "", flag: null, taken: [], touched: false, spent: 0, origin: null };
}

function keptDrafts() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(DRAFTS) || "[]");
    return new Map(Array.isArray(kept) ? kept : []);
  } catch { // a browser without storage works all the same
    return new Map();
  }
}

function keep(drafts) {
  try { sessionStorage.setItem(DRAFTS, JSON.stringify([...drafts].slice(-MOST_DRAFTS))); } catch { /* as above */ }
}

function loadDraft(id) {
  const kept = keptDrafts().get(id);
  return kept ? { ...emptyDraft(), ...kept, verdicts: new Map(kept.verdicts) } : null;
}

function saveDraft(id, draft) {
  const drafts = keptDrafts();
  drafts.delete(id); // the newest stands last
  drafts.set(id, { ...draft, verdicts: [...draft.verdicts] });
  keep(drafts);
}

function dropDraft(id) {
  const drafts = keptDrafts();
  if (drafts.delete(id)) keep(drafts);
}

// The choices of a decision that was taken back. A verdict needs its tag on the board; what was taken and is not offered
// any more (another model suggests by now) becomes a tag of one's own.
function draftOf(choices, tags) {
  const draft = { ...emptyDraft(), comment: choices.comment, flag: choices.flag, origin: choices.nonce };
  for (const [name, verdict] of choices.verdicts) {
    const offered = tags.find((tag) => same(tag.tag, name));
    if (offered) draft.verdicts.set(offered.tag, verdict === "rejected" ? "rejected" : "accepted");
    else if (verdict !== "rejected") draft.added.push(name);
  }
  return draft;
}

function remembered(name, storage) {
  try { return storage().getItem(name); } catch { return null; }
}

function remember(name, value, storage) {
  try { storage().setItem(name, value); } catch { /* not remembered */ }
}
