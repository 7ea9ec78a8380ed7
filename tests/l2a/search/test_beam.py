"""The search against scripted transition tables, a plain Python beam search, and full enumeration."""

import itertools
import math

import numpy as np
import pytest
import torch

from l2a.search import beam as search
from l2a.search.beam import Completion, beam_search

START, END = 0, 1  # the search is told which these are; the model's numbers need not be used
FIRST = 2
NEVER = float("-inf")


# --- tables: distribution(question, prefix) -> log-probabilities, in float64 ---------------------------------------


def first_order(seeds, symbols):
    """log p(next | last symbol) from a random (V, V) table, one a question; START is never generated."""
    tables = []
    for seed in seeds:
        weights = np.random.default_rng(seed).normal(scale=1.5, size=(symbols, symbols))
        weights[:, START] = NEVER
        tables.append(weights - np.log(np.exp(weights).sum(axis=1, keepdims=True)))
    return lambda question, prefix: tables[question][prefix[-1] if prefix else START]


def by_history(seeds, symbols):
    """log p(next | everything before): another random distribution for every prefix."""

    def distribution(question, prefix):
        weights = np.random.default_rng([seeds[question], *prefix]).normal(scale=2.0, size=symbols)
        weights[START] = NEVER
        return weights - np.log(np.exp(weights).sum())

    return distribution


def scripted(*tables, symbols):
    """Probabilities written out, one {prefix: {symbol: probability}} a question; what is missing is impossible."""

    def distribution(question, prefix):
        row = np.full(symbols, NEVER)
        for symbol, probability in tables[question].get(tuple(prefix), {}).items():
            row[symbol] = math.log(probability)
        return row

    return distribution


def run(distribution, *, questions=1, beam, max_steps=12, rules=None, seen=None, names=None):
    """beam_search over a distribution. The state records question and path, and the path is all the table sees."""
    names = list(range(questions)) if names is None else names  # which table each question of the batch has
    state = {
        "question": torch.tensor(names).unsqueeze(1),  # (B, 1)
        "path": torch.zeros(len(names), 1, 0, dtype=torch.long),  # (B, K, steps read)
    }

    def step(tokens, state):
        path = torch.cat((state["path"], tokens.unsqueeze(-1)), dim=-1)
        log_probs = torch.zeros(*tokens.shape, len(distribution(names[0], ())), dtype=torch.float64)
        for row, place in itertools.product(range(tokens.shape[0]), range(tokens.shape[1])):
            first, *prefix = path[row, place].tolist()
            assert first == START
            log_probs[row, place] = torch.from_numpy(distribution(int(state["question"][row, place]), tuple(prefix)))
            if seen is not None:
                seen.append((row, tuple(prefix)))
        return log_probs, {"question": state["question"], "path": path}

    return beam_search(
        step, state, questions=len(names), beam=beam, max_steps=max_steps, start=START, end=END, rules=rules
    )


# --- independent references ----------------------------------------------------------------------------------------


def naive_search(distribution, question, beam, max_steps):
    """The module's definition, word by word: [(prefix, score)], without early stop."""
    live, finished = [((), 0.0)], []
    for _ in range(max_steps):
        longer = []
        for prefix, score in live:
            for symbol, log_prob in enumerate(distribution(question, prefix)):
                if log_prob == NEVER:
                    continue
                if symbol == END:
                    finished.append((prefix, score + log_prob))
                else:
                    longer.append(((*prefix, symbol), score + log_prob))
        live = sorted(longer, key=lambda item: -item[1])[:beam]
    return sorted(finished, key=lambda item: -item[1])[:beam]


def enumerate_all(distribution, question, symbols, max_steps):
    """Every sequence that can end within `max_steps`, best first."""
    found = []
    for length in range(max_steps):
        for sequence in itertools.product(range(FIRST, symbols), repeat=length):
            steps = [distribution(question, sequence[:i])[s] for i, s in enumerate((*sequence, END))]
            found.append((sequence, sum(steps)))
    return sorted(found, key=lambda item: -item[1])


def assert_same(found: list[Completion], expected):
    assert [h.symbols for h in found] == [symbols for symbols, _ in expected]
    assert [h.score for h in found] == pytest.approx([score for _, score in expected], abs=1e-9)


# --- the search equals the references ------------------------------------------------------------------------------


