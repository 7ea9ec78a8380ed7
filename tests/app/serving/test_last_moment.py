"""Decoded once, ranked when it is served: with everything decided up to then, and never without an answer."""

import json
import logging
import threading
from dataclasses import replace
from functools import partial

import pytest

from app.memory.store_memory import StoreMemory
from app.serving.last_moment import LastMoment
from app.serving.suggester import Suggester
from db.ledger import entries as ledger
from db.models import decodings, registry, suggestions
from db.store.records import ToldFinding
from l2a.suggestions import Hypothesis
from tests.app.memory.conftest import (  # noqa: F401 - fixtures
    TITLES,
    WEIGHTS,
    cleaners,
    import_titles,
    kind,
    opened_stores,
    postgresql_server,
    postgresql_template,
    postgresql_uri,
    sqlite_template,
    store,
    team,
    url,
)
from tests.db import actions
from tests.l2a.ranking.priors import prior_of

NEW = "显微镜"


@pytest.fixture
def titles(store) -> dict[int, str]:  # noqa: F811
    return import_titles(store, TITLES)


@pytest.fixture
def tagger(tiny_tagger):
    """Whose searches are counted."""
    tagger = replace(tiny_tagger, prior=prior_of(WEIGHTS))
    tagger.searched = []
    decode = tagger.decode

    def counted(sources, *arguments):
        tagger.searched.append(len(sources))
        return decode(sources, *arguments)

    tagger.decode = counted
    return tagger


@pytest.fixture
def make_suggester(store, tagger, titles, tmp_path):  # noqa: F811
    """On a store whose live model has a ranker; its beam is 6."""
    folder, made = tmp_path / "model", []
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps({"kind": "l2a-tagger", "version": tagger.version}))

    def make(load=lambda folder: tagger) -> Suggester:
        made.append(Suggester(store, load, folder, 6, memory=tmp_path / "memory"))
        return made[-1]

    yield make
    for suggester in made:
        suggester.close()


@pytest.fixture
def suggester(make_suggester) -> Suggester:
    return make_suggester()


@pytest.fixture
def ask(suggester, titles):
    return lambda question: suggester.for_question(question, titles[question], "")


def chances(stored) -> dict[str, float]:
    return {tag.tag: tag.chance for tag in stored.tags}


def test_a_question_is_searched_once_and_ranked_as_often_as_something_was_decided(ask, store, team, tagger):  # noqa: F811
    first = ask(2)
    assert tagger.searched == [1]
    assert ask(2) == first  # nothing was decided since
    number = actions.decide(store, 1, team.li, NEW).number
    second = ask(2)
    assert tagger.searched == [1]
    assert (second.ledger_number, second.decoding_id) == (number, first.decoding_id)
    assert second.id > first.id
    assert NEW not in chances(first)
    assert chances(second)[NEW] > 0
    assert second.precedents[0][0] == 1
    assert second.precedents[0][1] > 0.3
    told = next(tag for tag in second.tags if tag.tag == NEW).evidence
    assert ToldFinding("precedents", "finding.precedents", {"count": 1, "of": 1}) in told
    assert ask(2) == second


def test_what_is_stored_is_what_was_ranked(ask, store, team, suggester, tagger, titles):  # noqa: F811
    actions.decide(store, 1, team.li, NEW, "编程")
    stored = ask(2)
    with store.read() as session:
        decoding = decodings.find(session, 2, tagger.version, 6)
    hypotheses = [Hypothesis(*one) for one in decoding.hypotheses]
    ranked, number = suggester._ranking[1].memory.rank(2, titles[2], "", hypotheses, 6)
    assert [h.tags for h in hypotheses] == [h.tags for h in ranked.hypotheses]
    assert stored.ledger_number == number
    assert (stored.cut, stored.shown, stored.beam) == (ranked.cut, len(ranked.shown), 6)
    assert [(t.tag, t.votes, t.kept, t.chance, t.figures) for t in stored.tags] == [
        (t.tag, t.votes, t.kept, t.chance, t.figures) for t in ranked.suggestions[:30]
    ]
    assert all(tag.votes <= 6 for tag in stored.tags)


def test_what_is_served_and_answered_teaches_the_ranker(ask, store, team, suggester):  # noqa: F811
    first = ask(2)
    shown = [tag.tag for tag in first.tags[:3]]
    verdicts = {shown[0]: "accepted", **dict.fromkeys(shown[1:], "rejected")}
    actions.decide(store, 2, team.li, verdicts=verdicts, suggestion_id=first.id)
    ask(3)
    assert suggester._ranking[1].memory.status()["ranked_on"] == 1


def test_an_older_suggestion_can_still_be_answered(ask, store, team):  # noqa: F811
    older = ask(2)
    actions.decide(store, 1, team.li, NEW)
    newer = ask(2)
    assert newer.id != older.id
    receipt = actions.decide(
        store, 2, team.wang, verdicts={older.tags[0].tag: "accepted"}, suggestion_id=older.id, shown=[]
    )
    assert receipt.question_id == 2


