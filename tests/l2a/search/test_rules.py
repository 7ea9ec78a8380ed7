"""Rules by themselves, and through the search over small hand-written tables."""

import math

import pytest
import torch

from l2a.search.beam import beam_search
from l2a.search.rules import Progress, TagRules, TagTrie
from l2a.text.vocabulary import DELIMITER, END, FIRST_WORD, START, UNKNOWN

A, B, C = FIRST_WORD, FIRST_WORD + 1, FIRST_WORD + 2
SYMBOLS = FIRST_WORD + 3
D = DELIMITER
LETTERS = {A: "A", B: "B", C: "C"}
NUMBERS = {letter: number for number, letter in LETTERS.items()}


def number(word):
    return NUMBERS.get(word, UNKNOWN)


def known(*tags):
    return TagTrie(tags, number)


def spelled(**rules):
    """Rules that read the three words as the letters A, B and C."""
    return TagRules(spell=LETTERS.__getitem__, **rules)


def search(tables, rules, *, beam, max_steps=10):
    """Search over {prefix: {symbol: probability}}, a table and rules a question; what is missing is impossible."""

    def step(tokens, state):
        path = torch.cat((state["path"], tokens.unsqueeze(-1)), dim=-1)  # (B, K, steps)
        log_probs = torch.full((*tokens.shape, SYMBOLS), float("-inf"), dtype=torch.float64)
        for question, beams in enumerate(path.tolist()):
            for place, (_, *prefix) in enumerate(beams):
                for symbol, probability in tables[question].get(tuple(prefix), {}).items():
                    log_probs[question, place, symbol] = math.log(probability)
        return log_probs, {"path": path}

    state = {"path": torch.zeros(len(tables), 1, 0, dtype=torch.long)}
    found = beam_search(
        step, state, questions=len(tables), beam=beam, max_steps=max_steps, start=START, end=END, rules=rules
    )
    return [[(h.symbols, round(math.exp(h.score), 9)) for h in hypotheses] for hypotheses in found]


def follow(rules, *symbols):
    """Memory after these symbols, None as soon as one drops the hypothesis."""
    memory = rules.start()
    for symbol in symbols:
        memory = rules.advance(memory, symbol)
        if memory is None:
            return None
    return memory


# --- by themselves -------------------------------------------------------------------------------------------------


def test_progress_holds_complete_tags_and_the_tag_being_written():
    rules = TagRules()
    assert follow(rules, A, B, D, C) == Progress(done=((A, B),), current=(C,))
    assert follow(rules, A, B, D, C, D) == Progress(done=((A, B), (C,)))


def test_without_rules_anything_is_allowed():
    rules = TagRules()
    assert not rules.is_needed
    assert rules.allowed(rules.start()) is None
    assert follow(rules, A, D, A, D, A, D) == Progress(done=((A,), (A,), (A,)))


@pytest.mark.parametrize(
    "rule",
    [
        {"max_tags": 1},
        {"drop_repeats": True},
        {"banned": frozenset({"a"})},
        {"first_tag": (A, D)},
        {"known_tags": TagTrie([])},
    ],
)
def test_each_rule_asks_to_be_used(rule):
    assert TagRules(**rule).is_needed


def test_an_empty_tag_is_dropped():
    assert follow(TagRules(), D) is None
    assert follow(TagRules(), A, D, D) is None


def test_no_word_may_follow_the_last_tag_allowed():
    rules = TagRules(max_tags=2)
    assert follow(rules, A, D, B, D) == Progress(done=((A,), (B,)))
    assert follow(rules, A, D, B, D, END) is not None
    assert follow(rules, A, D, B, D, C) is None


def test_a_repeated_tag_drops_the_hypothesis_when_it_is_complete():
    rules = TagRules(drop_repeats=True)
    assert follow(rules, A, D, A) is not None  # it may still become A B
    assert follow(rules, A, D, A, D) is None
    assert follow(rules, A, D, A, B, D) == Progress(done=((A,), (A, B)))
    assert follow(rules, A, B, D, B, A, D) == Progress(done=((A, B), (B, A)))


