"""Knowledge of one's own: the same as what is served with, and what is done to it is noticed by nobody."""

from dataclasses import replace

import pytest

from app.memory.apart import knowledge_apart, open_encoder
from app.memory.cache import Cache
from l2a.data.questions import Question
from tests.app.memory.conftest import BEAM, HYPOTHESES
from tests.db.actions import decide, undo


@pytest.fixture
def chances(asking, ranking_tagger):
    """What knowledge makes of every question, nothing left out."""

    def of(knowledge) -> dict[int, dict[str, float]]:
        found = {}
        for question, title in asking.titles.items():
            with knowledge.memory.without(question):
                answer = ranking_tagger.rank(
                    ranking_tagger.read(Question(title=title), only_hints=False),
                    HYPOTHESES,
                    beam=BEAM,
                    knowledge=knowledge,
                )
            found[question] = {tag.tag: tag.chance for tag in answer.suggestions}
        return found

    return of


def decide_some(store, team, asking, count: int, tag: str = "编程") -> list:
    made = []
    for question in list(asking.titles)[:count]:
        suggestion = asking.serve(question)
        made.append(
            decide(
                store,
                question,
                team.li,
                verdicts={"编程": "rejected", tag: "added"} if tag != "编程" else {"编程": "accepted"},
                suggestion_id=suggestion,
                shown=["编程", "电影"],
            )
        )
    return made


@pytest.mark.parametrize("is_kept", [False, True])
def test_it_knows_what_is_served_with(store, team, asking, make_memory, ranking_tagger, tmp_path, chances, is_kept):
    decide_some(store, team, asking, 3)
    cache = Cache(tmp_path / "one", store, ranking_tagger.version) if is_kept else None
    if is_kept:
        shared = make_memory("one").memory
        shared.catch_up()
        shared.save()
        assert cache.path.is_file()
    receipts = decide_some(store, team, asking, 5, tag="吉他")  # some of them anew, and more than is kept
    undo(store, receipts[4], team.li)
    told = []
    knowledge = knowledge_apart(store, ranking_tagger, cache, lambda done, total: told.append((done, total)))
    for question, found in chances(knowledge).items():
        assert found == pytest.approx(asking.chances(question), abs=1e-6)
    assert bool(told) != is_kept  # what is kept need not be built
    before = asking.all_chances()
    for question in asking.titles:
        knowledge.forget(question)
    assert asking.all_chances() == before


def test_a_model_that_orders_by_votes_has_none(store, asking, ranking_tagger):
    assert knowledge_apart(store, replace(ranking_tagger, prior=None)) is None


def test_an_encoder_that_is_not_there_is_done_without(tmp_path, caplog):
    assert open_encoder(None) is None
    assert open_encoder(tmp_path / "gone") is None
    assert "memory does without the sentence encoder" in caplog.text
