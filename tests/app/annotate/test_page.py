"""The annotate page without a browser: what the board is told. (What it does with it: tests/e2e.)"""

import json
from dataclasses import replace
from types import SimpleNamespace

import pytest

from app.access.auth import local_visitor
from app.annotate import desk as annotation
from app.annotate.board_data import board_texts
from app.serving.model_queue import ModelQueue
from app.serving.suggester import NoModel, Suggester
from app.shell import session
from app.shell.i18n import translate
from db.errors import ConnectionFailed
from db.ledger import entries as ledger
from db.ledger.entries import Submission
from db.ledger.labels import look_at
from db.models import suggestions
from db.store import schema
from db.store.engine import Store
from db.store.records import ProposedTag, ToldFinding
from db.transfer.importing import IncomingQuestion, import_questions
from l2a.data.questions import Question
from l2a.errors import CheckpointError, InputError
from tests.conftest import SAMPLES
from tests.learning_store import make_live


def board(page) -> dict:
    (component,) = (found for found in page.get("bidi_component") if found.proto.component_name == "l2a_board")
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
    assert told["undo"] is None
    assert told["receipt"] is None


def test_every_board_text_is_there_in_both_languages():
    for language in ("zh", "en"):
        texts = board_texts(lambda key, language=language, **values: translate(language, key, **values))
        assert "{tag}" in texts["evidence"]
        assert len(texts["legend"]) == 9
        assert len(texts["reasons"]) == len(texts["flags"]) == 4


def test_a_missing_model_leaves_the_question_and_says_so(open_app, tagger, monkeypatch):
    def broken(folder, decoder):
        raise CheckpointError("The model folder is damaged. Restore it.")

    monkeypatch.setattr("app.entry.resources.load_tagger", broken)
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


def test_a_store_that_fails_while_a_part_runs_by_itself_is_explained(open_app, tagger, monkeypatch):
    """A fragment is run again without the page around it, so each has to explain the failure itself."""

    def fail(*_):
        raise ConnectionFailed("The store is away. Start it.")

    for part in ("keep", "take"):
        with monkeypatch.context() as patched:
            patched.setattr(f"app.annotate.desk.{part}", fail)
            page = open_app("en")
        assert not page.exception
        assert page.subheader[-1].value == "The database cannot be opened"
        assert "The store is away. Start it." in [element.value for element in page.text]


def promote_another(url: str, tagger) -> None:
    """Another version goes live, while somebody has a question of the first one before them."""
    tagger.version, tagger.result.model_version = "made-up-2", "made-up-2"
    with Store(url) as store:
        admin = local_visitor(store, "chen").id
        make_live(store, "made-up-2", "models/starter", admin)


def test_the_votes_are_searched_again_by_the_model_that_made_the_suggestion(
    open_app, tagger, store_url, monkeypatch, tmp_path
):
    asked = []
    real = Suggester.decode

    def decode(self, *given, folder=None, **options):
        asked.append(folder)
        return real(self, *given, folder=folder, **options)

    monkeypatch.setattr(Suggester, "decode", decode)
    page = open_app("en")
    promote_another(store_url, tagger)
    page.session_state[session.MORE] = True
    page.run()
    slider = next(slider for slider in page.slider if slider.label == "Hypotheses N")
    slider.set_value(4).run()
    assert not page.exception
    assert asked == [tmp_path / "model"]


def test_a_model_that_is_gone_is_said_to_be_gone(open_app, tagger, store_url, tmp_path):
    page = open_app("en")
    promote_another(store_url, tagger)
    open_app("en", "li")  # another session has the other model loaded by now
    (tmp_path / "model").rmdir()
    page.session_state[session.MORE] = True
    page.run()
    next(slider for slider in page.slider if slider.label == "Hypotheses N").set_value(4).run()
    assert not page.exception
    assert "model version made-up-1, whose files are gone" in page.caption[-1].value


def test_a_model_with_too_much_to_do_is_not_said_to_be_gone(open_app, tagger, monkeypatch):
    page = open_app("zh")
    full = ModelQueue(limit=0)
    monkeypatch.setattr(Suggester, "decode", lambda *_, **__: full.suggest(tagger, Question("一")))
    page.session_state[session.MORE] = True
    page.run()
    next(slider for slider in page.slider if slider.label == "候选数 N").set_value(4).run()
    assert not page.exception
    assert page.caption[-1].value == "已有 0 个问题在等待模型，暂时不能再接收。请过几秒再试；刷新页面会重新提问。"


RANKED = (
    ProposedTag(
        "学习路线",
        0,
        0.0,
        True,
        True,
        chance=0.7,
        evidence=(
            ToldFinding("named", "finding.named"),
            ToldFinding("precedents", "finding.precedents", {"count": 4, "of": 5}),
            ToldFinding("mentions", "finding.in_title"),
        ),
    ),
    ProposedTag("编程语言", 7, 0.5, False, False, hypothesis=("编程语言",), chance=0.2),
    ProposedTag("生活", 8, 0.5, False, False, hypothesis=("生活",), chance=0.01),
)


def rank_first(url: str, folder, **options) -> None:
    """A store with two questions, the first of which somebody decided, and a ranked suggestion for the second."""
    with Store(url) as store:
        schema.prepare(store)
        admin = local_visitor(store, "chen").id
        rows = [IncomingQuestion(n, f"第{n}个问题怎么回答？", external_id=str(n)) for n in (1, 2)]
        import_questions(store, rows, name="two", fingerprint="two")
        make_live(store, "made-up-1", str(folder), admin)
        submission = Submission(question_id=1, person_id=admin, verdicts={"学习路线": "added"})
        store.run(lambda session: ledger.submit(session, submission))
        store.run(lambda session: suggestions.record(session, 2, "made-up-1", 8, 0.25, RANKED, **options))