def test_a_banned_tag_drops_the_hypothesis_but_its_words_may_be_used():
    rules = spelled(banned=frozenset({"ab"}))
    assert follow(rules, A, B, D) is None
    assert follow(rules, C, D, A, B, D) is None
    assert follow(rules, A, B, C, D, A, D, B, D) is not None


def test_a_banned_tag_is_banned_in_every_spelling_and_cut():
    words = {A: "Star", B: " Wars", C: "STAR WARS"}
    rules = TagRules(banned=frozenset({"star wars"}), spell=words.__getitem__)
    assert follow(rules, A, B, D) is None
    assert follow(rules, C, D) is None
    assert follow(rules, A, D) is not None


def test_the_first_tag_is_spelled_out_word_by_word():
    rules = TagRules(first_tag=(A, B, D))
    assert rules.allowed(rules.start()) == [A]
    assert rules.allowed(follow(rules, A)) == [B]
    assert rules.allowed(follow(rules, A, B)) == [D]
    assert rules.allowed(follow(rules, A, B, D)) is None
    assert rules.allowed(follow(rules, A, B, D, C, D)) is None


def test_the_trie_knows_how_a_tag_goes_on():
    trie = known(["A", "B"], ["A"], ["C", "A", "B"])
    assert trie.following([], {}) == ([A, C], False)
    assert trie.following(["A"], {}) == ([B], True)
    assert trie.following(["A", "B"], {}) == ([], True)
    assert trie.following(["C", "A"], {}) == ([B], False)
    assert trie.following(["B"], {}) == ([], False)


def test_a_word_has_a_number_in_the_questions_that_have_it():
    trie = known(["A"], ["没见过", "B"])
    assert trie.following([], {}) == ([A], False)
    assert trie.following([], {"没见过": 99, "别的": 100}) == ([A, 99], False)
    assert trie.following(["没见过"], {"没见过": 99}) == ([B], False)
    assert trie.following([], {}) == ([A], False)


def test_beams_at_one_beginning_share_their_list():
    rules = spelled(known_tags=known(["A", "B"], ["C"]))
    assert rules.allowed(rules.start()) is rules.allowed(follow(rules, C, D))
    assert rules.allowed(follow(rules, A)) is rules.allowed(follow(rules, C, D, A))


def test_known_tags_narrow_the_next_word():
    rules = spelled(known_tags=known(["A", "B"], ["A"], ["C", "B"]))
    assert rules.allowed(rules.start()) == [A, C, END]
    assert rules.allowed(follow(rules, A)) == [B, D]
    assert rules.allowed(follow(rules, C)) == [B]  # C alone is no tag
    assert rules.allowed(follow(rules, A, B)) == [D]
    assert rules.allowed(follow(rules, A, D)) == [A, C, END]


def test_a_known_tag_with_an_unknown_word_is_passed_over():
    rules = spelled(known_tags=known(["A", "没见过"], ["没见过"], ["B"]))
    assert rules.allowed(rules.start()) == [A, B, END]
    assert rules.allowed(follow(rules, A)) == []  # a dead end


def test_a_label_is_a_whole_tag():
    rules = TagRules(is_label=True, max_tags=2, drop_repeats=True)
    assert follow(rules, A, B) == Progress(done=((A,), (B,)))
    assert follow(rules, A, A) is None
    assert follow(rules, A, B, C) is None
    assert follow(rules, A, B, END) is not None


def test_label_rules_know_their_spelling():
    rules = TagRules(
        is_label=True,
        banned=frozenset({"b"}),
        first_tag=(C,),
        known_tags=known(["A"], ["B"]),
        spell=LETTERS.__getitem__,
    )
    assert rules.allowed(rules.start()) == [C]
    assert rules.allowed(follow(rules, C)) == [A, B, END]
    assert follow(rules, C, B) is None


