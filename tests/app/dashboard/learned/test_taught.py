"""What the last decisions taught: tags that rose and fell, by hand and on a real store."""

from dataclasses import replace

import pytest

from app.dashboard.learned import taught
from app.dashboard.learned.taught import Ranked
from app.shell.settings import Settings
from db.figures.waiting import open_decoded
from db.ledger import entries as ledger
from db.models import decodings, registry
from db.queue.shares import Shares, set_shares
from tests.app.memory.conftest import BEAM, HYPOTHESES
from tests.db.actions import decide

NAMES = {"a": "甲", "b": "乙", "c": "丙", "d": "丁"}


def test_tags_are_listed_by_how_much_more_they_are_to_be_expected():
    """甲 rose a little for both questions, 乙 much for one; 丙 fell; 丁 is as it was."""
    one = Ranked(1, "第一题", {"a": 0.5, "c": 0.6, "d": 0.2}, {"a": 0.6, "b": 0.5, "c": 0.3, "d": 0.2})
    two = Ranked(2, "第二题", {"a": 0.1}, {"a": 0.3})
    found = taught.changes([one, two], NAMES, forgotten=7)
    assert (found.forgotten, found.questions) == (7, 2)
    assert [(tag.tag, round(tag.change, 6), tag.questions) for tag in found.rose] == [("乙", 0.25, 1), ("甲", 0.15, 2)]
    (fell,) = found.fell
    assert (fell.tag, round(fell.change, 6)) == ("丙", -0.15)
    assert (fell.example.title, fell.example_before, fell.example_now) == ("第一题", 0.6, 0.3)
    rose = found.rose[1]
    assert (rose.before, rose.now) == (pytest.approx(0.3), pytest.approx(0.45))
    assert (rose.example.question_id, rose.example_before, rose.example_now) == (2, 0.1, 0.3)
    assert taught.table(found).rows[0][:3] == ("乙", 0.25, 1)


def test_at_most_ten_are_listed_on_each_side_and_none_without_questions():
    names = {f"{n:02}": f"标签{n:02}" for n in range(30)}
    up = Ranked(1, "题", {}, {key: 0.01 * (place + 1) for place, key in enumerate(names)})
    found = taught.changes([up], names, forgotten=1)
    assert [tag.tag for tag in found.rose] == [f"标签{n}" for n in range(29, 19, -1)]
    assert found.fell == ()
    assert taught.changes([], {}, forgotten=0) == taught.Taught(0, 0, (), ())


@pytest.fixture
def settings(tmp_path) -> Settings:
    return Settings(database=f"sqlite:///{tmp_path / 'unused.db'}")


def keep(store, *questions: int) -> None:
    rows = [(one.tags, one.log_probability, one.order) for one in HYPOTHESES]
    for question in questions:
        store.run(lambda session, question=question: decodings.record(session, question, "v1", BEAM, rows))


def test_an_invented_tag_rises_for_a_question_like_those_that_got_it(
    store, team, asking, ranking_tagger, settings, tmp_path, monkeypatch
):
    monkeypatch.setattr(taught, "folder_for", lambda store: tmp_path / "memory")
    keep(store, 2, 5, 7)
    decide(store, 1, team.li, "氦闪学习法")
    told = []
    found = taught.look(settings, store, ranking_tagger, lambda done, total: told.append((done, total)))
    assert (found.forgotten, found.questions) == (1, 3)
    assert found.rose[0].tag == "氦闪学习法"
    assert found.rose[0].example.question_id == 2  # 零基础学编程先学哪门语言？
    assert found.rose[0].example_before == 0.0
    assert found.rose[0].example_now > 0.1
    assert told[-1] == (6, 6)
    # What is served with has not noticed.
    assert "氦闪学习法" in asking.chances(2)


def test_only_the_last_decisions_are_forgotten(store, team, asking, ranking_tagger, settings, tmp_path, monkeypatch):
    monkeypatch.setattr(taught, "folder_for", lambda store: tmp_path / "memory")
    monkeypatch.setattr(taught, "LAST", 1)
    keep(store, 2)
    decide(store, 1, team.li, "编程", "旧标签")
    decide(store, 3, team.li, "新标签")
    found = taught.look(settings, store, ranking_tagger)
    assert found.forgotten == 1
    changed = {tag.tag: tag for tag in (*found.rose, *found.fell)}
    assert changed["新标签"].before == 0.0
    assert "旧标签" not in changed or changed["旧标签"].before > 0.0


def test_a_model_without_a_ranker_has_nothing_to_say(store, live_model, tiny_tagger, settings):
    assert taught.look(settings, store, replace(tiny_tagger, prior=None, version="v1")) is None


def test_open_questions_that_were_searched_are_looked_at_but_no_blind_ones(store, team, titles):
    store.run(lambda session: set_shares(session, Shares(0.0, 0.0), by=team.admin))
    store.run(lambda session: registry.register(session, "v2", "models/v2"))
    keep(store, 1, 2, 3, 4)
    store.run(lambda session: decodings.record(session, 5, "v2", BEAM, [(("编程",), -1.0, "")]))
    decide(store, 2, team.li, "编程")
    store.run(lambda session: ledger.redact(session, 3, team.admin, reason="privacy"))

    def found(most: int = 9) -> list[int]:
        with store.read() as session:
            return [one.question_id for one in open_decoded(session, "v1", most)]

    assert found() == [4, 1]
    assert found(1) == [4]
    with store.read() as session:
        (first, _) = open_decoded(session, "v1", 9)
    assert (first.title, first.beam) == (titles[4], BEAM)
    assert first.hypotheses == tuple((one.tags, one.log_probability, one.order) for one in HYPOTHESES)
    store.run(lambda session: set_shares(session, Shares(0.0, 1.0), by=team.admin))
    assert found() == []
