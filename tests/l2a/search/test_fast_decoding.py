"""The fast path against the plain one: same hypotheses, same scores within rounding, in every shape of the model."""

import random
from dataclasses import replace

import pytest
import torch

from l2a.config import ModelConfig, TrainingConfig
from l2a.data.questions import read_questions
from l2a.errors import SettingsError
from l2a.network.model import L2AModel, Memory
from l2a.search.beam import beam_search
from l2a.search.fast import decoder as fast_decoder
from l2a.search.fast import quantised
from l2a.search.fast.beam import fast_beam_search
from l2a.search.fast.decoder import FastDecoder, decoder_for
from l2a.search.fast.expansion import Copies, Slots, WordScores, expand, words_scored_once
from l2a.search.fast.past import Past
from l2a.search.rules import TagRules, TagTrie
from l2a.tagger import Constraints, Tagger
from l2a.text.batch import SourceBatch
from l2a.text.vocabulary import DELIMITER, END, FIRST_WORD, START, UNKNOWN
from l2a.training.optimiser import Optimiser
from tests.l2a.network.test_model import TARGET_WORDS, build, every_local_shape, every_shape, sources_for

EXTRA = TARGET_WORDS  # the number of a question's first extra word

needs_int8 = pytest.mark.skipif(not quantised.is_available(), reason="no 8-bit engine on this machine")


def plain_search(model, memory, start, **how):
    with torch.inference_mode():
        return beam_search(
            lambda tokens, state: model.step(tokens, state, memory),
            model.start_state(len(memory.mask)),
            questions=len(memory.mask),
            start=start,
            end=END,
            **how,
        )


def assert_same(found, wanted, within=1e-4):
    for mine, theirs in zip(found, wanted, strict=True):
        assert [h.symbols for h in mine] == [h.symbols for h in theirs]
        assert [h.score for h in mine] == pytest.approx([h.score for h in theirs], abs=within)


def rules_for(model, name):
    is_label = model.config.kind == "label"
    first = (7,) if is_label else (7, 9, DELIMITER)
    known = TagTrie([("8",)] if is_label else [("8", "9"), ("6",), ("6", str(7 if not model.config.copy else EXTRA))])
    made = {
        "none": None,
        "repeats": TagRules(is_label, max_tags=2, drop_repeats=True),
        "banned": TagRules(is_label, banned=frozenset({"8", "6"})),
        "first tag": TagRules(is_label, first_tag=first, drop_repeats=True),
        "known tags": TagRules(is_label, known_tags=known),
    }[name]
    return made and [made] * 3


@every_shape
def test_the_fast_search_finds_what_the_plain_one_finds(shape):
    compare(build(**shape), "none", beams=(1, 4, 20))  # 20 is more than there are words


@every_local_shape
@pytest.mark.parametrize("rules", ["repeats", "banned", "first tag", "known tags"])
def test_rules_mean_the_same(shape, rules):
    compare(build(**shape), rules, beams=(6,))


def compare(model, rules, beams):
    with torch.inference_mode():
        memory = model.encode(sources_for(model))
    for beam in beams:
        how = {"start": [START, END, START], "beam": beam, "max_steps": 6, "rules": rules_for(model, rules)}
        assert_same(fast_beam_search(FastDecoder(model), memory, **how), plain_search(model, memory, **how))


def wide_vocabulary(copy=True) -> tuple[L2AModel, SourceBatch]:
    """More words than fit into one block, and peaked enough that searches end by themselves."""
    torch.manual_seed(5)
    config = ModelConfig(
        width=16, heads=2, feed_forward=32, encoder_layers=1, decoder_layers=2, dropout=0.0, copy=copy,
        share_embeddings=copy,
    )  # fmt: skip
    model = L2AModel(config, 400, 300).eval()
    for parameter in model.parameters():
        parameter.data += 0.3 * torch.randn_like(parameter)
    ids = torch.randint(FIRST_WORD, 400, (4, 9))
    lengths = torch.tensor([9, 3, 6, 1])
    ids[torch.arange(9) >= lengths.unsqueeze(1)] = 0
    extra = ids.masked_fill(ids < 300, UNKNOWN)
    copy_ids = torch.where(ids < 300, ids, 300 + torch.arange(9))
    return model, SourceBatch(ids, lengths, copy_ids if copy else ids, extra if copy else extra[:, :0])