# --- through the search --------------------------------------------------------------------------------------------

# Two tags, A and B, in either order or twice the same; the third tag is always C.
TWO_TAGS = {
    (): {A: 0.6, B: 0.4},
    (A,): {D: 1.0},
    (B,): {D: 1.0},
    (A, D): {A: 0.5, B: 0.3, END: 0.2},
    (B, D): {A: 0.5, B: 0.5},
    (A, D, A): {D: 1.0},
    (A, D, B): {D: 1.0},
    (B, D, A): {D: 1.0},
    (B, D, B): {D: 1.0},
    (A, D, A, D): {END: 1.0},
    (A, D, B, D): {END: 0.5, C: 0.5},
    (B, D, A, D): {END: 0.5, C: 0.5},
    (B, D, B, D): {END: 1.0},
    (A, D, B, D, C): {D: 1.0},
    (B, D, A, D, C): {D: 1.0},
    (A, D, B, D, C, D): {END: 1.0},
    (B, D, A, D, C, D): {END: 1.0},
}


def test_the_table_without_rules():
    assert search([TWO_TAGS], None, beam=8)[0] == [
        ((A, D, A, D), 0.3),
        ((B, D, B, D), 0.2),
        ((A, D), 0.12),
        ((B, D, A, D), 0.1),
        ((B, D, A, D, C, D), 0.1),
        ((A, D, B, D), 0.09),
        ((A, D, B, D, C, D), 0.09),
    ]


def test_search_with_max_tags_leaves_out_longer_lists():
    assert search([TWO_TAGS], [TagRules(max_tags=2)], beam=8)[0] == [
        ((A, D, A, D), 0.3),
        ((B, D, B, D), 0.2),
        ((A, D), 0.12),
        ((B, D, A, D), 0.1),
        ((A, D, B, D), 0.09),
    ]
    assert search([TWO_TAGS], [TagRules(max_tags=1)], beam=8)[0] == [((A, D), 0.12)]


def test_search_with_drop_repeats_leaves_out_repeated_tags_and_scales_nothing_up():
    assert search([TWO_TAGS], [TagRules(drop_repeats=True)], beam=8)[0] == [
        ((A, D), 0.12),
        ((B, D, A, D), 0.1),
        ((B, D, A, D, C, D), 0.1),
        ((A, D, B, D), 0.09),
        ((A, D, B, D, C, D), 0.09),
    ]


def test_a_dropped_hypothesis_does_not_make_place_for_junk():
    # After `A | A` the model is sure of the delimiter. Were that merely forbidden, `A | A C |` would be written in
    # its place, with a probability of 0.6 * 0.9 * 0.05 = 0.027.
    table = {
        (): {A: 0.6, B: 0.4},
        (A,): {D: 1.0},
        (B,): {D: 1.0},
        (A, D): {A: 0.9, END: 0.1},
        (B, D): {C: 0.9, END: 0.1},
        (A, D, A): {D: 0.95, C: 0.05},
        (A, D, A, C): {D: 1.0},
        (A, D, A, D): {END: 1.0},
        (A, D, A, C, D): {END: 1.0},
        (B, D, C): {D: 1.0},
        (B, D, C, D): {END: 0.01, A: 0.99},
        (B, D, C, D, A): {D: 1.0},
        (B, D, C, D, A, D): {END: 1.0},
    }
    assert search([table], [TagRules(drop_repeats=True)], beam=2)[0] == [
        ((B, D, C, D, A, D), 0.3564),  # 0.4 * 0.9 * 0.99
        ((A, D), 0.06),
    ]


