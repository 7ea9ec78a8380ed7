// Decided questions like this one: their tags can be taken over, and a choice that contradicts one is told so.

function offeredAs(tags, name) {
  return tags.find((tag) => same(tag.tag, name) || same(tag.name, name));
}

// Whether a tag would be submitted as one of the question's.
function isChosen(draft, tags, name) {
  const offered = offeredAs(tags, name);
  if (offered && draft.verdicts.get(offered.tag) === "accepted") return true;
  return draft.added.some((other) => same(other, name));
}

function areChosen(draft, tags, names) {
  return names.length > 0 && names.every((name) => isChosen(draft, tags, name));
}

// Offered tags are accepted, others added; what was there before is remembered for the way back. Says whether it
// changed anything.
function takeOver(draft, tags, precedent) {
  const before = takenFrom(draft, precedent);
  let changed = false;
  for (const name of precedent.tags) {
    if (isChosen(draft, tags, name)) continue;
    const offered = offeredAs(tags, name);
    if (offered) {
      before.push([offered.tag, draft.verdicts.get(offered.tag) ?? null]);
      draft.verdicts.set(offered.tag, "accepted");
    } else {
      before.push([name, "added"]);
      draft.added.push(name);
    }
    changed = true;
  }
  draft.taken = [...draft.taken.filter(([id]) => id !== precedent.id), [precedent.id, before]];
  return changed;
}

function takenFrom(draft, precedent) {
  return draft.taken.find(([id]) => id === precedent.id)?.[1] ?? [];
}

// As it was before the precedent's tags were taken over; what was changed by hand since stays.
function giveBack(draft, precedent) {
  for (const [name, verdict] of takenFrom(draft, precedent)) {
    if (verdict === "added") draft.added = draft.added.filter((other) => !same(other, name));
    else if (draft.verdicts.get(name) !== "accepted") continue;
    else if (verdict === null) draft.verdicts.delete(name);
    else draft.verdicts.set(name, verdict);
  }
  draft.taken = draft.taken.filter(([id]) => id !== precedent.id);
}

// How a choice contradicts the nearest question that is almost the same; null where it does not, or nobody has chosen
// yet. Where people do not agree themselves, there is nothing to contradict.
function contradiction(draft, tags, precedents) {
  if (!draft.verdicts.size && !draft.added.length) return null;
  for (const precedent of precedents) {
    if (!precedent.almost || precedent.disputed) continue;
    const lacks = precedent.tags.filter((name) => !isChosen(draft, tags, name));
    const refused = precedent.rejected.filter((name) => isChosen(draft, tags, name));
    if (lacks.length || refused.length) return { precedent, lacks, refused };
  }
  return null;
}