@pytest.mark.parametrize("copy", [False, True])
@pytest.mark.parametrize("beam", [3, 48])
def test_many_words(copy, beam):
    model, source = wide_vocabulary(copy)
    with torch.inference_mode():
        memory = model.encode(source)
    how = {"start": START, "beam": beam, "max_steps": 12}
    wanted = plain_search(model, memory, **how)
    assert all(len(found) == beam for found in wanted)
    assert_same(fast_beam_search(FastDecoder(model), memory, **how), wanted)


@pytest.mark.parametrize("int8", [False, pytest.param(True, marks=needs_int8)])
def test_a_question_alone_and_in_a_batch(int8, monkeypatch):
    monkeypatch.setattr(fast_decoder, "_WIDE", 8)  # all layers in 8 bits
    model, source = wide_vocabulary()
    decoder = FastDecoder(model, int8)
    how = {"start": START, "beam": 8, "max_steps": 12}
    with torch.inference_mode():
        memory = model.encode(source)
        together = fast_beam_search(decoder, memory, **how)
        for question, found in enumerate(together):
            alone = fast_beam_search(decoder, memory.of(torch.tensor([question])), **how)
            assert_same(alone, [found], within=0 if int8 else 1e-4)


@needs_int8
def test_a_loud_neighbour_changes_nothing(monkeypatch):
    """One scale for a whole batch would make quiet questions wrong by several times their own rounding."""
    monkeypatch.setattr(fast_decoder, "_WIDE", 8)
    model, source = wide_vocabulary()
    decoder = FastDecoder(model, int8=True)
    with torch.inference_mode():
        quiet, loud = model.encode(source), model.encode(source)
        for keys, values in loud.keys_values:
            keys[1:] *= 100
            values[1:] *= 1000
        first, *others = fast_beam_search(decoder, quiet, start=START, beam=8, max_steps=12)
        same, *changed = fast_beam_search(decoder, loud, start=START, beam=8, max_steps=12)
    assert same == first
    assert changed != others


def test_finished_questions_leave_the_batch(monkeypatch):
    model, source = wide_vocabulary()
    beams = []
    step = FastDecoder.step

    def watched(self, readings):
        beams.append([len(reading.tokens) for reading in readings])
        return step(self, readings)

    monkeypatch.setattr(FastDecoder, "step", watched)
    with torch.inference_mode():
        fast_beam_search(FastDecoder(model), model.encode(source), start=START, beam=6, max_steps=40)
    assert beams[:2] == [[1] * 4, [6] * 4]
    assert min(map(len, beams)) < 4
    assert min(map(min, beams[1:])) < 6
    assert len(beams) < 40


# --- parts ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [6, 127, 128, 129, 700])
def test_expansion_equals_a_softmax_and_a_sort(size):
    torch.manual_seed(size)
    words, so_far = torch.randn(5, size) * 3, -torch.rand(5)
    numbers = torch.tensor([5, size + 1, 5, size])
    pointer, gate = torch.rand(5, 4).softmax(dim=-1), torch.randn(5, 1)
    probabilities = torch.cat([words.softmax(dim=-1) * (-gate).sigmoid(), torch.zeros(5, 2)], dim=1)
    probabilities.scatter_add_(1, numbers.expand(5, 4), pointer * gate.sigmoid())
    totals = probabilities.log() + so_far.unsqueeze(1)
    totals[:, [0, 1, UNKNOWN]] = float("-inf")
    ends = totals[:, END].clone()
    totals[:, END] = float("-inf")
    best, places = totals.flatten().topk(10)

    found = expand(WordScores(words.clone()), so_far, 10, Copies(Slots.of(numbers), pointer, gate), {})
    assert torch.allclose(found.ends, ends, atol=1e-5)
    real = best > float("-inf")
    assert torch.allclose(found.totals[real], best[real], atol=1e-5)
    assert (found.parents * (size + 2) + found.symbols)[real].tolist() == places[real].tolist()

    roughly, once = words + 0.01 * torch.randn_like(words), words_scored_once(size)
    roughly[:, once] = words[:, once]
    rounded = WordScores(
        roughly, lambda beams, columns: words[:, columns] if columns.dim() == 1 else words[beams, columns]
    )
    again = expand(rounded, so_far, 10, Copies(Slots.of(numbers), pointer, gate), {})
    assert torch.allclose(again.totals[real], best[real], atol=0.02)


