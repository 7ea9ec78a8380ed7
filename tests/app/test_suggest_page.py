"""The suggest page, run without a browser against a made-up tagger."""

import pytest
from streamlit.testing.v1 import AppTest

from app import resources
from l2a.codec import Note
from l2a.data import Question
from l2a.errors import CheckpointError, InputError
from tests.app.conftest import make_result


def ask(page, title="零基础怎么学 Python？", description=""):
    page.text_input(key="title").input(title)
    page.text_area(key="description").input(description)
    return page.button(key="submit").click().run()


def html_of(page) -> str:
    return "".join(element.proto.body for element in page.main.get("html"))


def messages(elements) -> list[str]:
    return [element.value for element in elements]


def test_kept_tags_are_shown_best_first_with_votes_share_probability_and_cues(open_app, tagger):
    page = ask(open_app(), description="每天两小时")

    assert not page.exception
    assert not page.error
    assert tagger.asked == [Question(title="零基础怎么学 Python？", description="每天两小时")]
    assert tagger.beams == [None]
    assert messages(page.subheader) == ["建议的标签"]
    shown = html_of(page)
    kept = shown[shown.index("<ol") : shown.index("</ol>")]
    assert kept.index("编程语言") < kept.index("学习路线")
    assert "生活" not in kept
    assert "7 / 8 票" in kept
    assert "得票率 88%" in kept
    assert "概率 44%" in kept
    assert "<em>编程</em>" in kept
    assert kept.count('class="l2a-new"') == 1
    assert kept.index("编程语言") < kept.index('class="l2a-new"')
    assert "零基础怎么学 Python？" in shown


def test_all_votes_and_the_n_best_list_are_offered_below(open_app, tagger):
    page = ask(open_app())
    assert [expander.label for expander in page.expander] == ["全部得票（3 个标签）", "候选列表（3 个）"]
    assert len(page.get("plotly_chart")) == 1
    assert "-3.00" in html_of(page)


def test_nothing_kept_is_said(open_app, tagger):
    tagger.result = make_result(("生活", 2), ("编程", 1))
    page = ask(open_app())
    assert messages(page.info) == ["没有标签的得票率超过 25%，因此一个也没有留下。各标签的得票见下。"]
    assert len(page.expander) == 2


def test_no_vote_at_all_is_said(open_app, tagger):
    tagger.result = make_result()
    page = ask(open_app("en"))
    assert messages(page.info) == ["Nothing was kept: no tag got a vote. Try other words, or add a description."]
    assert not page.expander
    assert not page.exception


def test_notes_are_shown(open_app, tagger):
    tagger.result = make_result(("编程", 8), notes=(Note("characters", 20_000, 100_000),))
    page = ask(open_app("en"))
    assert messages(page.info) == ["The question is long: the model read the first 20,000 of its 100,000 characters."]


@pytest.mark.parametrize("title", ["", "  \n　"])
def test_an_empty_title_is_refused_before_the_model_is_asked(open_app, tagger, title):
    page = ask(open_app(), title, "只有描述")
    assert messages(page.error) == ["请先填写标题。"]
    assert tagger.asked == []


def test_text_of_addresses_only_is_refused(open_app, tagger):
    page = ask(open_app("en"), "https://example.com/a?b=c", "www.example.com")
    (message,) = messages(page.error)
    assert message.startswith("Nothing is left once web addresses")
    assert tagger.asked == []


def test_a_refusal_of_the_engine_is_shown_and_the_older_answer_goes(open_app, tagger):
    page = ask(open_app())
    tagger.result = InputError("the *title* is odd. Change it.")
    page = ask(page, "another")
    assert messages(page.error) == [r"没有得到建议：the \*title\* is odd. Change it."]
    assert not page.subheader
    assert not page.exception


def test_a_missing_model_folder_is_explained(open_app, monkeypatch, tmp_path):
    monkeypatch.setenv("L2A_MODEL", str(tmp_path / "nowhere"))
    page = ask(open_app("en"))
    (message,) = messages(page.error)
    assert message.startswith(f"There is no model folder `{tmp_path / 'nowhere'}`.")
    assert "L2A_MODEL" in message
    assert not page.exception


def test_a_damaged_model_is_explained_and_tried_again_on_the_next_visit(open_app, tagger, monkeypatch):
    def fail(folder):
        raise CheckpointError("config.json is cut off. Copy the folder again.")

    with monkeypatch.context() as patch:
        patch.setattr(resources, "load_tagger", fail)
        page = open_app("en")
        assert messages(page.error) == [
            "The model could not be loaded: config.json is cut off. Copy the folder again.",
        ]
        assert not page.exception
    assert not page.run().error


def test_a_wrong_setting_is_explained(open_app, monkeypatch):
    monkeypatch.setenv("L2A_BEAM", "many")
    page = open_app()
    (message,) = messages(page.error)
    assert "L2A\\_BEAM is 'many'" in message
    assert not page.exception


def test_the_beam_setting_reaches_the_tagger(open_app, tagger, monkeypatch):
    monkeypatch.setenv("L2A_BEAM", "12")
    ask(open_app())
    assert tagger.beams == [12]


def test_the_language_switch_keeps_the_question_and_the_answer(open_app, tagger):
    page = ask(open_app())
    assert page.button(key="submit").label == "建议标签"

    page.button_group(key="lang").set_value("en").run()

    assert page.button(key="submit").label == "Suggest tags"
    assert page.query_params["lang"] in ("en", ["en"])
    assert page.text_input(key="title").value == "零基础怎么学 Python？"
    assert messages(page.subheader) == ["Suggested tags"]
    assert "7 of 8 votes" in html_of(page)
    assert len(tagger.asked) == 1


@pytest.mark.parametrize(("asked", "label"), [("en", "Suggest tags"), ("zh", "建议标签"), ("xx", "建议标签")])
def test_the_address_can_name_the_language(monkeypatch, tagger, asked, label):
    monkeypatch.setenv("L2A_LANGUAGE", "zh")
    page = AppTest.from_file(resources.ROOT / "app" / "main.py", default_timeout=30)
    page.query_params["lang"] = asked
    page.run()
    assert page.button(key="submit").label == label
    assert not page.exception


def test_a_sample_question_fills_the_boxes_and_drops_the_older_answer(open_app, tagger):
    page = ask(open_app())
    question = next(sample for sample in resources.load_samples() if sample.description)
    assert question.title in page.selectbox(key="sample").options
    page = page.selectbox(key="sample").select(question).run()
    assert page.text_input(key="title").value == question.title
    assert page.text_area(key="description").value == question.description
    assert not page.subheader
    assert len(tagger.asked) == 1


def test_markup_in_titles_and_tags_is_shown_as_written(open_app, tagger):
    tagger.result = make_result(("<b>编程</b>", 8))
    page = ask(open_app(), "<script>alert(1)</script> 怎么写？")
    shown = html_of(page)
    assert "&lt;b&gt;编程&lt;/b&gt;" in shown
    assert "<b>编程" not in shown
    assert "<script" not in shown


def test_the_page_works_without_sample_questions(open_app, tagger, monkeypatch, tmp_path):
    monkeypatch.setattr(resources, "SAMPLES", tmp_path / "none.jsonl")
    page = ask(open_app())
    assert not page.selectbox
    assert messages(page.subheader) == ["建议的标签"]