def test_what_would_follow_a_dropped_hypothesis_takes_no_place_either():
    # `A | A |` is dropped with 0.6. Were it followed, `A | A | C` would be the best of the next prefixes.
    table = {
        (): {A: 0.6, B: 0.4},
        (A,): {D: 1.0},
        (B,): {D: 1.0},
        (A, D): {A: 1.0},
        (B, D): {C: 1.0},
        (A, D, A): {D: 1.0},
        (A, D, A, D): {C: 1.0},
        (B, D, C): {D: 1.0},
        (B, D, C, D): {A: 0.6, B: 0.4},
        (B, D, C, D, A): {D: 1.0},
        (B, D, C, D, B): {A: 1.0},
        (B, D, C, D, A, D): {END: 1.0},
        (B, D, C, D, B, A): {D: 1.0},
        (B, D, C, D, B, A, D): {END: 1.0},
    }
    assert search([table], [TagRules(drop_repeats=True)], beam=2)[0] == [
        ((B, D, C, D, A, D), 0.24),
        ((B, D, C, D, B, A, D), 0.16),
    ]


def test_a_rule_may_forbid_the_end():
    class NeverEmpty(TagRules):
        def advance(self, memory, symbol):
            return None if symbol == END and not memory.done else super().advance(memory, symbol)

    table = {(): {END: 0.8, A: 0.2}, (A,): {D: 1.0}, (A, D): {END: 1.0}}
    assert search([table], [NeverEmpty()], beam=2)[0] == [((A, D), 0.2)]


def test_search_never_completes_a_banned_tag():
    assert search([TWO_TAGS], [spelled(banned=frozenset({"a"}))], beam=8)[0] == [((B, D, B, D), 0.2)]
    assert search([TWO_TAGS], [spelled(banned=frozenset({"a", "b"}))], beam=8) == [[]]


def test_search_with_a_first_tag_begins_with_it():
    assert search([TWO_TAGS], [TagRules(first_tag=(B, D))], beam=8)[0] == [
        ((B, D, B, D), 0.2),
        ((B, D, A, D), 0.1),
        ((B, D, A, D, C, D), 0.1),
    ]


def test_an_impossible_first_tag_gives_an_empty_list():
    assert search([TWO_TAGS], [TagRules(first_tag=(C, D))], beam=8) == [[]]


def test_search_stays_inside_known_tags():
    rules = spelled(known_tags=known(["A"], ["B"]))
    assert search([TWO_TAGS], [rules], beam=8)[0] == [
        ((A, D, A, D), 0.3),
        ((B, D, B, D), 0.2),
        ((A, D), 0.12),
        ((B, D, A, D), 0.1),
        ((A, D, B, D), 0.09),
    ]


def test_search_survives_a_dead_end_among_known_tags():
    rules = spelled(known_tags=known(["A", "没见过"], ["B"]))
    assert search([TWO_TAGS], [rules], beam=8)[0] == [((B, D, B, D), 0.2)]
    assert search([TWO_TAGS], [spelled(known_tags=known(["没见过"]))], beam=8) == [[]]


def test_rules_combine():
    rules = spelled(
        max_tags=2, drop_repeats=True, banned=frozenset({"c"}), first_tag=(A, D), known_tags=known(["A"], ["B"])
    )
    assert search([TWO_TAGS], [rules], beam=8)[0] == [((A, D), 0.12), ((A, D, B, D), 0.09)]


def test_each_question_of_a_batch_has_its_own_rules():
    rules = [TagRules(), TagRules(first_tag=(B, D)), spelled(banned=frozenset({"a"})), TagRules(max_tags=1)]
    together = search([TWO_TAGS] * 4, rules, beam=8)
    assert together == [search([TWO_TAGS], [rule], beam=8)[0] for rule in rules]
    assert [len(found) for found in together] == [7, 3, 1, 1]


def test_search_over_labels():
    table = {(): {A: 0.7, B: 0.3}, (A,): {A: 0.5, B: 0.4, END: 0.1}, (A, A): {END: 1.0}, (A, B): {END: 0.5, C: 0.5}}
    table |= {(B,): {END: 1.0}, (A, B, C): {END: 1.0}}
    rules = TagRules(is_label=True, max_tags=2, drop_repeats=True)
    assert search([table], [rules], beam=8)[0] == [((B,), 0.3), ((A, B), 0.14), ((A,), 0.07)]