@pytest.mark.parametrize("beam", range(1, 9))
@pytest.mark.parametrize("kind", [first_order, by_history])
def test_search_equals_a_plain_beam_search(kind, beam):
    seeds = [11, 12, 13, 14]
    distribution = kind(seeds, symbols=7)
    found = run(distribution, questions=4, beam=beam, max_steps=8)
    for question in range(4):
        assert_same(found[question], naive_search(distribution, question, beam, max_steps=8))


@pytest.mark.parametrize("kind", [first_order, by_history])
def test_search_equals_full_enumeration_when_every_prefix_fits(kind):
    seeds = [1, 2, 3]
    distribution = kind(seeds, symbols=5)  # three words: 1 + 3 + 9 + 27 = 40 sequences of up to three of them
    found = run(distribution, questions=3, beam=40, max_steps=4)
    for question in range(3):
        assert len(found[question]) == 40
        assert_same(found[question], enumerate_all(distribution, question, symbols=5, max_steps=4))


def test_a_narrower_beam_than_the_vocabulary_and_a_wider_one():
    distribution = by_history([5], symbols=3)  # one word only: one prefix of each length
    assert [h.symbols for h in run(distribution, beam=1, max_steps=3)[0]] == [naive_search(distribution, 0, 1, 3)[0][0]]
    assert_same(run(distribution, beam=8, max_steps=3)[0], enumerate_all(distribution, 0, symbols=3, max_steps=3))


# --- hand-written tables -------------------------------------------------------------------------------------------

A, B = 2, 3
# Greedy takes A (0.6), after which nothing is probable: A 0.6 * 0.4 = 0.24, A A 0.6 * 0.35 = 0.21. B alone: 0.4 * 0.9.
GREEDY_IS_WRONG = {
    (): {A: 0.6, B: 0.4},
    (A,): {END: 0.4, A: 0.35, B: 0.25},
    (B,): {END: 0.9, A: 0.1},
    (A, A): {END: 1.0},
    (A, B): {END: 1.0},
    (B, A): {END: 1.0},
}


def test_greedy_is_wrong_where_a_beam_of_two_is_right():
    distribution = scripted(GREEDY_IS_WRONG, symbols=4)
    (greedy,) = run(distribution, beam=1)[0]
    assert greedy.symbols == (A,)
    assert greedy.score == pytest.approx(math.log(0.24))
    best, second = run(distribution, beam=2)[0]
    assert (best.symbols, second.symbols) == ((B,), (A,))
    assert [best.score, second.score] == pytest.approx([math.log(0.36), math.log(0.24)])


def test_a_finished_hypothesis_is_kept_although_better_prefixes_are_live():
    # () ends with 0.1 while two prefixes of 0.5 and 0.4 live; of what they become only one beats 0.1.
    table = {
        (): {END: 0.1, A: 0.5, B: 0.4},
        (A,): {END: 0.1, A: 0.9},
        (B,): {END: 0.05, B: 0.95},
        (A, A): {END: 0.8, B: 0.2},
        (B, B): {A: 1.0},
        (B, B, A): {B: 1.0},
    }
    found = run(scripted(table, symbols=4), beam=2)[0]
    assert [h.symbols for h in found] == [(A, A), ()]
    assert [h.score for h in found] == pytest.approx([math.log(0.36), math.log(0.1)])


def test_a_finished_hypothesis_takes_no_place_from_live_prefixes():
    # With beam 1 the empty sequence ends first; A is still followed, and A A ends better.
    table = {(): {END: 0.3, A: 0.7}, (A,): {A: 1.0}, (A, A): {END: 1.0}}
    (found,) = run(scripted(table, symbols=4), beam=1)[0]
    assert found.symbols == (A, A)
    assert found.score == pytest.approx(math.log(0.7))


def test_scores_are_sums_of_log_probabilities_with_the_end_symbol():
    table = {(): {A: 0.5}, (A,): {B: 0.25}, (A, B): {END: 0.125}}
    (found,) = run(scripted(table, symbols=4), beam=3)[0]
    assert found == Completion((A, B), pytest.approx(-6 * math.log(2)))  # 1/2 * 1/4 * 1/8 = 1/64


def test_a_longer_sequence_is_not_favoured():
    table = {(): {END: 0.5, A: 0.5}, (A,): {END: 0.9, A: 0.1}, (A, A): {END: 1.0}}
    found = run(scripted(table, symbols=4), beam=3)[0]
    assert [h.symbols for h in found] == [(), (A,), (A, A)]
    assert [h.score for h in found] == pytest.approx([math.log(0.5), math.log(0.45), math.log(0.05)])


