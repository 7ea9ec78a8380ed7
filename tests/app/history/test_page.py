"""The history page: what each role sees, undo, reopen, a past day, conflicts."""

import json
from datetime import date, timedelta

import pytest
from streamlit.testing.v1 import AppTest

from app.history import filters
from app.shell.settings import ROOT
from app.transfer.importer import import_file
from db import people
from db.ledger import entries as ledger
from db.ledger import history
from db.ledger.entries import Submission
from db.queue import claims as queue
from db.store import schema
from db.store.engine import Store
from tests.db.actions import decide, item, look, undo


@pytest.fixture
def store(tmp_path, monkeypatch, tagger):
    """A store with the sample questions, an admin, a researcher and two moderators."""
    url = f"sqlite:///{tmp_path / 'l2a.db'}"
    monkeypatch.setenv("L2A_DATABASE", url)
    monkeypatch.setenv("L2A_LANGUAGE", "en")
    with Store(url) as opened:
        schema.prepare(opened)
        import_file(opened, str(ROOT / "samples" / "questions.jsonl"), source="samples", skip_bad=True)
        yield opened


@pytest.fixture
def team(store) -> dict[str, int]:
    def hire(session):
        chen = people.add(session, "chen", "admin").id
        roles = {"zhao": "researcher", "li": "moderator", "wang": "moderator"}
        return {"chen": chen} | {name: people.add(session, name, role, by=chen).id for name, role in roles.items()}

    return store.run(hire)


def open_history(name: str) -> AppTest:
    page = AppTest.from_file(ROOT / "app" / "main.py", default_timeout=60)
    page.session_state["as"] = name
    page.context["timezone"] = "Asia/Shanghai"
    page.switch_page("../pages/history.py")
    return settled(page.run())


def settled(page: AppTest) -> AppTest:
    assert not page.exception
    return page


def numbers(page: AppTest) -> list[int]:
    return [row["id"] for row in rows(page)]


def rows(page: AppTest) -> list[dict]:
    found = [part for part in page.get("bidi_component") if part.proto.component_name == "l2a_rows"]
    return json.loads(found[0].proto.json)["rows"] if found else []


def find(page: AppTest, number: int) -> AppTest:
    """Search for a receipt: what is found alone is opened."""
    return settled(page.number_input(key="history_number").set_value(number).run())


def shown_html(page: AppTest) -> str:
    return "".join(element.proto.body for element in page.get("html"))


def test_moderators_see_their_own_and_others_see_all(store, team):
    mine = decide(store, 1, team["li"], "电影")
    theirs = decide(store, 2, team["wang"], "音乐")
    page = open_history("li")
    assert numbers(page) == [mine.number]
    assert not [box for box in page.selectbox if box.key == "history_whose"]
    assert numbers(find(page, theirs.number)) == []  # not by its number either
    for name in ("zhao", "chen"):
        assert numbers(open_history(name)) == [theirs.number, mine.number]


def test_search_by_text_tag_person_and_day(store, team):
    first = decide(store, 1, team["li"], "电影")
    second = decide(store, 2, team["wang"], "音乐")
    with store.read() as session:
        title = history.recent_entries(session, number=first.number)[0].title
    page = open_history("chen")
    assert numbers(settled(page.text_input(key="history_text").set_value(title[:8]).run())) == [first.number]
    page = open_history("chen")
    assert numbers(settled(page.text_input(key="history_tag").set_value("音乐").run())) == [second.number]
    page = open_history("chen")
    assert numbers(settled(page.selectbox(key="history_whose").set_value(team["li"]).run())) == [first.number]
    page = open_history("chen")
    settled(page.date_input(key="history_until").set_value(date.today() - timedelta(days=2)).run())
    assert numbers(page) == []
    assert "No entry matches" in page.info[0].value


def test_pages_of_fifty(store, team):
    def decide_all(session):
        return [
            ledger.submit(session, Submission(question, team["li"], {"电影": "added"})).number
            for question in range(1, 54)
        ]

    made = store.run(decide_all)[::-1]
    page = open_history("chen")
    assert numbers(page) == made[:50]
    settled(page.button(key="history_older").click().run())
    assert numbers(page) == made[50:]
    assert page.button(key="history_older").disabled
    settled(page.button(key="history_newer").click().run())
    assert numbers(page) == made[:50]


def test_undo_shows_its_receipt_and_can_be_taken_back(store, team):
    receipt = decide(store, 1, team["li"], "电影")
    page = find(open_history("li"), receipt.number)
    settled(page.button(key=f"history_undo_{receipt.number}").click().run())
    with store.read() as session:
        undone_by = history.recent_entries(session, number=receipt.number)[0].undone_by
    assert page.success[0].value == f"Took back {receipt.number}, receipt {undone_by}."
    assert [(row["dim"], row["cells"][5]["full"]) for row in rows(page)] == [(True, f"taken back by {undone_by}")]
    settled(page.button(key=f"history_back_{undone_by}").click().run())
    assert f"{receipt.number} counts again" in page.success[0].value
    assert item(store, 1).answers == 1


def test_nobody_but_the_author_and_an_admin_can_undo(store, team):
    receipt = decide(store, 1, team["li"], "电影")
    page = find(open_history("zhao"), receipt.number)
    assert not [button for button in page.button if (button.key or "").startswith("history_undo")]
    assert any("Only the person who wrote it" in caption.value for caption in page.caption)
    page = find(open_history("chen"), receipt.number)
    settled(page.button(key=f"history_undo_{receipt.number}").click().run())
    assert "Took back" in page.success[0].value


def test_an_undo_that_comes_too_late_is_a_message(store, team):
    receipt = decide(store, 1, team["li"], "电影")
    page = find(open_history("li"), receipt.number)
    undo(store, receipt, team["chen"])
    settled(page.button(key=f"history_undo_{receipt.number}").click().run())
    assert "was taken back already" in page.error[0].value