def test_a_past_is_a_tree():
    """Every beam sees what it and its ancestors have read, and nothing else; places change hands meanwhile."""
    past, generator = Past(layers=2, heads=2, width=4), random.Random(1)
    wanted: list[set[float]] = [set()]
    most = 0
    for step in range(40):
        past.grow()
        words = [float(16 * step + beam) for beam in range(len(wanted))]
        wanted = [seen | {word} for seen, word in zip(wanted, words, strict=True)]
        rows = torch.tensor(words).unsqueeze(1).expand(-1, 4)
        for layer in (0, 1):
            keys, values = past.remember(layer, torch.cat([rows + layer, -rows], dim=1))
            for head in (0, 1):
                found = [set(keys[head, 0, shade == 0].tolist()) for shade in past.shade]
                assert found == [{word + layer for word in seen} for seen in wanted]
                seen_by_any = (past.shade == 0).any(dim=0)
                assert torch.equal(values[head, seen_by_any], layer - keys[head, :, seen_by_any].mT)
        most = max(most, past.shade.shape[1])
        parents = [generator.randrange(len(wanted)) for _ in range(generator.randint(1, 6))]
        past.follow(torch.tensor(parents))
        wanted = [wanted[parent] for parent in parents]
    assert most < 60  # of 40 steps of up to 6 beams


# --- 8 bits --------------------------------------------------------------------------------------------------------


@pytest.fixture(params=[8, 7])
def bits_of_weights(request, monkeypatch):
    """As on a processor with VNNI instructions, where this is one, and as on one without them."""
    if request.param == 7:
        monkeypatch.setattr(quantised, "has_room_for_8_bits", lambda: False)
    return request.param


@needs_int8
@pytest.mark.parametrize("relu", [False, True])
def test_8_bits_are_close(relu, bits_of_weights):
    torch.manual_seed(1)
    weight, bias, x = torch.randn(70, 64), torch.randn(70), torch.randn(9, 64)
    weight[5] = 0
    found = quantised.Int8Linear(weight, bias, relu=relu)(x)
    wanted = x @ weight.T + bias
    wanted = wanted.relu() if relu else wanted
    assert (found - wanted).abs().max() < 0.1 * wanted.std()
    nothing = quantised.Int8Linear(weight, bias, relu=relu)(torch.zeros(2, 64))
    assert torch.equal(nothing, (bias.relu() if relu else bias).expand(2, 70))


@needs_int8
@pytest.mark.parametrize("sign", [1, -1])
def test_the_largest_products_are_not_cut_off(sign, bits_of_weights):
    """All weights and activations at their limits: two products must fit into 16 bits, or sums come out too small."""
    signs = torch.ones(32, 512)
    signs[1::2] = -1
    found = quantised.Int8Linear(signs, None)(sign * torch.ones(4, 512))
    assert torch.allclose(found, sign * signs.sum(dim=1).expand(4, 32), rtol=1e-4)


@needs_int8
def test_weights_have_7_bits_where_products_would_be_cut_off(monkeypatch):
    packed = []
    monkeypatch.setattr(quantised, "_pack", lambda weight, bias, largest: packed.append(largest))
    for has_room in (True, False):
        monkeypatch.setattr(quantised, "has_room_for_8_bits", lambda has_room=has_room: has_room)
        quantised.Int8Linear(torch.ones(2, 2), None)
    assert packed == [127, 63]
    assert 2 * 255 * 63 < 2**15 <= 2 * 255 * 127


