"""What retraining and the suggestions ahead of people ask the store, counted by hand on both databases."""

from db.figures.acceptance import missed
from db.models import suggestions, training_runs
from db.models.decided import decisions_since, last_entry
from tests.db.actions import review, serve_in_order, share, undo
from tests.db.conftest import add_questions
from tests.db.deciding import decide, suggest


def read(store, ask, *arguments):
    with store.read() as session:
        return ask(session, *arguments)


def waiting(store, order: str = "oldest", limit: int = 100) -> list[int]:
    return [question.id for question in read(store, suggestions.waiting, order, limit)]


def test_open_questions_wait_until_the_live_model_was_asked(store, team, live_model):
    serve_in_order(store)
    first, second, third, fourth = add_questions(store, 4)
    assert waiting(store) == [first, second, third, fourth]
    suggest(store, second, live_model, 电影=8)
    decide(store, third, team.li, added=["电影"])  # not open any more
    assert waiting(store) == [first, fourth]
    assert waiting(store, limit=1) == [first]
    assert read(store, suggestions.count_waiting) == 2


def test_questions_served_at_random_wait_last_and_blind_ones_never(store, live_model):
    share(store, random=1.0, blind=0.0)
    (at_random,) = add_questions(store, 1)
    suggest(store, at_random, live_model, 电影=8)  # stays in its pool
    (other,) = add_questions(store, 1)
    assert waiting(store) == [other]
    share(store, random=0.0, blind=1.0)
    assert waiting(store) == []
    assert read(store, suggestions.count_waiting) == 0


def test_without_a_live_model_nothing_waits(store, team, questions):
    assert waiting(store) == []
    assert read(store, suggestions.count_waiting) == 0


def test_beam_and_threshold_of_the_newest_suggestion(store, questions, live_model):
    assert read(store, suggestions.newest_settings, live_model) is None
    suggest(store, questions[0], live_model, 电影=8)
    suggest(store, questions[1], live_model, beam=16, 电影=8)
    assert read(store, suggestions.newest_settings, live_model) == (16, 0.25)


def test_added_tags_are_missed_ones_where_something_was_suggested(store, team, questions, live_model):
    first, second, third = questions[:3]
    of_first, of_second = (suggest(store, question, live_model, 电影=8, 导演=1) for question in (first, second))
    decide(store, first, team.li, accepted=["电影"], added=["影评", "演员"], suggestion_id=of_first)
    later = decide(store, second, team.li, added=["旅行"], suggestion_id=of_second)
    decide(store, third, team.li, added=["美食"])  # answers no suggestion
    assert read(store, missed, live_model) == 3
    undo(store, later, team.li)
    assert read(store, missed, live_model) == 2
    assert read(store, missed, "v9") == 0


def test_decisions_and_reviews_after_a_line_are_counted(store, team, questions):
    decide(store, questions[0], team.li, added=["电影"])
    number, _ = read(store, last_entry)
    assert read(store, decisions_since, 0) == 1
    assert read(store, decisions_since, number) == 0
    undo(store, decide(store, questions[1], team.li, added=["电影"]), team.li)  # the undo is no decision
    review(store, questions[0], team.researcher, "导演")
    assert read(store, decisions_since, number) == 2


def test_the_run_that_a_version_came_of(store, team):
    run = store.run(lambda session: training_runs.begin(session, team.admin, {}))
    assert read(store, training_runs.made, "v2") is None
    store.run(lambda session: training_runs.finish(session, run.id, "v2", None))
    assert read(store, training_runs.made, "v2").id == run.id
