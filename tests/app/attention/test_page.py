"""The attention page, run without a browser against a made-up model."""

import json
from types import SimpleNamespace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app.access.auth import local_visitor
from app.figures import heatmap_files
from app.serving.suggester import Suggester
from app.shell.settings import ROOT, Settings
from app.shell.store import open_store
from db.ledger import entries as ledger
from db.models import registry
from l2a.errors import InputError
from l2a.explain import Explanation, Occlusion
from l2a.messages import Message
from tests.app.conftest import make_result

WORDS = ("膝盖", "疼")


def make_explanation(tags, *, with_self=True, notes=(), hints=0, delimiter="|") -> Explanation:
    """Two layers, two heads; every step looks at the first source word with 0.75. The last `hints` words are hints."""
    output = (*(word for tag in tags for word in (tag, delimiter)), "</s>")
    steps = len(output)
    cross = np.tile(np.array([0.75, 0.25]), (2, 2, steps, 1))
    cross[1] = 0.5
    looking_back = np.tril(np.ones((steps, steps)))
    return Explanation(
        order="order1",
        source_words=WORDS,
        input_words=("<s>", *output[:-1]),
        output_words=output,
        tag_of_step=(*(place for place in range(len(tags)) for _ in range(2)), -1),
        tags=tuple(tags),
        cross=cross,
        self=np.tile(looking_back / looking_back.sum(axis=1, keepdims=True), (2, 2, 1, 1)) if with_self else None,
        log_probabilities=np.full(steps, -0.5),
        model_version="v1",
        notes=notes,
        hints=hints,
    )


class FakeModel:
    """Stands for the shared model: remembers what it was asked."""

    def __init__(self):
        self.asked = []
        self.unwritable = set()
        self.trouble = None
        self.notes = ()
        self.hints = 0
        self.delimiter = "|"

    def decode(self, suggester, title, description="", **more):
        self.asked.append(("decode", title, description))
        return make_result(("跑步", 7), ("健身", 5), ("<b>生活</b>", 1))

    def explain(self, suggester, title, description, tags, folder=None):
        self.asked.append(("explain", title, tuple(tags), folder))
        if self.trouble:
            raise self.trouble
        return make_explanation(list(tags), notes=self.notes, hints=self.hints, delimiter=self.delimiter)

    def occlude(self, suggester, title, description, tags, tag, how, folder=None):
        self.asked.append(("occlude", tags[tag], how))
        return Occlusion(tags[tag], -1.0, np.array([1.0, -0.5]), np.array([0.75, 0.25]), 1.0)

    def tagger(self, suggester, folder=None):
        can_write = lambda tag, extra: tag not in self.unwritable  # noqa: E731
        encode = lambda question: SimpleNamespace(extra_words=())  # noqa: E731
        return SimpleNamespace(encode=encode, codec=SimpleNamespace(can_write=can_write), settings_with=None)

    def live(self, suggester):
        def register(session):
            if registry.live(session) is None:
                for version in ("v1", "v2"):
                    registry.register(session, version, f"models/{version}")
                registry.promote(session, "v1", None)

        suggester._store.run(register)
        return SimpleNamespace(version="v1", tagger=self.tagger(suggester))


@pytest.fixture
def model(monkeypatch, tmp_path) -> FakeModel:
    fake = FakeModel()
    monkeypatch.setenv("L2A_DATABASE", f"sqlite:///{tmp_path}/l2a.db")
    for name in ("decode", "explain", "occlude", "tagger", "live"):
        method = getattr(fake, name)
        monkeypatch.setattr(Suggester, name, lambda self, *args, _m=method, **more: _m(self, *args, **more))
    return fake


@pytest.fixture
def attention(model, monkeypatch):
    """Call it with query parameters for the page."""

    def open_page(language="en", person=None, **query):
        monkeypatch.setenv("L2A_LANGUAGE", language)
        page = AppTest.from_file(ROOT / "app" / "main.py", default_timeout=60)
        if person is not None:
            page.session_state["as"] = person
        for name, value in query.items():
            page.query_params[name] = value
        page.switch_page("../pages/attention.py").run()
        assert not page.exception
        return page

    return open_page


def link_of(page) -> str:
    return page.code[1].value


def caption_of(page) -> str:
    """Of the figure, to copy."""
    return page.code[0].value


def said(page) -> str:
    return " ".join(caption.value for caption in page.caption)


def drawn(page, place: int = 0) -> dict:
    """A figure of the page as Plotly gets it."""
    return json.loads(page.get("plotly_chart")[place].proto.spec)