@needs_int8
@pytest.mark.parametrize("is_cut_off", [False, True])
def test_room_for_8_bits_is_found_out_by_trying(monkeypatch, is_cut_off):
    """A processor that cuts off is played: pairs of products end at 2**15 - 1."""
    worst = 2 * 255 * 127
    shown = (2**15 - 1) / worst if is_cut_off else 1.0
    monkeypatch.setattr(quantised, "_operator", lambda: lambda x, packed, reduce: torch.full((1, 16), 64.0 * shown))
    assert quantised.has_room_for_8_bits.__wrapped__() is not is_cut_off


@needs_int8
def test_8_bits_find_nearly_the_same(monkeypatch):
    monkeypatch.setattr(fast_decoder, "_WIDE", 8)
    model, source = wide_vocabulary()
    how = {"start": START, "beam": 24, "max_steps": 12}
    with torch.inference_mode():
        memory = model.encode(source)
    for mine, theirs in zip(
        fast_beam_search(FastDecoder(model, int8=True), memory, **how), plain_search(model, memory, **how), strict=True
    ):
        scores = {h.symbols: h.score for h in theirs}
        shared = [h for h in mine if h.symbols in scores]
        assert len(shared) > 18
        assert all(abs(h.score - scores[h.symbols]) < 0.5 for h in shared)


def learner(**changes) -> tuple[L2AModel, Memory]:
    """A model whose words all share one table, so that nothing but the dense optimiser moves its weights."""
    torch.manual_seed(3)
    shape = {"width": 16, "heads": 2, "feed_forward": 16, "encoder_layers": 1, "decoder_layers": 2, "dropout": 0.0}
    model = L2AModel(ModelConfig(**shape, share_embeddings=True, **changes), 40, 40).eval()
    assert model.source_table.sparse is None
    ids = torch.tensor([[7, 9, 11, 30]])
    return model, model.encode(SourceBatch(ids, torch.tensor([4]), ids, torch.zeros(1, 0, dtype=torch.long)))


def learn(model: L2AModel, step) -> None:
    """Three large steps towards anything at all."""
    for number in range(3):
        model.zero_grad()
        ids = torch.tensor([[7, 9, 11, 30]])
        memory = model.encode(SourceBatch(ids, torch.tensor([4]), ids, torch.zeros(1, 0, dtype=torch.long)))
        hidden, _ = model.decode(torch.tensor([[START, 20, 21]]), memory)
        model.target_log_probs(hidden, memory, torch.tensor([[20, 21, END]]))[0].sum().neg().backward()
        step(number)


@pytest.mark.parametrize("int8", [False, pytest.param(True, marks=needs_int8)])
def test_a_decoder_follows_weights_that_an_optimiser_moved(int8):
    model, memory = learner()
    first = decoder_for(model, int8)
    assert decoder_for(model, int8, first) is first
    training = TrainingConfig(learning_rate=0.05, warmup_steps=1)
    learn(model, Optimiser(model, training, total_steps=10, fine_tune_from=10**9).step)
    again = decoder_for(model, int8, first)
    assert again is not first
    how = {"start": START, "beam": 6, "max_steps": 8}
    if not int8:
        with torch.inference_mode():
            memory = model.encode(memory.source)
            assert_same(fast_beam_search(again, memory, **how), plain_search(model, memory, **how))


def test_a_tagger_follows_a_model_that_was_in_training(tiny_model, samples_path):
    """Whatever changed the weights meanwhile, and whether PyTorch counted it or not."""
    tagger, questions = Tagger.load(tiny_model), list(read_questions(samples_path))[:2]
    before = tagger.suggest(questions)
    tagger.model.train()
    for layer in tagger.model.decoder:
        layer.history.value.weight.data.mul_(-1)  # changes behind `.data` are counted by nobody
    after = tagger.suggest(questions)
    assert after != before
    tagger.decoder = "plain"
    plain = tagger.suggest(questions)
    assert [[h.tags for h in one.hypotheses[:3]] for one in after] == [
        [h.tags for h in one.hypotheses[:3]] for one in plain
    ]


