"""The annotate page without a browser: what the board is told. (What it does with it: tests/e2e.)"""

import json

from app.board_data import board_texts
from app.i18n import translate
from db.engine import Store
from db.labels import look_at
from l2a.errors import CheckpointError


def board(page) -> dict:
    (component,) = page.get("bidi_component")
    return json.loads(component.proto.json)


def test_a_fresh_store_opens_on_the_first_sample_question(open_app, tagger):
    page = open_app()
    assert not page.exception
    assert not page.error
    told = board(page)
    assert told["item"]["id"] >= 1
    assert told["item"]["title"]
    assert [(tag["tag"], tag["votes"]) for tag in told["tags"]] == [("编程语言", 7), ("学习路线", 4), ("生活", 1)]
    assert (told["beam"], told["threshold"]) == (8, 0.25)
    assert told["canUndo"] is False
    assert told["receipt"] is None


def test_every_board_text_is_there_in_both_languages():
    for language in ("zh", "en"):
        texts = board_texts(lambda key, language=language, **values: translate(language, key, **values))
        assert "{tag}" in texts["evidence"]
        assert len(texts["legend"]) == 8
        assert len(texts["reasons"]) == len(texts["flags"]) == 4


def test_a_missing_model_leaves_the_question_and_says_so(open_app, tagger, monkeypatch):
    def broken(folder):
        raise CheckpointError("The model folder is damaged. Restore it.")

    monkeypatch.setattr("app.resources.load_tagger", broken)
    page = open_app("en")
    assert not page.exception
    assert "The model folder is damaged" in page.warning[0].value
    assert board(page)["tags"] == []


def test_an_unreachable_database_is_explained(open_app, tagger, monkeypatch):
    monkeypatch.setenv("L2A_DATABASE", "postgresql://someone:hidden-word@127.0.0.1:9/none")
    page = open_app("en")
    assert not page.exception
    assert page.subheader[0].value == "The database cannot be opened"
    shown = " ".join(element.value for element in page.text)
    assert "127.0.0.1" in shown
    assert "hidden-word" not in shown


def test_an_empty_queue_says_what_to_do(open_app, tagger, monkeypatch, tmp_path):
    monkeypatch.setattr("app.resources.SAMPLES", tmp_path / "none.jsonl")
    page = open_app("en")
    assert page.subheader[0].value == "Nothing is left to tag"
    assert "python -m app import" in page.markdown[0].value


def test_another_name_is_another_person(open_app, tagger, store_url):
    first = board(open_app(person="chen"))
    second = board(open_app(person="li"))
    assert first["item"]["id"] != second["item"]["id"]
    with Store(store_url) as store, store.read() as session:
        assert look_at(session, first["item"]["id"]).settled.state == "none"
