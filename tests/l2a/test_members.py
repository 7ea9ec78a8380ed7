"""A model with two members: one network, two orders, half of the votes each."""

import math
from collections import Counter
from dataclasses import replace

import pytest
import torch

from l2a.config import VoteSettings
from l2a.data.questions import Question, read_questions
from l2a.evidence.collection import Evidence
from l2a.evidence.source import PreparedQuestion
from l2a.explain import explain, occlude
from l2a.tagger import Constraints, Tagger
from l2a.text.batch import pad_sources, pad_targets
from l2a.text.cleaning import clean, match_key
from l2a.text.ordering import BOTH, FIRST_SYMBOLS, member_of, members
from l2a.text.vocabulary import END, START
from l2a.training.run import train_run
from tests.conftest import SAMPLES, tiny_spec
from tests.l2a.ranking.priors import prior_of

QUESTION = Question(title="有什么好看的科幻电影推荐？")


@pytest.fixture(scope="module")
def pair(tmp_path_factory) -> Tagger:
    """Trained on the samples in both orders, with hints."""
    folder = tmp_path_factory.mktemp("pair")
    tags = folder / "tags.txt"
    tags.write_text("量子力学\n电影\n", encoding="utf-8")
    more = folder / "more.txt"
    more.write_text("弦论\n", encoding="utf-8")
    spec = replace(
        tiny_spec(copy=True, share_embeddings=True, epochs=30, order=BOTH),
        dev=(),
        retrieve=str(tags),
        vote_lists=(str(more),),
    )
    train_run(spec, folder / "run", quiet=True, say=lambda _: None)
    return Tagger.load(folder / "run" / "best")


def test_the_members_of_an_order():
    assert members("order2") == ("order2",)
    assert members(BOTH) == ("order1", "order2")
    assert FIRST_SYMBOLS == (START, END)


def test_each_question_is_learned_by_both_members_in_turn():
    for key in ("1", "2", "问题"):
        assert {member_of(BOTH, key, epoch) for epoch in (0, 1)} == {0, 1}
        assert member_of(BOTH, key, 0) == member_of(BOTH, key, 2)
        assert member_of("order1", key, 1) == 0
    begin = [member_of(BOTH, str(number), 0) for number in range(1000)]
    assert 400 < sum(begin) < 600


def test_each_member_gives_half_of_the_hypotheses(pair):
    (answer,) = pair.suggest([QUESTION], beam=8)
    assert sorted(h.order for h in answer.hypotheses) == ["order1"] * 4 + ["order2"] * 4
    scores = [h.log_probability for h in answer.hypotheses]
    assert scores == sorted(scores, reverse=True)


def test_an_odd_place_goes_to_the_first_member_and_a_list_of_one_too(pair):
    (answer,) = pair.suggest([QUESTION], beam=5)
    assert sorted(h.order for h in answer.hypotheses) == ["order1"] * 3 + ["order2"] * 2
    (alone,) = pair.suggest([QUESTION], beam=1)
    assert [h.order for h in alone.hypotheses] == ["order1"]


def test_a_tags_probability_is_the_mean_of_what_the_members_give_it(pair):
    questions = list(read_questions(SAMPLES))[:40]
    for answer in pair.suggest(questions, beam=8):
        for found in answer.suggestions:
            own = {
                order: sum(
                    math.exp(h.log_probability) for h in answer.hypotheses if found.tag in h.tags and h.order == order
                )
                for order in members(BOTH)
            }
            assert found.probability == pytest.approx((own["order1"] + own["order2"]) / 2, abs=1e-6)
    (alone,) = pair.suggest(questions[:1], beam=1)  # the first member's
    assert alone.suggestions[0].probability == pytest.approx(math.exp(alone.hypotheses[0].log_probability))


def test_batches_do_not_matter(pair):
    questions = list(read_questions(SAMPLES))[:5]
    together = pair.suggest(questions, beam=6, batch_size=5)
    for question, answer in zip(questions, together, strict=True):
        (alone,) = pair.suggest([question], beam=6)
        assert [h.tags for h in alone.hypotheses] == [h.tags for h in answer.hypotheses]


