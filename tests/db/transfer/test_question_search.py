"""Questions by number and by words."""

from db.ledger import entries as ledger
from db.transfer.importing import IncomingQuestion, import_questions
from db.transfer.question_search import find_questions


def titles(store, words="", limit=20) -> list[str]:
    with store.read() as session:
        return [question.title for question in find_questions(session, words, limit)]


def add(store, *texts: tuple[str, str]) -> None:
    questions = [
        IncomingQuestion(line=place, title=title, description=description, source="x", external_id=str(place))
        for place, (title, description) in enumerate(texts)
    ]
    import_questions(store, questions, name="x", fingerprint="x")


def test_all_words_must_be_there_in_title_or_description(store):
    add(store, ("跑步伤膝盖吗", "想减肥"), ("跑步机怎么选", ""), ("Python 入门", "100% 零基础"))
    assert titles(store) == ["跑步伤膝盖吗", "跑步机怎么选", "Python 入门"]
    assert titles(store, "跑步") == ["跑步伤膝盖吗", "跑步机怎么选"]
    assert titles(store, " 减肥　跑步 ") == ["跑步伤膝盖吗"]
    assert titles(store, "PYTHON") == ["Python 入门"]
    assert titles(store, "游泳") == []


def test_signs_of_the_pattern_language_are_looked_for_as_they_are(store):
    add(store, ("a_b", ""), ("axb", "100%"), ("c", "100"))
    assert titles(store, "a_b") == ["a_b"]
    assert titles(store, "100%") == ["axb"]


def test_a_number_finds_its_question_first_and_then_texts_with_it(store, team, questions):
    add(store, ("3 月去哪里玩", ""))
    with store.read() as session:
        found = find_questions(session, str(questions[2]))
    assert found[0].id == questions[2]
    assert titles(store, "3 月去") == ["3 月去哪里玩"]
    assert titles(store, "9" * 40) == []


def test_the_list_has_an_end_and_leaves_redacted_questions_out(store, team, questions):
    assert len(titles(store, limit=5)) == 5
    store.run(lambda session: ledger.redact(session, questions[0], team.admin, reason="asked to"))
    with store.read() as session:
        assert questions[0] not in [question.id for question in find_questions(session)]
        assert questions[0] not in [question.id for question in find_questions(session, str(questions[0]))]
