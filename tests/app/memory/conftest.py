"""A store on both databases, a tagger with a ranker, and short ways to ask what memory makes of a question."""

from dataclasses import dataclass, replace
from functools import partial

import pytest

from app.memory.cache import Cache
from app.memory.store_memory import StoreMemory
from db.models import suggestions
from db.store.engine import Store
from db.store.records import ProposedTag
from db.transfer.importing import IncomingQuestion, import_questions
from l2a.suggestions import Hypothesis, Suggestions
from l2a.tagger import Tagger
from tests.db.conftest import (  # noqa: F401 - fixtures
    cleaners,
    kind,
    live_model,
    opened_stores,
    postgresql_server,
    postgresql_template,
    postgresql_uri,
    sqlite_template,
    store,
    team,
    url,
)
from tests.l2a.ranking.priors import prior_of

WEIGHTS = {
    "votes.share": 3.0,
    "precedents.share": 4.0,
    "precedents.refused": -6.0,
    "words.score": 2.0,
    "mentions.title": 1.0,
    "habits.ever": 0.5,
    "habits.lately": 1.0,
}
TITLES = (
    "零基础学编程从哪里开始？",
    "零基础学编程先学哪门语言？",
    "零基础学吉他从哪里开始？",
    "有什么好看的科幻电影？",
    "有什么好看的老电影？",
    "跑步伤膝盖吗？",
    "每天跑步对膝盖好吗？",
    "第一次养猫要准备什么？",
    "养猫一个月要花多少钱？",
    "电影的配乐是怎么做的？",
)
HYPOTHESES = (
    Hypothesis(("编程", "电影"), -1.0),
    Hypothesis(("编程", "跑步"), -1.5),
    Hypothesis(("养猫",), -2.0),
    Hypothesis(("音乐", "电影"), -2.5),
)
BEAM = 4


@pytest.fixture
def titles(store, live_model) -> dict[int, str]:  # noqa: F811
    """The questions of the store by their number."""
    return import_titles(store, TITLES)


def import_titles(store: Store, texts) -> dict[int, str]:  # noqa: F811
    from sqlalchemy import select

    from db.store.tables import Question

    rows = [IncomingQuestion(line, title, external_id=str(line)) for line, title in enumerate(texts, start=1)]
    import_questions(store, rows, name="test", fingerprint="test")
    with store.read() as session:
        return dict(session.execute(select(Question.id, Question.title).order_by(Question.id)).all())


@pytest.fixture
def ranking_tagger(tiny_tagger) -> Tagger:
    return replace(tiny_tagger, prior=prior_of(WEIGHTS), version="v1")


@dataclass
class Asking:
    """Memory, and what it makes of a question."""

    memory: StoreMemory
    titles: dict[int, str]

    def rank(self, question: int, title: str | None = None) -> Suggestions:
        return self.memory.rank(question, title or self.titles[question], "", HYPOTHESES, BEAM)[0]

    def chances(self, question: int = 0, title: str | None = None) -> dict[str, float]:
        return {tag.tag: tag.chance for tag in self.rank(question, title).suggestions}

    def all_chances(self) -> dict[int, dict[str, float]]:
        return {question: self.chances(question) for question in self.titles}

    def serve(self, question: int) -> int:
        """Put what memory says before somebody: the number of the stored suggestion."""
        found, number = self.memory.rank(question, self.titles[question], "", HYPOTHESES, BEAM)
        tags = [
            ProposedTag(t.tag, t.votes, t.probability, t.kept, t.is_new, chance=t.chance, figures=t.figures)
            for t in found.suggestions
        ]
        record = partial(suggestions.record, beam=BEAM, threshold=0.25, tags=tags, ledger_number=number)
        return self.memory._store.run(lambda session: record(session, question, "v1", cut=found.cut))


@pytest.fixture
def make_memory(store, ranking_tagger, titles, tmp_path):  # noqa: F811
    """Call it for a memory with a cache of its name in common with others of that name; without a name it has none."""
    made = []

    def make(name: str | None = None, tagger: Tagger = ranking_tagger) -> Asking:
        cache = None if name is None else Cache(tmp_path / name, store, tagger.version)
        made.append(StoreMemory(store, tagger, cache))
        return Asking(made[-1], titles)

    yield make
    for memory in made:
        memory.close()


@pytest.fixture
def asking(make_memory) -> Asking:
    return make_memory()
