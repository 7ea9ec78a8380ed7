"""A model in the shadow: which questions it is asked about, and how far it is."""

import pytest

from db.errors import NotFound, Refused
from db.ledger import entries as ledger
from db.models import decided, decodings, registry, shadow, training_runs
from tests.db.actions import claim, decide, serve_in_order
from tests.db.conftest import add_questions


@pytest.fixture
def candidate(store, team, live_model) -> str:
    """v2, trained on what was decided up to now."""

    def train(session) -> None:
        newest = decided.last_entry(session)
        run = training_runs.begin(session, team.admin, {})
        training_runs.set_snapshot(session, run.id, {"last_entry": newest[0] if newest else 0})
        registry.register(session, "v2", "models/v2", parent="v1")
        training_runs.finish(session, run.id, "v2", None)

    store.run(train)
    return "v2"


def start(store, person: int | None, questions: int = 10, version: str = "v2") -> shadow.Shadow:
    return store.run(lambda session: shadow.start(session, version, questions, person))


def standing(store) -> shadow.Shadow | None:
    with store.read() as session:
        return shadow.standing(session)


def waiting(store, limit: int = 99) -> list[int]:
    with store.read() as session:
        found = shadow.standing(session)
        return [question.id for question in shadow.waiting(session, found, 4, limit)]


def answer(store, question: int, version: str = "v2", beam: int = 4) -> None:
    store.run(lambda session: decodings.record(session, question, version, beam, [(("电影",), -1.0, "")]))


def test_it_is_asked_about_what_was_decided_since_its_snapshot_and_what_lies_before_somebody(
    store, team, live_model, request
):
    serve_in_order(store)
    early, late, redacted, held, nobody = add_questions(store, 5)
    decide(store, early, team.li, "电影")
    request.getfixturevalue("candidate")
    decide(store, late, team.li, "电影")
    decide(store, redacted, team.li, "电影")
    store.run(lambda session: ledger.redact(session, redacted, team.admin, reason="privacy"))
    assert claim(store, team.li).question_id == held
    start(store, team.admin)
    assert waiting(store) == [late, held]
    assert waiting(store, limit=1) == [late]
    answer(store, late, "v1")
    answer(store, late, beam=8)
    assert waiting(store) == [late, held]
    answer(store, late)
    assert waiting(store) == [held]
    assert early not in waiting(store)
    assert nobody not in waiting(store)


def test_it_ends_after_as_many_questions_as_were_asked_for(store, team, candidate):
    questions = add_questions(store, 4)
    answer(store, questions[0])  # before
    begun = start(store, team.admin, 2)
    assert (begun.version, begun.questions, begun.done, begun.left) == ("v2", 2, 0, 2)
    for question in questions[1:]:
        decide(store, question, team.li, "电影")
    assert waiting(store) == questions[1:3]
    for question in questions[1:3]:
        answer(store, question)
    assert (standing(store).done, standing(store).left) == (2, 0)
    assert waiting(store) == []


def test_a_model_that_was_not_trained_here_is_asked_about_what_comes_from_now_on(store, team, live_model):
    store.run(lambda session: registry.register(session, "v9", "models/v9"))
    before, after = add_questions(store, 2)
    decide(store, before, team.li, "电影")
    start(store, team.admin, version="v9")
    decide(store, after, team.li, "电影")
    with store.read() as session:
        assert [q.id for q in shadow.waiting(session, shadow.standing(session), 4, 9)] == [after]


def test_it_is_started_and_stopped_by_those_who_may_and_written_down(store, team, candidate):
    for person in (team.li, team.researcher):
        with pytest.raises(Refused, match="admin"):
            start(store, person)
        with pytest.raises(Refused, match="admin"):
            store.run(lambda session, person=person: shadow.stop(session, person))
    assert standing(store) is None
    assert store.run(lambda session: shadow.stop(session, team.admin)) is None
    start(store, team.admin, 7)
    assert standing(store).version == candidate
    assert store.run(lambda session: shadow.stop(session, None)).version == candidate
    assert standing(store) is None
    with store.read() as session:
        from db.figures import admin_log

        lines = admin_log.recent(session, ["retrain"])
    assert [(line.person, line.payload["action"]) for line in lines[:2]] == [(None, "shadow ends"), ("chen", "shadow")]
    assert lines[1].payload == {"action": "shadow", "version": "v2", "questions": 7}


def test_another_one_takes_its_place(store, team, candidate):
    store.run(lambda session: registry.register(session, "v3", "models/v3"))
    start(store, team.admin)
    start(store, team.admin, version="v3")
    assert standing(store).version == "v3"


def test_what_is_live_gone_or_unknown_is_refused(store, team, candidate):
    with pytest.raises(Refused, match="v1 is live, so it needs no shadow"):
        start(store, team.admin, version="v1")
    with pytest.raises(NotFound, match="no model version v9"):
        start(store, team.admin, version="v9")
    for number in (0, -3, shadow.MOST_QUESTIONS + 1):
        with pytest.raises(Refused, match="1 to 100000 questions"):
            start(store, team.admin, number)
    store.run(lambda session: registry.prune(session, "v2", team.admin))
    with pytest.raises(Refused, match="v2 was pruned"):
        start(store, team.admin)
    assert standing(store) is None