def test_tags_come_by_chance_with_what_speaks_for_them(open_app, tagger, store_url, tmp_path):
    rank_first(store_url, tmp_path / "model", cut=0.3, shown=2, precedents=[(1, 0.9)])
    told = board(open_app("en"))
    assert told["cut"] == 0.3
    assert [(tag["tag"], tag["chance"], tag["votes"]) for tag in told["tags"]] == [
        ("学习路线", 0.7, 0),
        ("编程语言", 0.2, 7),
    ]
    assert told["tags"][0]["told"] == ["stands in the title", "4 of 5 similar questions have it"]
    (precedent,) = told["precedents"]
    assert (precedent["id"], precedent["title"], precedent["tags"]) == (1, "第1个问题怎么回答？", ["学习路线"])
    assert precedent["almost"]
    assert precedent["about"].startswith("#1 · you · 20")
    assert precedent["about"].endswith(" · 90% alike")
    told = board(open_app("zh"))
    assert told["tags"][0]["told"] == ["出现在标题里", "5 个相似问题中 4 个有它"]
    assert told["precedents"][0]["about"].startswith("#1 · 你 · 20")


def test_without_a_ranker_there_are_votes_and_no_chances(open_app, tagger):
    told = board(open_app())
    assert told["cut"] is None
    assert [(tag["chance"], tag["told"]) for tag in told["tags"]] == [(None, [])] * 3
    assert told["precedents"] == []


def test_the_votes_chart_has_the_tags_of_hypotheses_by_their_votes(open_app, tagger, store_url, monkeypatch, tmp_path):
    drawn = []
    monkeypatch.setattr("app.annotate.votes.votes_figure", lambda tags, **more: drawn.append([tag.tag for tag in tags]))
    rank_first(store_url, tmp_path / "model", cut=0.3, shown=2)
    page = open_app("en")
    page.session_state[session.MORE] = True
    page.run()
    assert not page.exception
    assert drawn[-1] == ["生活", "编程语言"]


def test_an_empty_queue_says_what_to_do(open_app, tagger, monkeypatch, tmp_path):
    monkeypatch.setattr("app.entry.resources.SAMPLES", tmp_path / "none.jsonl")
    told = board(open_app("en"))
    assert told["item"] is None
    assert told["empty"]["title"] == "Nothing is left to tag"
    assert "python -m app import" in told["empty"]["hints"][-1]


def test_an_empty_desk_says_how_many_wait_under_other_filters(open_app, tagger):
    page = open_app("en")
    waiting = len(SAMPLES.read_text(encoding="utf-8").splitlines())
    page.text_input(key="tag_filter").set_value("没有这样的标签").run()
    told = board(page)
    assert told["item"] is None
    assert told["empty"]["hints"][0].startswith(f"{waiting} wait under other sources or tags")


def test_another_name_is_another_person(open_app, tagger, store_url):
    first = board(open_app(person="chen"))
    second = board(open_app(person="li"))
    assert first["item"]["id"] != second["item"]["id"]
    with Store(store_url) as store, store.read() as session:
        assert look_at(session, first["item"]["id"]).settled.state == "none"


def test_evidence_is_by_the_model_that_made_the_suggestion(open_app, tagger, store_url, monkeypatch, tmp_path):
    page = open_app("en")
    item = page.session_state[session.DESK].item
    promote_another(store_url, tagger)
    asked = []

    def explain(self, title, description, tags, *, folder=None):
        self.tagger(folder)
        asked.append((title, tags, folder))
        return SimpleNamespace(
            source_words=("词", "‹near 2›", "路线"), tag_attention=lambda _: [0.5, 0.2, 0.3], hints=2
        )

    monkeypatch.setattr(Suggester, "explain", explain)
    with Store(store_url) as store:
        suggester = Suggester(store, lambda folder: tagger, tmp_path / "model")
        assert suggester.live().version == "made-up-2"
        assert annotation.where_it_looked(item, "学习路线", suggester) == annotation.WordWeights(("词",), [0.5])
        assert asked == [(item.claim.title, ["学习路线"], tmp_path / "model")]
        assert annotation.where_it_looked(item, "没有的标签", suggester) is None
        (tmp_path / "model").rmdir()
        gone = Suggester(store, lambda folder: tagger, tmp_path / "model")
        with pytest.raises(NoModel, match="There is no model folder"):
            annotation.where_it_looked(item, "学习路线", gone)


def test_a_tag_the_model_cannot_write_has_no_evidence(open_app, tagger):
    item = open_app("en").session_state[session.DESK].item

    def refuse(title, description, tags, *, folder=None):
        raise InputError("The model cannot write it.")

    suggester = SimpleNamespace(folder_for=lambda version: None, explain=refuse)
    with pytest.raises(InputError):
        annotation.where_it_looked(item, "学习路线", suggester)  # a hypothesis has it: something is wrong
    tags = tuple(replace(tag, hypothesis=()) for tag in item.suggestion.tags)
    voted = replace(item, suggestion=replace(item.suggestion, tags=tags))
    assert annotation.where_it_looked(voted, "学习路线", suggester) is None
