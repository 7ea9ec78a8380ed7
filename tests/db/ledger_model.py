"""A ledger and its tags in plain Python, written from the rules alone: what the store must agree with.

Nothing here knows how the store works out its answers; it remembers everything and counts it anew each time.
"""

from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Line:
    """A decision, a review or an undo. `verdicts`: spelling -> verdict."""

    number: int
    kind: str
    question: int
    person: int
    verdicts: dict[str, str] = field(default_factory=dict)
    standing: str = ""
    target: int | None = None

    def taken(self) -> set[str]:
        return {word for word, verdict in self.verdicts.items() if verdict in ("accepted", "added")}


@dataclass
class Tags:
    """Which tag a spelling means, what each tag is called, and what it was merged into."""

    means: dict[str, int] = field(default_factory=dict)
    called: dict[int, str] = field(default_factory=dict)
    into: dict[int, int | None] = field(default_factory=dict)

    def make(self, word: str) -> int:
        tag = len(self.called)
        self.called[tag], self.into[tag], self.means[word] = word, None, tag
        return tag

    def end(self, tag: int) -> int:
        while self.into[tag] is not None:
            tag = self.into[tag]
        return tag

    def read(self, word: str) -> str:
        """The name under which a spelling is read."""
        return self.called[self.end(self.means[word])] if word in self.means else word

    def is_sound(self) -> bool:
        """Every tag that is not merged has its own name, and no tag leads back to itself."""
        for tag, into in self.into.items():
            if into is None and self.means.get(self.called[tag]) != tag:
                return False
            seen = {tag}
            while into is not None:
                if into in seen:
                    return False
                seen.add(into)
                into = self.into[into]
        return True

    def copy(self) -> "Tags":
        return Tags(dict(self.means), dict(self.called), dict(self.into))


# What a change of tags can be taken back by: (what, which, before, after) with what of means, called and into.
Edit = tuple[str, object, object, object]


