"""The interface of sources: another one is one new file, a question is cut and looked up once, weights are settings."""

import json
import math
import sys
from dataclasses import replace

import pytest

from l2a.checkpoint import CONFIG, load_tagger, save_tagger
from l2a.config import VoteSettings, read_decode
from l2a.data.questions import Question
from l2a.errors import SettingsError
from l2a.evidence import sources
from l2a.evidence.collection import Evidence, choose_hints
from l2a.evidence.memory.decisions import DecidedQuestion, Memory
from l2a.evidence.retriever import Retriever
from l2a.evidence.source import IN_TEXT, OF_NEIGHBOURS, Finding, FoldedWords, Hint, PreparedQuestion
from l2a.evidence.sources import source_classes, source_names
from l2a.ranking.candidates import FAINT
from l2a.text.segmenter import Segmenter
from tests.l2a.evidence.test_retriever import LABELLED, LISTED
from tests.l2a.ranking.priors import prior_of

SEGMENTER = Segmenter()
QUESTION = Question(title="第一次养猫要买显微镜吗？")

# All that a new source needs: here one that speaks for a tag of its own, whatever is asked.
MORE = """
import numpy as np

from l2a.evidence.source import Finding, Source


class Longest(Source):
    name, rank = "longest", 20

    def __init__(self, most):
        self._most = most

    @classmethod
    def learn(cls, retriever):
        return {"longest_most": np.array([len(retriever.tags)])}

    @classmethod
    def open(cls, known):
        has_learned = known.retriever is not None and "longest_most" in known.retriever.arrays
        return cls(int(known.retriever.arrays["longest_most"][0])) if has_learned else None

    def find(self, question):
        return [Finding("长问题", self.name, {"probability": 0.5, "words": len(question.words.title)})]


SOURCE = Longest
"""


def prepared(question: Question = QUESTION) -> PreparedQuestion:
    return PreparedQuestion.of(question, SEGMENTER)


@pytest.fixture
def one_more(tmp_path, monkeypatch):
    """A file more in the folder of sources."""
    folder = tmp_path / "sources"
    folder.mkdir()
    (folder / "longest.py").write_text(MORE, encoding="utf-8")
    monkeypatch.setattr(sources, "__path__", [*sources.__path__, str(folder)])
    yield
    sys.modules.pop(f"{sources.__name__}.longest", None)


def test_the_sources_are_the_files_of_the_folder():
    first = ["near", "linear", "named", "listed"]
    others = ["precedents", "words", "mentions", "habits", "meaning", "aliased", "names", "weighed"]
    assert source_names() == sorted([*first, *others])
    assert [source.name for source in source_classes()] == [*first, *others]


def test_another_source_is_one_new_file(one_more, tiny_tagger, tmp_path):
    """It is found, learns, moves a chance with weights of its own, and travels with the model: nothing else changed."""
    assert "longest" in source_names()
    evidence = Evidence.build(LABELLED, LISTED, SEGMENTER, learn=["longest"])
    finding = Finding("长问题", "longest", {"probability": 0.5, "words": 7})
    assert evidence.find(prepared())[-1] == finding
    prior = prior_of({"model.standing": 2.0, "longest.words": 3.0}, scales={"longest.words": 10.0}, constant=-1.0)
    tagger = replace(tiny_tagger, evidence=evidence, votes=VoteSettings({"longest": 0.4}), prior=prior)
    save_tagger(tagger, tmp_path / "model")
    assert json.loads((tmp_path / "model" / CONFIG).read_text(encoding="utf-8"))["decode"]["longest_weight"] == 0.4
    again = load_tagger(tmp_path / "model")
    (answer,) = again.suggest([QUESTION], beam=8)
    (found,) = (one for one in answer.suggestions if one.tag == "长问题")
    assert (found.votes, found.findings) == (0, (finding,))
    standing = math.log1p(0.4 * 0.5 / FAINT) / math.log1p(1 / FAINT)
    assert found.chance == pytest.approx(1 / (1 + math.exp(1.0 - 2.0 * standing - 3.0 * 7 / 10)), abs=1e-4)
    grown = again.evidence.extended([Question(title="怎样观星？", tags=("天文",))], SEGMENTER)
    assert grown.arrays["longest_most"].tolist() == [len(grown.retriever.tags)]  # learned again


@pytest.mark.parametrize("prior", [None, prior_of({"model.standing": 2.0})])
def test_without_a_weight_a_source_changes_no_other_tag(one_more, tiny_tagger, prior):
    votes = VoteSettings({"near": 1.0, "named": 1.0})
    plain = replace(tiny_tagger, evidence=Evidence.build(LABELLED, LISTED, SEGMENTER), votes=votes, prior=prior)
    evidence = Evidence.build(LABELLED, LISTED, SEGMENTER, learn=["longest"])
    (with_it,), (without,) = replace(plain, evidence=evidence).suggest([QUESTION]), plain.suggest([QUESTION])
    if prior is None:  # by votes alone, and it has none
        assert with_it == without
    others = [replace(tag, rank=0) for tag in with_it.suggestions if tag.tag != "长问题"]
    assert others == [replace(tag, rank=0) for tag in without.suggestions]