@needs_int8
def test_packed_weights_follow_a_model_that_learns():
    model, _ = wide_vocabulary(copy=False)
    first = decoder_for(model, True)
    assert decoder_for(model, True, first) is first
    assert decoder_for(model, False, first).int8 is False
    with torch.no_grad():
        model.output.weight.mul_(2)
    again = decoder_for(model, True, first)
    assert again is not first
    with torch.inference_mode():
        hidden = torch.randn(3, 16)
        (found,) = again.word_scores([hidden])
        wanted = model.output(hidden)
    assert torch.allclose(found.words, wanted, atol=0.5)
    # 300 words: two whole blocks, and 44 words that are never scored again.
    exact = [END, DELIMITER, *range(256, 300)]
    assert words_scored_once(300).tolist() == exact
    torch.testing.assert_close(found.words[:, exact], wanted[:, exact])


@pytest.mark.parametrize(
    ("beams", "calls"),
    [
        ([4, 4, 4], [12]),  # few: all at once
        ([60, 4, 1, 3], [64, 4]),  # as many as there is room for
        ([70, 2], [70, 2]),  # many: alone
        ([], []),
    ],
)
def test_questions_with_few_beams_go_through_the_output_layer_together(monkeypatch, beams, calls):
    model, _ = wide_vocabulary(copy=False)
    decoder, heard = FastDecoder(model), []
    score = decoder._score_all
    monkeypatch.setattr(decoder, "_score_all", lambda x: heard.append(len(x)) or score(x))
    hidden = [torch.randn(count, 16) for count in beams]
    found = [scores.words for scores in decoder.word_scores(hidden)]
    assert heard == calls
    for mine, words in zip(hidden, found, strict=True):
        torch.testing.assert_close(words, model.output(mine))


@needs_int8
def test_in_8_bits_every_question_goes_through_the_output_layer_alone(monkeypatch):
    model, _ = wide_vocabulary(copy=False)
    decoder, heard = FastDecoder(model, int8=True), []
    score = decoder._score_all
    monkeypatch.setattr(decoder, "_score_all", lambda x: heard.append(len(x)) or score(x))
    with torch.inference_mode():
        assert len(list(decoder.word_scores([torch.randn(3, 16), torch.randn(2, 16)]))) == 2
    assert heard == [3, 2]


def test_without_an_engine_float32_serves(monkeypatch):
    model, _ = wide_vocabulary()
    monkeypatch.setattr(quantised, "_ENGINE", "no such engine")
    quantised.is_available.cache_clear()
    try:
        assert not quantised.is_available()
        assert decoder_for(model, int8=True).int8 is False
    finally:
        monkeypatch.undo()
        quantised.is_available.cache_clear()


# --- the tagger ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "constraints",
    [
        Constraints(),
        Constraints(ban=("电影",)),
        Constraints(first_tag="电影"),
        Constraints(known_tags=("电影", "科幻电影", "大学", "Python")),
    ],
    ids=["free", "ban", "first tag", "known tags"],
)
def test_a_tagger_answers_the_same_either_way(tiny_tagger, samples_path, constraints):
    questions = list(read_questions(samples_path))[:24]
    usual = tiny_tagger.suggest(questions, constraints=constraints)
    plain = replace(tiny_tagger, decoder="plain").suggest(questions, constraints=constraints)
    for mine, theirs in zip(usual, plain, strict=True):
        assert [h.tags for h in mine.hypotheses] == [h.tags for h in theirs.hypotheses]
        assert [(s.tag, s.votes, s.kept) for s in mine.suggestions] == [
            (s.tag, s.votes, s.kept) for s in theirs.suggestions
        ]


def test_an_unknown_decoder_is_refused(tiny_tagger, samples_path):
    question = next(iter(read_questions(samples_path)))
    with pytest.raises(SettingsError, match="'quick'; valid: plain, float32, int8"):
        replace(tiny_tagger, decoder="quick").suggest([question])
