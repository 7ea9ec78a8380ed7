"""The store's own titles make new names known, and forget what was redacted."""

from dataclasses import replace

import pytest

from app.memory import own_titles
from app.memory.own_titles import OwnTitles
from db.ledger import entries as ledger
from db.tags.emerging import titles_after
from db.transfer.importing import IncomingQuestion, import_questions
from l2a.evidence.collection import Evidence
from l2a.evidence.names.finder import NameFinder
from l2a.evidence.names.tokens import cut, runs_of
from l2a.text.segmenter import Segmenter
from tests.l2a.evidence.names.corpus import UNKNOWN, finder

NEW = UNKNOWN[9]
NEWS = (
    f"在{NEW}工作是什么体验？",
    f"为什么大家都在说{NEW}？",
    f"想去{NEW}看看，有什么要注意的？",
    f"{NEW}和别的比起来怎么样？",
    f"如何评价{NEW}最近的做法？",
)


@pytest.fixture
def own() -> NameFinder:
    return NameFinder(finder().arrays, Segmenter())


def bring(store, *texts: str) -> None:
    rows = [IncomingQuestion(line, text, external_id=f"{text}") for line, text in enumerate(texts, start=1)]
    import_questions(store, rows, name="more", fingerprint="more".join(texts))


def times(own: NameFinder) -> float:
    return float(own.counts.of(runs_of(cut(NEW).numbers)[-1])[0][0])


def caught_up(titles: OwnTitles, store) -> None:
    with store.read() as session:
        titles.catch_up(session)
    titles.wait()


@pytest.mark.parametrize("at_once", [2_000, 0])
def test_a_name_in_several_questions_is_known_from_then_on(store, live_model, own, at_once, monkeypatch):
    monkeypatch.setattr(own_titles, "AT_ONCE", at_once)  # 0: counted beside, in a thread
    titles = OwnTitles(own)
    caught_up(titles, store)
    assert times(own) == -1
    bring(store, *NEWS[:4])
    caught_up(titles, store)
    assert times(own) == -1  # four times are too few
    bring(store, NEWS[4])
    caught_up(titles, store)
    assert times(own) > 1


def test_a_redacted_question_no_longer_counts(store, live_model, own, team):
    titles = OwnTitles(own)
    bring(store, *NEWS)
    caught_up(titles, store)
    assert times(own) > 1
    with store.read() as session:
        last = max(number for number, _ in titles_after(session, 0))
    store.run(lambda session: ledger.redact(session, last, team.admin, reason="privacy"))
    titles.forget()
    caught_up(titles, store)
    assert times(own) == -1


def test_only_the_newest_titles_count(store, live_model, own, monkeypatch):
    titles = OwnTitles(own)
    bring(store, *NEWS)
    monkeypatch.setattr(own_titles, "MOST", 7)
    for more, is_known in ((2, True), (1, False)):  # seven titles are kept, then the first of the news is too old
        bring(store, *(f"第{more}{number}次做饭要买什么？" for number in range(more)))
        caught_up(titles, store)
        assert (times(own) > 1) == is_known


def test_memory_follows_the_titles_of_its_store(store, ranking_tagger, make_memory, titles):
    tagger = replace(ranking_tagger, evidence=Evidence(None, NameFinder(finder().arrays, Segmenter())))
    asking = make_memory(tagger=tagger)
    asking.rank(1)
    assert times(tagger.names) == -1
    bring(store, *NEWS)
    found = asking.rank(1, NEWS[0])
    assert times(tagger.names) > 1
    assert NEW in {tag.tag for tag in found.suggestions}