def test_equal_completions_are_ordered_by_their_symbols():
    table = {(): {B: 0.5, A: 0.5}, (A,): {END: 1.0}, (B,): {END: 1.0}}
    assert [h.symbols for h in run(scripted(table, symbols=4), beam=2)[0]] == [(A,), (B,)]


def test_a_question_unfinished_at_the_last_step_gets_an_empty_list():
    endless = {(A,) * length: {A: 1.0} for length in range(10)}
    short = {(): {END: 1.0}}
    found = run(scripted(endless, short, symbols=4), questions=2, beam=2, max_steps=5)
    assert found == [[], [Completion((), 0.0)]]


@pytest.mark.parametrize(("max_steps", "count"), [(3, 0), (4, 1)])
def test_the_end_symbol_is_one_of_the_steps(max_steps, count):
    table = {(): {A: 1.0}, (A,): {A: 1.0}, (A, A): {B: 1.0}, (A, A, B): {END: 1.0}}
    assert len(run(scripted(table, symbols=4), beam=2, max_steps=max_steps)[0]) == count


def test_fewer_hypotheses_than_the_beam_are_returned_where_no_more_exist():
    found = run(scripted(GREEDY_IS_WRONG, symbols=4), beam=8)[0]
    expected = [((B,), 0.36), ((A,), 0.24), ((A, A), 0.21), ((A, B), 0.15), ((B, A), 0.04)]
    assert_same(found, [(symbols, math.log(probability)) for symbols, probability in expected])


def test_a_dead_end_gives_an_empty_list():
    assert run(scripted({(): {A: 1.0}}, symbols=4), beam=3) == [[]]


# --- stopping, batches, state --------------------------------------------------------------------------------------


@pytest.mark.parametrize("beam", [1, 2, 3, 6])
def test_an_early_stop_changes_nothing(beam, monkeypatch):
    distribution = by_history([21, 22, 23], symbols=6)
    steps_seen, steps_on = [], []
    stopped = run(distribution, questions=3, beam=beam, max_steps=14, seen=steps_seen)
    monkeypatch.setattr(search, "_is_over", lambda *_: False)
    went_on = run(distribution, questions=3, beam=beam, max_steps=14, seen=steps_on)
    assert stopped == went_on
    assert len(steps_seen) < len(steps_on)  # or this test has shown nothing


def test_the_search_stops_when_no_prefix_can_enter_the_list():
    seen = []
    table = {(): {END: 0.6, A: 0.4}, (A,): {A: 1.0}, (A, A): {END: 1.0}}
    assert [h.symbols for h in run(scripted(table, symbols=4), beam=1, seen=seen)[0]] == [()]
    assert seen == [(0, ())]  # one step: 0.4 is under 0.6 already


@pytest.mark.parametrize("kind", [first_order, by_history])
def test_a_question_gives_the_same_list_alone_and_in_a_batch(kind):
    distribution = kind([31, 32, 33, 34, 35], symbols=7)
    together = run(distribution, questions=5, beam=5, max_steps=10)
    for question in range(5):
        assert run(distribution, beam=5, max_steps=10, names=[question]) == [together[question]]
    assert run(distribution, beam=5, max_steps=10, names=[4, 2, 4]) == [together[4], together[2], together[4]]


def test_the_state_follows_its_prefix():
    distribution = by_history([41, 42], symbols=8)
    seen = []
    found = run(distribution, questions=2, beam=6, max_steps=8, seen=seen)
    # Each state's recorded path was once a live prefix, and each finished hypothesis was read from its own path.
    for row, hypotheses in enumerate(found):
        assert all((row, h.symbols) in seen for h in hypotheses)
    live = [path for row, path in seen if row == 0 and len(path) == 3]
    assert len(live) == len(set(live)) == 6
    longer = [path for row, path in seen if row == 0 and len(path) == 4]
    assert {path[:3] for path in longer} <= set(live)
    assert len({path[:3] for path in longer}) > 1  # or no reordering could go wrong


def test_search_does_not_change_the_start_state():
    state = {"place": torch.zeros(1, 1, dtype=torch.long)}
    uniform = torch.log(torch.full((1, 1, 4), 0.25))

    def step(tokens, state):
        return uniform.expand(*tokens.shape, 4).clone(), {"place": state["place"] + 1}

    beam_search(step, state, questions=1, beam=3, max_steps=4, start=START, end=END)
    assert state["place"].tolist() == [[0]]
