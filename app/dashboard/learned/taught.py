"""What the last decisions taught: open questions are ranked with everything that is known now, and as if the last
decisions had never been made. Their hypotheses are the same both times."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.dashboard.tables import Table
from app.memory import taking_in
from app.memory.apart import knowledge_apart, open_encoder
from app.memory.cache import Cache, folder_for
from app.shell.settings import Settings
from db.figures.waiting import Waiting, open_decoded
from db.store.engine import Store
from l2a.text.cleaning import match_key

if TYPE_CHECKING:
    from l2a.ranking.knowledge import Knowledge
    from l2a.tagger import ReadQuestion, Tagger

LAST = 100  # decided questions that are forgotten
QUESTIONS = 200  # open ones that are looked at, the newest
MOST = 10  # tags that rose, and as many that fell
_NOTHING = 1e-3  # of a question's chance: less is no change


@dataclass(frozen=True)
class Ranked:
    """A question and the chance of each tag by its matching key, before and now."""

    question_id: int
    title: str
    before: Mapping[str, float]
    now: Mapping[str, float]


@dataclass(frozen=True)
class TagChange:
    """A tag whose chance is another by now. A tag that nothing speaks for has none: 0."""

    tag: str
    change: float  # of its chance, on average over all questions that were looked at
    questions: int  # for which anything speaks for it, before or now
    before: float  # chance on average over these
    now: float
    example: Ranked  # where it changed most
    example_before: float
    example_now: float


@dataclass(frozen=True)
class Taught:
    forgotten: int  # decisions
    questions: int
    rose: tuple[TagChange, ...]  # the most first
    fell: tuple[TagChange, ...]


def look(
    settings: Settings, store: Store, tagger: "Tagger", progress: Callable[[int, int], None] = lambda done, total: None
) -> Taught | None:
    """None for a model that orders tags by votes. `progress` hears of every question, twice of each; and before that of
    the decisions, where memory is not kept on disk."""
    cache = Cache(folder_for(store), store, tagger.version)
    knowledge = knowledge_apart(store, tagger, cache, progress, encoder=open_encoder(settings.encoder))
    if knowledge is None:
        return None
    with store.read() as session:
        waiting = open_decoded(session, tagger.version, QUESTIONS)
    read = [_read(tagger, one) for one in waiting]
    total, names = 2 * len(waiting), dict[str, str]()

    def chances(begun: int) -> list[dict[str, float]]:
        found = []
        for done, (one, prepared) in enumerate(zip(waiting, read, strict=True), start=begun):
            progress(done, total)
            tags = _chances(tagger, one, prepared, knowledge)
            names.update({match_key(tag): tag for tag in tags})
            found.append({match_key(tag): chance for tag, chance in tags.items()})
        return found

    now = chances(0)
    last = [question for question, _ in knowledge.memory.newest()[:LAST]]
    for question in last:
        knowledge.forget(question)
    with store.read() as session:
        taking_in.read_servings(session, knowledge)  # of older ones, in the place of those that are forgotten
    before = chances(len(waiting))
    progress(total, total)
    ranked = [Ranked(one.question_id, one.title, *both) for one, *both in zip(waiting, before, now, strict=True)]
    return changes(ranked, names, forgotten=len(last))


def changes(ranked: Sequence[Ranked], names: Mapping[str, str], *, forgotten: int) -> Taught:
    """Tags by how much more, or less, they are to be expected over all questions. names: key -> name."""
    met: dict[str, list[Ranked]] = defaultdict(list)
    for one in ranked:
        for key in one.now.keys() | one.before.keys():
            met[key].append(one)
    found = [_change(key, names[key], some, len(ranked)) for key, some in met.items()]
    told = [change for change in found if abs(change.change) * len(ranked) >= _NOTHING]
    rose = sorted((one for one in told if one.change > 0), key=lambda one: (-one.change, one.tag))
    fell = sorted((one for one in told if one.change < 0), key=lambda one: (one.change, one.tag))
    return Taught(forgotten, len(ranked), tuple(rose[:MOST]), tuple(fell[:MOST]))


def table(found: Taught) -> Table:
    heads = ("tag", "change", "questions", "chance_before", "chance_now", "example", "example_before", "example_now")
    rows = tuple(
        (
            one.tag,
            round(one.change, 5),
            one.questions,
            round(one.before, 4),
            round(one.now, 4),
            one.example.title,
            round(one.example_before, 4),
            round(one.example_now, 4),
        )
        for one in (*found.rose, *found.fell)
    )
    return Table("taught", heads, rows)


def _change(key: str, name: str, some: Sequence[Ranked], questions: int) -> TagChange:
    pairs = [(one.before.get(key, 0.0), one.now.get(key, 0.0)) for one in some]
    total = sum(now - before for before, now in pairs)
    place = max(range(len(some)), key=lambda place: (pairs[place][1] - pairs[place][0]) * (1 if total >= 0 else -1))
    before, now = (sum(side) / len(some) for side in zip(*pairs, strict=True))
    return TagChange(name, total / questions, len(some), before, now, some[place], *pairs[place])


def _read(tagger: "Tagger", waiting: Waiting) -> "ReadQuestion":
    from l2a.data.questions import Question

    question = Question(title=waiting.title, description=waiting.description, id=str(waiting.question_id))
    return tagger.read(question, only_hints=False)


def _chances(tagger: "Tagger", waiting: Waiting, read: "ReadQuestion", knowledge: "Knowledge") -> dict[str, float]:
    from l2a.suggestions import Hypothesis

    hypotheses = [Hypothesis(*one) for one in waiting.hypotheses]
    answer = tagger.rank(read, hypotheses, beam=waiting.beam, knowledge=knowledge)
    return {tag.tag: tag.chance or 0.0 for tag in answer.suggestions}
