"""The model in the repository: it loads, it is small enough, and it suggests what anyone would expect."""

from pathlib import Path

import pytest

from l2a.data.questions import Question, read_questions
from l2a.measure.evaluation import evaluate
from l2a.tagger import Tagger

STARTER = Path(__file__).resolve().parents[2] / "models" / "starter"


@pytest.fixture(scope="module")
def starter() -> Tagger:
    return Tagger.load(STARTER)


def test_starter_is_at_most_40_megabytes():
    assert sum(file.stat().st_size for file in STARTER.iterdir()) <= 40_000_000


def test_card_gives_data_command_and_scores():
    card = (STARTER / "README.md").read_text(encoding="utf-8")
    for part in ("## Data", "python -m l2a train", "## Scores", "| dev, 394 |", "LICENSE.md"):
        assert part in card


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("零基础自学 Python，三个月能达到什么水平？", "Python"),
        ("章鱼真的有九个大脑吗？", "章鱼"),
        ("为什么巴西能不断涌现出天才球员？", "足球"),  # a tag that does not stand in the question
        ("在河北师范大学上学是一种怎样的体验？", "大学"),
    ],
)
def test_starter_suggests_what_anyone_would_expect(starter, title, expected):
    (result,) = starter.suggest([Question(title=title)])
    assert expected in [suggestion.tag for suggestion in result.kept]


def test_starter_scores_on_the_samples_as_a_trained_model_does(starter, samples_path):
    """The samples were written for this project and never trained on; an untrained model scores 0 here."""
    questions = list(read_questions(samples_path))[:40]
    assert evaluate(starter, questions, beam=16, quiet=True).voted.f1 > 0.25


def test_hebei_normal_university_is_composed_by_the_starter(starter):
    """The paper's example of an unseen tag (Table 5): no training label, but all of its words are known."""
    tag = "河北师范大学"
    assert tag not in starter.frequencies
    assert starter.codec.tag_words(tag) == ("河北", "师范", "大学")
    (result,) = starter.suggest([Question(title="在河北师范大学上学是一种怎样的体验？")])
    (found,) = [suggestion for suggestion in result.suggestions if suggestion.tag == tag]
    assert found.kept
    assert found.is_new
    assert any(tag in hypothesis.tags for hypothesis in result.hypotheses)