def test_a_members_score_is_that_of_the_sequence_after_its_own_first_symbol(pair):
    (answer,) = pair.suggest([QUESTION], beam=8)
    source = pair.encode(QUESTION)
    for hypothesis in answer.hypotheses:
        numbers = pair.codec.encode_tags(hypothesis.tags, source.extra_words)
        if pair.codec.decode_tags(numbers, source.extra_words) != hypothesis.tags:
            continue
        first = FIRST_SYMBOLS[members(pair.order).index(hypothesis.order)]
        inputs, targets = pad_targets([numbers], [first])
        with torch.inference_mode():
            memory = pair.model.encode(pad_sources([source]))
            hidden, _ = pair.model.decode(inputs, memory)
            scores, _ = pair.model.target_log_probs(hidden, memory, targets)
        assert float(scores.sum()) == pytest.approx(hypothesis.log_probability, abs=1e-3)


def test_the_members_have_learned_their_orders(pair):
    """Rare to frequent and frequent to rare, on the questions they were trained on."""
    right = wrong = 0
    for answer in pair.suggest(list(read_questions(SAMPLES))[:40], beam=8):
        for hypothesis in answer.hypotheses:
            counts = [pair.frequencies.get(tag, 0) for tag in hypothesis.tags]
            if len(set(counts)) < 2 or hypothesis.log_probability < -2:
                continue
            rising = counts == sorted(counts)
            right += rising == (hypothesis.order == "order1")
            wrong += rising != (hypothesis.order == "order1")
    assert right > 3 * wrong


def test_the_member_that_would_write_the_tags_explains_them(pair):
    tags = next(
        q.tags for q in read_questions(SAMPLES) if len({pair.frequencies[t] for t in q.tags}) == len(q.tags) > 1
    )
    question = next(q for q in read_questions(SAMPLES) if q.tags == tags)
    rare_first = sorted(tags, key=lambda tag: pair.frequencies[tag])
    assert explain(pair, question, rare_first).order == "order1"
    found = explain(pair, question, rare_first[::-1])
    assert (found.order, found.input_words[0]) == ("order2", "</s>")
    assert occlude(pair, question, rare_first[::-1], 0).log_probability == pytest.approx(found.tag_log_probability(0))


def test_hints_are_read_but_are_no_cues(pair):
    """A word that only a hint has is nothing the question says."""
    source = pair.encode(QUESTION)
    assert source.hints > 0
    assert "".join(source.text_words) == clean(QUESTION.title)
    (answer,) = pair.suggest([QUESTION], beam=8)
    assert all(set(suggestion.cues) <= set(source.text_words) for suggestion in answer.suggestions)


def test_a_saved_pair_says_what_it_said(pair, tmp_path):
    from l2a.checkpoint import save_tagger

    version = save_tagger(pair, tmp_path / "again")
    again = Tagger.load(tmp_path / "again")
    assert again.version == version
    assert again.suggest([QUESTION])[0].hypotheses == pair.suggest([QUESTION])[0].hypotheses


def test_a_folder_without_its_retrieval_file_is_refused(pair, tmp_path):
    from l2a.checkpoint import RETRIEVAL, save_tagger
    from l2a.errors import CheckpointError

    save_tagger(pair, tmp_path / "cut")
    (tmp_path / "cut" / RETRIEVAL).unlink()
    with pytest.raises(CheckpointError, match="do not belong together"):
        Tagger.load(tmp_path / "cut")


@pytest.fixture
def ranked(pair) -> Tagger:
    """The same model, with a ranker: standing makes the chance."""
    votes = VoteSettings({"listed": 1.0, "named": 1.0, "near": 1.0}, invented_worth=0.25)
    return replace(pair, votes=votes, prior=prior_of({"model.standing": 6.0}, constant=-4.0, cut=0.5))