def test_reopening_says_whether_the_question_is_in_the_queue(store, team):
    alone = decide(store, 1, team["li"], "电影")
    page = find(open_history("li"), alone.number)
    settled(page.button(key=f"history_reopen_{alone.number}").click().run())
    assert "back in the queue" in page.success[0].value
    assert item(store, 1).is_open
    first = decide(store, 2, team["li"], "电影")
    decide(store, 2, team["wang"], "音乐")
    page = find(open_history("li"), first.number)
    settled(page.button(key=f"history_reopen_{first.number}").click().run())
    assert "is not in the queue" in page.success[0].value


def test_a_past_day_is_shown_beside_the_present(store, team):
    receipt = decide(store, 1, team["li"], "电影")
    page = find(open_history("chen"), receipt.number)
    assert "not in the store yet" not in shown_html(page)
    yesterday = date.today() - timedelta(days=3)
    settled(page.date_input(key=f"history_day_{receipt.number}").set_value(yesterday).run())
    assert "not in the store yet" in shown_html(page)
    assert "one opinion" in shown_html(page)


def test_a_moderator_is_not_told_what_others_held(store, team):
    mine = decide(store, 1, team["li"], "电影")
    decide(store, 1, team["wang"], "秘密标签")
    assert "秘密标签" not in shown_html(find(open_history("li"), mine.number))


def test_conflicts_are_settled_with_a_receipt(store, team):
    store.run(lambda session: queue.set_overlap(session, 2))
    for question in (1, 2):
        decide(store, question, team["li"], "电影", "音乐")
        decide(store, question, team["wang"], "电影", comment="<b>*不*</b>")
    page = open_history("zhao")
    settled(page.segmented_control(key="history_section").set_value("conflicts").run())
    assert "&lt;b&gt;*不*&lt;/b&gt;" in shown_html(page)
    settle = page.button(key="history_settle_1")
    assert (settle.disabled, settle.proto.type) == (True, "secondary")  # nothing is chosen, so nothing is offered
    assert page.pills(key="history_tags_1").value == []
    settled(page.button(key="history_take_both_1").click().run())
    assert sorted(page.pills(key="history_tags_1").value) == ["电影", "音乐"]
    settled(page.pills(key="history_tags_1").set_value(["电影"]).run())
    settle = page.button(key="history_settle_1")
    assert (settle.disabled, settle.proto.type, settle.label) == (False, "primary", "Settle")
    settled(settle.click().run())
    assert "Settled, receipt" in page.success[0].value
    assert (item(store, 1).reviewed, item(store, 1).conflict) == (True, False)
    assert look(store, 1).settled.tags == ("电影",)
    settled(page.button(key="history_next_2").click().run())
    assert "the last one" in page.info[0].value
    settled(page.button(key="history_work_out").click().run())
    assert any("Krippendorff" in shown.value or "No alpha" in shown.value for shown in page.text)


def test_without_conflicts_the_page_says_so(store, team):
    page = open_history("zhao")
    settled(page.segmented_control(key="history_section").set_value("conflicts").run())
    assert "Nothing to review" in page.info[0].value
    settled(page.button(key="history_work_out").click().run())
    assert any("no question has two opinions" in shown.value for shown in page.text)


def test_an_answer_can_be_taken_and_no_tags_only_on_purpose(store, team):
    store.run(lambda session: queue.set_overlap(session, 2))
    decide(store, 1, team["li"], "电影")
    theirs = decide(store, 1, team["wang"], "音乐", flag="重复")
    page = open_history("zhao")
    settled(page.segmented_control(key="history_section").set_value("conflicts").run())
    assert "重复" in shown_html(page)
    settled(page.button(key=f"history_take_this_1_{theirs.number}").click().run())
    assert page.pills(key="history_tags_1").value == ["音乐"]
    settled(page.text_input(key="history_other_1").set_value(" 摇滚 ").run())
    assert page.pills(key="history_tags_1").value == ["音乐", "摇滚"]
    settled(page.checkbox(key="history_none_1").check().run())
    assert page.pills(key="history_tags_1").value == []
    assert page.button(key="history_settle_1").label == "Settle on no tags"
    settled(page.checkbox(key="history_none_1").uncheck().run())
    assert page.button(key="history_settle_1").disabled
    settled(page.checkbox(key="history_none_1").check().run())
    settled(page.button(key="history_settle_1").click().run())
    assert (look(store, 1).settled.state, look(store, 1).settled.tags) == ("reviewed", ())


def test_filters_for_flags_and_comments(store, team):
    spam = decide(store, 1, team["li"], "电影", flag="spam")
    zh = decide(store, 2, team["li"], "电影", flag="广告或灌水", comment="看不懂")
    other = decide(store, 3, team["li"], "电影", flag="自己写的")
    plain = decide(store, 4, team["li"], "电影", comment="好")
    page = open_history("chen")
    assert numbers(page) == [plain.number, other.number, zh.number, spam.number]
    flag = {"": 4, filters.ANY_FLAG: 3, "flag.spam": 2, "flag.duplicate": 0}
    for choice, count in flag.items():
        settled(page.selectbox(key="history_flag").set_value(choice).run())
        assert len(numbers(page)) == count
    settled(page.selectbox(key="history_flag").set_value("flag.spam").run())
    assert numbers(page) == [zh.number, spam.number]  # in whatever language it was raised
    settled(page.toggle(key="history_commented").set_value(True).run())
    assert numbers(page) == [zh.number]
    settled(page.selectbox(key="history_flag").set_value("").run())
    assert numbers(page) == [plain.number, zh.number]
