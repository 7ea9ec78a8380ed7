"""The beams page, run without a browser against a made-up model."""

from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from app.serving.suggester import Suggester
from app.shell.settings import ROOT
from l2a.errors import InputError
from l2a.tagger import Constraints
from tests.app.conftest import make_result


class FakeModel:
    def __init__(self):
        self.asked = []
        self.thresholds = []
        self.trouble = None

    def decode(self, title, description="", *, beam=None, threshold=None, constraints=None, folder=None):
        self.asked.append((title, beam, constraints))
        self.thresholds.append(threshold)
        if self.trouble:
            raise self.trouble
        banned = constraints.ban if constraints else ()
        votes = [(tag, min(beam, count)) for tag, count in (("跑步", 7), ("<b>健身</b>", 4), ("生活", 1))]
        return make_result(*(vote for vote in votes if vote[0] not in banned), beam=beam)


@pytest.fixture
def model(monkeypatch, tmp_path) -> FakeModel:
    fake = FakeModel()
    monkeypatch.setenv("L2A_DATABASE", f"sqlite:///{tmp_path}/l2a.db")
    own = SimpleNamespace(settings_with=lambda beam=None: SimpleNamespace(beam=beam or 8, threshold=0.25))
    monkeypatch.setattr(Suggester, "live", lambda self: SimpleNamespace(version="v1", tagger=own))
    monkeypatch.setattr(Suggester, "decode", lambda self, *args, **more: fake.decode(*args, **more))
    return fake


@pytest.fixture
def beams(model, monkeypatch):
    def open_page(language="en", **query):
        monkeypatch.setenv("L2A_LANGUAGE", language)
        page = AppTest.from_file(ROOT / "app" / "main.py", default_timeout=60)
        for name, value in query.items():
            page.query_params[name] = value
        page.switch_page("../pages/beams.py").run()
        assert not page.exception
        return page

    return open_page


def html_of(page) -> str:
    return "".join(element.proto.body for element in page.main.get("html"))


def kept_of(page) -> str:
    return next(element.proto.body for element in page.main.get("html") if "<small>" in element.proto.body)


def test_the_list_the_votes_and_the_stairs_are_shown(beams, model):
    page = beams("zh", question="2")
    assert model.asked == [("跑步到底伤不伤膝盖？", 8, None)]
    assert "&lt;b&gt;健身&lt;/b&gt;" in html_of(page)
    assert "<b>健身" not in html_of(page)
    assert "跑步 <small>7</small>" in kept_of(page)
    assert "生活" not in kept_of(page)
    assert len(page.get("plotly_chart")) == 2
    assert list(page.dataframe[0].value["票数 >"]) == [0, 1, 4, 7]
    assert [button.label for button in page.get("download_button")] == ["下载 JSONL"]


def test_tags_are_ordered_by_votes_whatever_the_model_has_besides(beams, model):
    """A threshold that is named keeps everything but the votes out of a search (l2a.tagger)."""
    page = beams("en")
    page.button(key="beams-try").click().run()
    page.multiselect(key="beams-ban-1").select("跑步").run()
    assert set(model.thresholds) == {0.25}
    assert "Votes: how many hypotheses contain the tag. ✓ kept." in [caption.value for caption in page.caption]


def test_moving_the_threshold_does_not_search_again(beams, model):
    page = beams()
    page.slider(key="beams-votes-8").set_value(0).run()
    assert "生活 <small>1</small>" in kept_of(page)
    assert len(model.asked) == 1


def test_another_beam_searches_again_with_the_models_own_threshold(beams, model):
    page = beams()
    page.slider(key="beams-beam").set_value(16).run()
    assert [asked[1] for asked in model.asked] == [8, 16]
    assert page.slider(key="beams-votes-16").value == 4
    assert not page.exception


def test_a_banned_and_a_forced_tag_reach_the_search_and_the_older_result_is_named(beams, model):
    page = beams(question="2")
    page.multiselect(key="beams-ban-2").select("跑步").run()
    assert model.asked[-1][2] == Constraints(ban=("跑步",))
    assert "跑步" not in kept_of(page)
    assert "Without the wishes above: 跑步、<b>健身</b>" in [element.value for element in page.text]
    page.selectbox(key="beams-force-2").select("生活").run()
    assert model.asked[-1][2] == Constraints(ban=("跑步",), first_tag="生活")
    assert not page.exception


def test_only_the_stores_tags_can_be_asked_for(beams, model):
    page = beams()
    page.toggle(key="beams-closed").set_value(True).run()
    assert "Python" in model.asked[-1][2].known_tags
    assert not page.exception


def test_beam_sizes_are_tried_when_asked_for_and_forgotten_with_the_question(beams, model):
    page = beams()
    assert len(page.dataframe) == 1
    page.button(key="beams-try").click().run()
    assert [asked[1] for asked in model.asked[1:]] == [1, 2, 4, 8, 16, 32, 48]
    assert list(page.dataframe[1].value["beam"]) == [1, 2, 4, 8, 16, 32, 48]
    page.slider(key="beams-votes-8").set_value(3).run()
    assert len(page.dataframe) == 1


def test_typed_text_is_searched(beams, model):
    page = beams()
    page.button_group(key="beams-from").set_value("typed").run()
    assert [info.value for info in page.info] == ["Choose a question, or type a title."]
    page.text_input(key="beams-title").input("怎么学做饭").run()
    assert model.asked[-1] == ("怎么学做饭", 8, None)
    assert not page.exception


def test_a_sample_can_be_chosen(beams, model):
    page = beams()
    page.button_group(key="beams-from").set_value("sample").run()
    page.selectbox(key="beams-sample").select_index(2).run()
    assert model.asked[-1][0] == "在人多的场合一说话就脸红，该怎么克服？"


def test_a_refusal_is_shown(beams, model):
    model.trouble = InputError("the *tag* is odd. Change it.")
    page = beams()
    assert [error.value for error in page.error] == [r"Not done: the \*tag\* is odd. Change it."]


def test_nothing_found_is_said(beams, model):
    page = beams()
    page.text_input(key="beams-search").input("没有这样的问题").run()
    assert [info.value for info in page.info] == ["Choose a question, or type a title."]
    assert not page.exception