def test_evidence_raises_the_chance_and_adds_nothing_to_the_votes(pair, ranked):
    (plain,), (answer,) = pair.suggest([QUESTION]), ranked.suggest([QUESTION])
    assert plain.hypotheses == answer.hypotheses
    for one in (plain, answer):
        counted = Counter(key for h in one.hypotheses for key in set(map(match_key, h.tags)))
        assert {match_key(s.tag): s.votes for s in one.suggestions if s.votes} == counted
        assert [s.rank for s in one.suggestions] == list(range(1, len(one.suggestions) + 1))
        for s in one.suggestions:
            assert (s.best_hypothesis is None) == (s.votes == 0)
    assert [s.tag for s in answer.by_votes] == [s.tag for s in plain.suggestions]
    assert all(s.chance is None and not s.findings for s in plain.suggestions)
    (without,) = replace(ranked, votes=VoteSettings(invented_worth=0.25)).suggest([QUESTION])
    before, after = ({s.tag: s.chance for s in one.suggestions} for one in (without, answer))
    assert before.keys() == after.keys()
    assert after["电影"] > before["电影"]  # it stands in the question and was given before
    assert all(after[tag] >= before[tag] for tag in after)


def test_tags_are_ordered_and_kept_by_chance_and_with_a_threshold_by_votes(pair, ranked):
    (answer,) = ranked.suggest([QUESTION])
    chances = [s.chance for s in answer.suggestions]
    assert chances == sorted(chances, reverse=True)
    assert answer.cut == 0.5
    assert {s.tag for s in answer.suggestions if s.kept} == {s.tag for s in answer.suggestions if s.chance > 0.5}
    assert answer.kept
    (voted,), (papers,) = ranked.suggest([QUESTION], threshold=0.25), pair.suggest([QUESTION], threshold=0.25)
    assert voted == papers


def test_what_is_ranked_again_is_what_was_suggested(ranked):
    linear = replace(ranked, evidence=ranked.evidence.learned(["linear"]))  # tells the network nothing
    for tagger in (ranked, replace(linear, votes=VoteSettings({"linear": 1.0}))):
        (answer,) = tagger.suggest([QUESTION])
        assert tagger.rank(tagger.read(QUESTION), answer.hypotheses, beam=answer.beam) == answer


def test_a_persons_wishes_hold_for_the_evidence_too(ranked):
    (banned,) = ranked.suggest([QUESTION], constraints=Constraints(ban=("电影",)))
    assert "电影" not in {s.tag for s in banned.suggestions}
    (closed,) = ranked.suggest([QUESTION], constraints=Constraints(known_tags=("电影", "音乐")))
    assert {s.tag for s in closed.suggestions} <= {"电影", "音乐"}


def test_what_no_list_has_was_made_up(pair, ranked):
    assert ranked.is_invented("从来没有的标签")
    assert not ranked.is_invented("量子力学")  # listed
    assert not ranked.is_invented("弦论")  # in a list that gives no hints
    assert not ranked.is_invented("电影")  # given
    assert not replace(pair, evidence=Evidence()).is_invented("从来没有的标签")


def test_a_linear_model_is_made_in_training_where_its_weight_is_set_and_raises_chances(pair, tmp_path):
    assert "linear_starts" not in pair.evidence.arrays
    tags = tmp_path / "tags.txt"
    tags.write_text("电影\n", encoding="utf-8")
    spec = replace(tiny_spec(epochs=1), dev=(), retrieve=str(tags))
    spec = replace(spec, votes=VoteSettings({"linear": 1.0}))
    train_run(spec, tmp_path / "run", quiet=True, say=lambda _: None)
    tagger = Tagger.load(tmp_path / "run" / "best")
    known = next(read_questions(SAMPLES))
    findings = tagger.evidence.find(PreparedQuestion.of(known, tagger.codec.segmenter))
    likely = {one.tag: one.probability for one in findings if one.source == "linear"}
    assert likely
    assert tagger.suggest([known], beam=8)[0].cut is None  # no ranker was made
    best = max(likely, key=likely.get)
    tagger = replace(tagger, prior=prior_of({"model.standing": 6.0}))
    (answer,), (without,) = (one.suggest([known], beam=8) for one in (tagger, replace(tagger, votes=VoteSettings())))
    (after,), (before,) = ([s for s in one.suggestions if s.tag == best] for one in (answer, without))
    assert after.figures["linear.probability"] == pytest.approx(likely[best], abs=1e-4)
    assert after.chance > before.chance