def test_working_ahead_searches_and_the_serving_only_ranks(store, suggester, team, tagger, ask):  # noqa: F811
    suggester.live()
    with store.read() as session:
        waiting = suggestions.next_without(session, ("oldest",), 5)[:3]
    suggester.prepare(waiting)
    assert tagger.searched == [3]
    with store.read() as session:
        ahead = {question.id: suggestions.fresh(session, question.id) for question in waiting}
        assert not {question.id for question in waiting} & {
            question.id for question in suggestions.next_without(session, ("oldest",), 5)
        }
    one = waiting[0].id
    assert ask(one) == ahead[one]
    actions.decide(store, waiting[1].id, team.li, NEW)
    assert ask(one).decoding_id == ahead[one].decoding_id
    assert tagger.searched == [3]


def test_ranking_waits_behind_no_search(ask, suggester, tagger, store, team, titles):  # noqa: F811
    ask(2)
    actions.decide(store, 1, team.li, NEW)
    begun, go = threading.Event(), threading.Event()

    def search() -> None:
        with suggester._queue.alone():
            begun.set()
            assert go.wait(30)

    slow = threading.Thread(target=search)
    slow.start()
    assert begun.wait(30)
    assert NEW in chances(ask(2))
    go.set()
    slow.join()


@pytest.mark.parametrize("method", ["rank", "catch_up"])
def test_a_failing_memory_keeps_no_question_from_being_served(ask, store, team, monkeypatch, caplog, method):  # noqa: F811
    actions.decide(store, 1, team.li, NEW)
    monkeypatch.setattr(StoreMemory, method, lambda *_: 1 / 0)
    with caplog.at_level(logging.ERROR):
        stored = ask(2)
    assert stored.tags
    assert NEW not in chances(stored) or method == "catch_up"
    if method == "rank":
        assert (stored.ledger_number, stored.cut is not None) == (None, True)
        assert "ranked without" in caplog.text
    else:
        assert ask(2) == stored  # what is stored knows more than nothing
        assert "cannot catch up" in caplog.text


def test_another_model_has_a_memory_of_its_own(make_suggester, store, team, tagger, titles, tmp_path):  # noqa: F811
    other = replace(tagger, version="another")
    suggester = make_suggester(lambda folder: other if folder.name == "other" else tagger)
    actions.decide(store, 1, team.li, NEW)
    before = suggester.for_question(2, titles[2], "")
    (tmp_path / "other").mkdir()

    def promote(session) -> None:
        registry.register(session, "another", str(tmp_path / "other"))
        registry.promote(session, "another", team.admin)

    store.run(promote)
    after = suggester.for_question(2, titles[2], "")
    assert (before.model_version, after.model_version) == (tagger.version, "another")
    assert chances(after) == chances(before)
    assert after.decoding_id != before.decoding_id


def test_a_model_without_a_ranker_remembers_nothing(make_suggester, store, team, tagger, titles, tmp_path):  # noqa: F811
    plain = replace(tagger, prior=None)
    suggester = make_suggester(lambda folder: plain)
    first = suggester.for_question(2, titles[2], "")
    actions.decide(store, 1, team.li, NEW)
    assert suggester.for_question(2, titles[2], "") == first
    assert (first.cut, first.ledger_number, first.decoding_id) == (None, None, None)
    assert all(tag.chance is None for tag in first.tags)
    assert not (tmp_path / "memory").exists()


def test_a_question_that_is_redacted_while_it_is_searched_leaves_no_words(ask, suggester, store, team, tagger):  # noqa: F811
    search, redact = tagger.decode, partial(ledger.redact, question_id=2, person_id=team.admin, reason="privacy")

    def slowly(*arguments):
        found = search(*arguments)
        store.run(lambda session: redact(session))
        return found

    tagger.decode = slowly
    stored = ask(2)
    assert stored.decoding_id is None
    with store.read() as session:
        assert decodings.find(session, 2, tagger.version, 6) is None
    assert all(tag.hypothesis == () for tag in stored.tags)


def test_several_who_ask_at_once_get_one_answer(ask, store, team, tagger, titles):  # noqa: F811
    actions.decide(store, 1, team.li, NEW)
    found: dict[int, list] = {2: [], 3: []}
    threads = [
        threading.Thread(target=lambda question=question: found[question].append(ask(question)))
        for question in (2, 3, 2, 3, 2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [len(some) for some in found.values()] == [3, 2]
    assert all(len({stored.id for stored in some}) == 1 for some in found.values())


def test_warming_up_has_memory_there_before_anybody_asks(make_suggester, store, team, titles, monkeypatch):  # noqa: F811
    actions.decide(store, 1, team.li, NEW)
    loaded, load = threading.Event(), StoreMemory.load
    monkeypatch.setattr(StoreMemory, "load", lambda self: (load(self), loaded.set()))
    suggester = make_suggester()
    suggester.live()
    suggester.warm_up()
    assert loaded.wait(60)


def test_memory_is_kept_when_the_suggester_is_closed(make_suggester, store, team, titles, tagger, monkeypatch):  # noqa: F811
    actions.decide(store, 1, team.li, NEW)
    suggester = make_suggester()
    before = suggester.for_question(2, titles[2], "")
    suggester.close()
    monkeypatch.setattr("app.memory.taking_in.build", lambda *_, **__: 1 / 0)
    again = LastMoment(store, tagger, 6, suggester._memory)
    assert again.memory.status()["decisions"] == 1
    assert again.stored(2) == before