def test_the_first_question_is_explained_with_the_tags_the_model_keeps(attention, model):
    page = attention()
    (decoded, explained, occluded) = model.asked
    assert decoded[1] == "零基础自学 Python，三个月能达到什么水平？"
    assert explained == ("explain", decoded[1], ("跑步", "健身"), None)
    assert occluded == ("occlude", "跑步", "mean")
    assert len(page.get("plotly_chart")) == 2
    assert [button.label for button in page.get("download_button")] == ["CSV", "NPZ", "SVG", "PNG", "PDF"]
    captions = " ".join(caption.value for caption in page.caption)
    assert "BiLSTM" in captions
    assert "+1.00" in captions
    assert "Rollout" not in captions


def test_moving_a_control_asks_the_model_only_for_what_is_new(attention, model):
    page = attention()
    page.button_group(key="attention-kind").set_value("self").run()
    assert len(model.asked) == 3
    page.button_group(key="attention-how").set_value("rollout").run()
    assert model.asked[3:] == [("occlude", "跑步", "rollout")]
    assert "Rollout" in " ".join(caption.value for caption in page.caption)
    assert "kind=self&how=rollout" in link_of(page)
    assert not page.exception


def test_one_head_can_be_chosen(attention):
    page = attention()
    page.button_group(key="attention-how").set_value("head").run()
    page.selectbox(key="attention-layer").select(2).run()
    assert "how=head&layer=2&head=1" in link_of(page)
    assert not page.exception


def test_tags_by_hand_and_typed_text(attention, model):
    page = attention()
    page.button_group(key="attention-from").set_value("typed").run()
    assert [info.value for info in page.info] == ["Choose a question, or type a title."]
    page.text_input(key="attention-title").input("<script>膝盖疼</script>").run()
    page.button_group(key="attention-tags-from").set_value("typed").run()
    assert [info.value for info in page.info] == ["Write at least one tag."]
    page.text_input(key="attention-tags").input("跑步、 健康,跑步").run()
    assert model.asked[-2] == ("explain", "<script>膝盖疼</script>", ("跑步", "健康"), None)
    assert "title=%3Cscript%3E" in link_of(page)


def test_tags_of_decisions_fall_back_on_those_the_question_came_with(attention, model):
    page = attention()
    page.button_group(key="attention-tags-from").set_value("decisions").run()
    assert "Nobody has decided yet: these are the tags the question came with." in [c.value for c in page.caption]
    assert model.asked[-2][2] == ("Python", "编程", "自学")


@pytest.mark.parametrize(
    ("person", "tags", "words"),
    [
        ("chen", ("秘密",), "Tags people decided on"),  # an admin
        ("li", ("秘密",), "Tags you decided on"),
        ("wang", ("Python", "编程", "自学"), "You have not decided: these are the tags the question came with."),
    ],
)
def test_a_moderator_sees_no_decision_of_others(attention, model, person, tags, words):
    attention(person="chen")  # the first one is an admin, others are moderators
    with open_store(Settings.from_environment()) as store:
        li = local_visitor(store, "li").id
        store.run(lambda session: ledger.submit(session, ledger.Submission(1, li, {"秘密": "added"})))
    page = attention(person=person)
    page.button_group(key="attention-tags-from").set_value("decisions").run()
    assert words in [caption.value for caption in page.caption]
    assert model.asked[-2][2] == tags


def test_tags_the_model_cannot_write_are_named_and_left_out(attention, model):
    model.unwritable = {"*健康*"}
    page = attention(tags="跑步,*健康*", question="2")
    assert page.warning[0].value == r"Left out, because model v1 cannot write them: \*健康\*"
    assert model.asked[-2][2] == ("跑步",)


def test_a_link_opens_its_view(attention, model):
    page = attention(
        question="2", tags="健身,跑步", kind="self", how="head", layer="2", head="2", beside="v2", model="v1"
    )
    explained = [asked for asked in model.asked if asked[0] == "explain"]
    assert [(asked[2], asked[3]) for asked in explained] == [
        (("健身", "跑步"), None),
        (("健身", "跑步"), ROOT / "models" / "v2"),
    ]
    assert len(page.get("plotly_chart")) == 4
    assert link_of(page).endswith("kind=self&how=head&layer=2&head=2&model=v1&beside=v2&lang=en")


@pytest.mark.parametrize("query", [{"how": "x", "layer": "99", "model": "gone", "beside": "v1"}, {"question": "99999"}])
def test_a_link_with_nonsense_does_no_harm(attention, query):
    attention(**query)


def test_a_refusal_of_the_engine_is_shown(attention, model):
    model.trouble = InputError("the *tag* is odd. Change it.")
    page = attention("zh")
    assert [error.value for error in page.error] == [r"没有完成：the \*tag\* is odd. Change it."]