class LedgerModel:
    def __init__(self, overlaps: dict[int, int]):
        self.overlaps = overlaps
        self.lines: dict[int, Line] = {}
        self.tags = Tags()
        self.edits: dict[int, list[Edit]] = {}  # by the number of the entry
        self.held: set[tuple[int, int]] = set()  # (question, person)
        self.seats: dict[tuple[int, int], str] = {}  # (question, person) -> how their opinion counts
        self.moments: list[tuple[object, dict]] = []  # (when, what every question looked like from then on)

    # What is in force

    def stands(self, number: int) -> bool:
        return not any(
            line.kind == "undo" and line.target == number and self.stands(line.number) for line in self.lines.values()
        )

    def opinions(self, question: int) -> list[Line]:
        latest = {}
        for number in sorted(self.lines):
            line = self.lines[number]
            if line.kind == "decision" and line.question == question and self.stands(number):
                latest[line.person] = line
        return sorted(latest.values(), key=lambda line: line.number)

    def reviews(self, question: int) -> list[Line]:
        return [
            line
            for number, line in sorted(self.lines.items())
            if line.kind == "review" and line.question == question and self.stands(number)
        ]

    def names(self, words) -> set[str]:
        return {self.tags.read(word) for word in words}

    def looks(self, question: int) -> tuple[str, set[str], set[str], set[str]]:
        """(state, labels, rejected, unjudged) of a question."""
        opinions, reviews = self.opinions(question), self.reviews(question)
        sets = {frozenset(self.names(line.taken())) for line in opinions}
        if reviews:
            state, counting = "reviewed", reviews[-1:]
        elif not opinions:
            return "none", set(), set(), set()
        else:
            state = "single" if len(opinions) == 1 else "agreed" if len(sets) == 1 else "conflict"
            counting = [line for line in opinions if self.seats[question, line.person] == "answer"] or opinions
        votes = Counter(name for line in counting for name in self.names(line.taken()))
        labels = {name for name, count in votes.items() if count > len(counting) / 2}

        def with_verdict(verdict: str) -> set[str]:
            return {
                self.tags.read(word) for line in counting for word, given in line.verdicts.items() if given == verdict
            }

        rejected = with_verdict("rejected") - labels
        return state, labels, rejected, with_verdict("unjudged") - labels - rejected

    def place(self, question: int) -> tuple[int, int, bool, bool, bool]:
        """(answers, holders, is_open, conflict, reviewed) of a question in the queue."""
        state, answers = self.looks(question)[0], len(self.opinions(question))
        holders = sum(held == question for held, _ in self.held)
        reviewed = state == "reviewed"
        is_open = answers + holders < self.overlaps[question] and not reviewed
        return answers, holders, is_open, state == "conflict", reviewed

    def remember(self, when) -> None:
        self.moments.append((when, {question: self.looks(question) for question in self.overlaps}))

    # What people do

    def makes_sense(self, verdicts: dict[str, str]) -> bool:
        """No tag may be both taken and rejected under two of its spellings."""
        given: dict[int, set[bool]] = {}
        for word, verdict in verdicts.items():
            if word in self.tags.means and verdict != "unjudged":
                given.setdefault(self.tags.end(self.tags.means[word]), set()).add(verdict != "rejected")
        return all(len(kinds) == 1 for kinds in given.values())

    def decide(self, number: int, question: int, person: int, verdicts: dict[str, str]) -> Line:
        opinions = self.opinions(question)
        mine = [line for line in opinions if line.person == person]
        line = Line(number, "decision", question, person, verdicts)
        line.target = mine[0].number if mine else None
        self.lines[number] = line
        self.seat(question, opinions)
        line.standing = self.seats[question, person]
        self.held.discard((question, person))
        self.ensure(line.taken())
        return line

    def review(self, number: int, question: int, person: int, chosen: set[str]) -> None:
        held = {word for line in self.opinions(question) for word in line.taken()}
        taken = self.names(chosen)
        verdicts = {word: "rejected" for word in held if self.tags.read(word) not in taken}
        verdicts |= dict.fromkeys(chosen, "added")
        self.lines[number] = Line(number, "review", question, person, verdicts)
        self.ensure(chosen)

    def undo(self, number: int, target: int, person: int) -> None:
        question = self.lines[target].question
        before = self.opinions(question)
        self.lines[number] = Line(number, "undo", question, person, target=target)
        self.seat(question, before)

    def seat(self, question: int, before: list[Line]) -> None:
        """Whoever has an opinion keeps their seat, whoever has none any more leaves it, a newcomer gets a free one."""
        sitting, there = {line.person for line in before}, {line.person for line in self.opinions(question)}
        for person in sitting - there:
            del self.seats[question, person]
        for person in there - sitting:
            self.seats[question, person] = "answer" if len(sitting) < self.overlaps[question] else "second_opinion"

    def ensure(self, words) -> None:
        for word in sorted(words):
            if word not in self.tags.means:
                self.tags.make(word)

    # Changes of tags: each returns what can be taken back, or None where it must be refused

    def would_allow(self, change: str, *arguments) -> bool:
        before = self.tags
        self.tags = before.copy()
        try:
            return getattr(self, change)(*arguments) is not None
        finally:
            self.tags = before

    def rename(self, word: str, new: str) -> list[Edit] | None:
        tag = self.tags.means.get(word)
        if tag is None or self.tags.means.get(new, tag) != tag or self.tags.called[tag] == new:
            return None
        edits = [("called", tag, self.tags.called[tag], new)]
        self.tags.means[new] = tag  # stays, even when the rename is taken back
        self.tags.called[tag] = new
        return edits

    def merge(self, word: str, other: str) -> list[Edit] | None:
        tag, target = self.tags.means.get(word), self.tags.means.get(other)
        if tag is None or target is None or self.tags.into[tag] is not None or self.tags.end(target) == tag:
            return None
        self.tags.into[tag] = target
        return [("into", tag, None, target)]

    def alias(self, word: str, new: str) -> list[Edit] | None:
        tag = self.tags.means.get(word)
        if tag is None or new in self.tags.means:
            return None
        self.tags.means[new] = tag
        return [("means", new, None, tag)]

    def split(self, word: str) -> list[Edit] | None:
        origin = self.tags.means.get(word)
        if origin is None or self.tags.called[origin] == word:
            return None
        tag = self.tags.make(word)
        # Taken back, the new tag leads to where its spelling came from; `called`: a new name must go first.
        return [("means", word, origin, tag), ("into", tag, origin, None), ("called", tag, word, word)]

    def take_back(self, number: int) -> list[Edit] | None:
        changed = self.tags.copy()
        for what, which, before, after in self.edits[number]:
            rows = getattr(changed, what)
            if rows.get(which) != after:
                return None
            if before is None and what == "means":
                del rows[which]
            else:
                rows[which] = before
        if not changed.is_sound():
            return None
        self.tags = changed
        return [
            (what, which, after, before)
            for what, which, before, after in self.edits[number]
            if before != after  # what only had to be so is not taken back again
        ]