def test_a_question_is_cut_and_looked_up_once(tiny_tagger, monkeypatch):
    calls = []

    def counted(owner, name):
        real = getattr(owner, name)

        def call(*arguments, **named):
            calls.append(name)
            return real(*arguments, **named)

        monkeypatch.setattr(owner, name, call)

    evidence = Evidence.build(LABELLED, LISTED, SEGMENTER, learn=["linear"])
    counted(FoldedWords, "of")
    counted(Retriever, "vector")
    counted(Retriever, "matches")
    for name in ("vector", "nearest", "names_in"):
        counted(Memory, name)
    prior = prior_of({"model.standing": 2.0, "words.score": 1.0})
    tagger = replace(tiny_tagger, evidence=evidence, prior=prior)
    knowledge = tagger.new_knowledge()
    knowledge.learn(DecidedQuestion(1, "养猫要花多少钱？", tags=("养猫",)))
    calls.clear()
    (answer,) = tagger.suggest([QUESTION], knowledge=knowledge)
    assert sorted(calls) == ["matches", "names_in", "nearest", "of", "vector", "vector"]  # the model's, and memory's
    sources_heard = {found.source for one in answer.suggestions for found in one.findings}
    assert sources_heard == {"near", "linear", "named", "listed", "precedents", "words", "mentions", "habits"}
    assert [precedent.question_id for precedent in answer.precedents] == [1]
    assert any(word == "‹near 1›" or word == "‹near 3›" for word in answer.source_words)  # the network was told too


def test_what_is_worked_out_once_is_not_worked_out_again():
    asked = prepared()
    results = iter([1, 2])

    def work_out(question):
        assert question == asked
        return next(results)

    assert [asked.once(work_out), asked.once(work_out)] == [1, 1]
    again = asked.afresh()  # memory may know more by now
    assert again == asked
    assert [again.once(work_out), asked.once(work_out)] == [2, 1]


def test_a_labelled_question_asks_only_for_hints():
    evidence = Evidence.build(LABELLED, LISTED, SEGMENTER, learn=["linear"])
    found = evidence.find(PreparedQuestion.of(LABELLED[3], SEGMENTER, is_labelled=True), only_hints=True)
    assert all(one.hint for one in found)
    assert {one.source for one in found} <= {"near", "named", "listed"}


def test_each_group_of_hints_has_its_own_places():
    def finding(place: int, group) -> Finding:
        hint = Hint(f"{group.place}/{place}", "near", 1, group, (-float(place), 0))
        return Finding(hint.tag, "near", {}, hint)

    found = [finding(place, group) for group in (OF_NEIGHBOURS, IN_TEXT) for place in range(8)]
    chosen = choose_hints([*found, Finding("没有提示", "linear", {"probability": 1.0})])
    assert [hint.tag for hint in chosen] == [f"0/{n}" for n in (7, 6, 5, 4, 3)] + [f"1/{n}" for n in (7, 6, 5, 4, 3, 2)]


def test_without_a_retriever_nothing_is_found_and_nothing_is_stored():
    nothing = Evidence()
    assert nothing.find(prepared()) == []
    assert nothing.arrays == {}
    assert nothing.extended(LABELLED, SEGMENTER) is nothing
    assert nothing.is_listed("从来没有的标签")


# --- weights


STORED = {
    "beam": 4,
    "listed_weight": 4.0,
    "named_weight": 0.2,
    "near_weight": 0.2,
    "invented_worth": 0.25,
    "hypotheses_worth": 1.0,
}


def test_weights_are_read_from_among_the_decode_settings():
    decode, votes = read_decode(STORED)
    assert decode.beam == 4
    assert votes == VoteSettings({"listed": 4.0, "named": 0.2, "near": 0.2}, invented_worth=0.25)
    others = {f"{name}_weight": 0.0 for name in source_names() if name not in ("listed", "named", "near")}
    assert votes.to_dict() == {**{k: v for k, v in STORED.items() if k != "beam"}, **others}
    assert votes.voting == ["listed", "named", "near"]
    assert read_decode({})[1] == VoteSettings()
    assert VoteSettings().voting == []


def test_a_key_that_is_neither_kind_of_setting_is_refused_with_the_list_of_both():
    with pytest.raises(
        SettingsError,
        match=r"no key 'far_weight'\. Valid keys: beam, .*, near_weight, .*, invented_worth, hypotheses_worth\.$",
    ):
        read_decode({"far_weight": 1.0})
    with pytest.raises(SettingsError, match=r"no key 'far'"):
        VoteSettings({"far": 1.0})


@pytest.mark.parametrize("weight", [-0.1, 10.1, "1", True])
def test_a_weight_outside_its_range_is_refused(weight):
    with pytest.raises(SettingsError, match=r"^near_weight is .*; it must be a number from 0\.0 to 10\.0\.$"):
        read_decode({"near_weight": weight})
    with pytest.raises(SettingsError, match=r"^invented_worth is .*; it must be a number from 0\.0 to 1\.0\.$"):
        read_decode({"invented_worth": 2 if weight is not True else True})