def test_what_the_model_did_not_read_is_said(attention, model):
    model.notes = (Message("question.many_words", {"read": 64, "total": 100}),)
    page = attention("zh")
    assert "问题很长：模型只读了前 64 个词，共 100 个。" in [caption.value for caption in page.caption]


def columns_of(figure: dict) -> list[str]:
    labels = [note["text"].replace("<br>", "") for note in figure["layout"]["annotations"] if note["xref"] == "x"]
    assert len(labels) == round(figure["layout"]["xaxis"]["range"][1] + 0.5)
    return labels


def test_hints_are_left_out_at_first_and_it_is_said_how_much_went_to_them(attention, model):
    model.hints = 1
    page = attention()
    assert columns_of(drawn(page)) == ["膝盖"]
    assert drawn(page, 1)["layout"]["yaxis"]["ticktext"] == ["膝盖"]  # of the check
    assert "Not shown: 1 words of hints" in said(page)
    assert "They get 38% of the attention" in said(page)  # a quarter in one layer, half in the other
    assert "which get 38% of the attention, are not shown" in caption_of(page)
    assert "hints" not in link_of(page)
    page.toggle(key="attention-hints").set_value(True).run()
    assert columns_of(drawn(page)) == ["膝盖", "疼"]
    assert drawn(page, 1)["layout"]["yaxis"]["ticktext"] == ["膝盖", "疼"]
    assert "The last 1 words are not of the question" in said(page)
    assert "hints=1" in link_of(page)
    assert not page.exception


def test_a_link_with_hints_shows_them_and_a_model_without_any_has_no_switch(attention, model):
    assert not [toggle for toggle in attention().toggle if toggle.key == "attention-hints"]
    model.hints = 1
    assert columns_of(drawn(attention(hints="1"))) == ["膝盖", "疼"]


def test_spaces_have_a_label(attention, model):
    model.delimiter = " "
    page = attention(tags="Java,x", question="2", kind="self")
    rows = [note["text"] for note in drawn(page)["layout"]["annotations"] if note["xref"] == "paper"]
    assert rows == ["Java", "␣", "x", "␣", "&lt;/s&gt;"]


def test_the_map_says_how_narrow_a_page_may_be_before_it_goes_on_to_the_right(attention):
    page = attention()
    width = drawn(page)["layout"]["width"]
    (box,) = [one.proto.body for one in page.main.get("html") if "l2a-continues" in one.proto.body]
    assert f"@container (max-width: {width - 1}px)" in box
    assert "The map goes on to the right (2 columns)" in box


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (
            "zh",
            "写标签“健身”时，解码器对问题“跑步到底伤不伤膝盖？”（编号 2）各词的注意力。标题之后是描述里的词。"
            "上：模型 v1（标签顺序：先少见；第 2 层第 1 头）；下：模型 v2（标签顺序：先少见；第 2 层第 1 头）。"
            "颜色从 0（最浅）到 0.500（最深）。",
        ),
        (
            "en",
            "Attention of the decoder to the words of the question “跑步到底伤不伤膝盖？” (no. 2) as it writes the "
            "tags “健身”. The words of its description follow those of its title. "
            "Above: model v1 (order of tags: rare first; layer 2, head 1); "
            "below: model v2 (order of tags: rare first; layer 2, head 1). "
            "Colours go from 0 (lightest) to 0.500 (darkest).",
        ),
    ],
)
def test_the_caption_names_question_tags_models_layer_and_head_in_the_papers_language(attention, language, words):
    page = attention("en", question="2", tags="健身", how="head", layer="2", head="1", model="v1", beside="v2")
    page.button_group(key="attention-paper-language").set_value(language).run()
    assert caption_of(page) == words


def test_two_models_share_one_figure_and_its_colours(attention):
    page = attention(beside="v2", kind="self")
    assert [button.label for button in page.get("download_button")] == ["CSV", "NPZ"] * 2 + ["SVG", "PNG", "PDF"]
    assert "Hatched: not written yet." in caption_of(page)
    assert "Hatched: words that were not written yet." in said(page)
    assert drawn(page, 0)["data"][0]["zmax"] == drawn(page, 2)["data"][0]["zmax"]


def test_the_figure_can_be_looked_at(attention):
    page = attention()
    assert not page.get("image")
    page.toggle(key="attention-paper-preview").set_value(True).run()
    assert len(page.get("image")) == 1
    assert not page.exception


def test_without_a_font_that_has_hanzi_boxes_are_not_offered(attention, monkeypatch):
    monkeypatch.setattr(heatmap_files, "hanzi_font", lambda: None)
    page = attention()
    offered = {button.label: not button.proto.disabled for button in page.get("download_button")}
    assert offered == {"CSV": True, "NPZ": True, "SVG": True, "PNG": False, "PDF": False}
    assert "no font with hanzi" in page.warning[0].value
