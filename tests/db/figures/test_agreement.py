"""Expected values are worked out by hand in the comments, taken from print, or computed pair by pair in fractions."""

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from db.figures import agreement
from db.figures.agreement import Alpha, ModelAgreement, ModelAnswer, TagKappa
from db.messages import Message


def tags(letters: str = "") -> frozenset[str]:
    """`tags("ab")` is the set of the tags a and b."""
    return frozenset(letters)


def unit(*opinions: str) -> list[frozenset[str]]:
    return [tags(letters) for letters in opinions]


opinion_sets = st.frozensets(st.sampled_from("abcdef"), max_size=4)
unit_lists = st.lists(st.lists(opinion_sets, max_size=4), max_size=8)


def masi_by_definition(a: frozenset[str], b: frozenset[str]) -> Fraction:
    """The distance, written out case by case as in Passonneau (2006)."""
    if a == b:
        return Fraction(0)
    if not a & b:
        return Fraction(1)
    monotonicity = Fraction(2, 3) if a < b or b < a else Fraction(1, 3)
    return 1 - Fraction(len(a & b), len(a | b)) * monotonicity


def alpha_by_definition(units: list[list[frozenset[str]]]) -> tuple[Fraction, Fraction] | None:
    """Observed and expected disagreement, every ordered pair of opinions taken in turn, in exact fractions."""
    pairable = [opinions for opinions in units if len(opinions) > 1]
    everyone = [opinion for opinions in pairable for opinion in opinions]
    n = len(everyone)
    if not n:
        return None
    within = sum(
        Fraction(sum(masi_by_definition(a, b) for a, b in permutations(opinions, 2)), len(opinions) - 1)
        for opinions in pairable
    )
    overall = sum(masi_by_definition(a, b) for a, b in permutations(everyone, 2))
    return Fraction(within, n), Fraction(overall, n * (n - 1))


# MASI


@pytest.mark.parametrize(
    ("a", "b", "distance"),
    [
        ("ab", "ab", 0.0),
        ("ab", "abcd", 2 / 3),  # 1 - 2/4 * 2/3
        ("abc", "ab", 5 / 9),  # 1 - 2/3 * 2/3
        ("ab", "bc", 8 / 9),  # 1 - 1/3 * 1/3
        ("abcd", "bcde", 4 / 5),  # 1 - 3/5 * 1/3
        ("a", "b", 1.0),
        ("", "", 0.0),
        ("", "a", 1.0),
    ],
)
def test_masi_by_hand(a, b, distance):
    assert agreement.masi_distance(tags(a), tags(b)) == pytest.approx(distance, abs=1e-12)
    assert agreement.masi_similarity(tags(a), tags(b)) == pytest.approx(1 - distance, abs=1e-12)


@given(opinion_sets, opinion_sets)
def test_masi_is_a_symmetric_share_that_is_zero_for_equal_sets_only(a, b):
    distance = agreement.masi_distance(a, b)
    assert 0 <= distance <= 1
    assert distance == agreement.masi_distance(b, a)
    assert (distance == 0) == (a == b)
    assert distance == pytest.approx(float(masi_by_definition(a, b)), abs=1e-12)


# Krippendorff's alpha


def test_alpha_by_hand():
    units = [unit("a", "a"), unit("bc", "b"), unit("d", "d", "e"), unit("z"), []]
    # Pairable: 3 questions, n = 2 + 2 + 3 = 7 opinions; the lone {z} does not count.
    # Within: question 1: 0. Question 2: {b,c} and {b} are 2/3 apart, two ordered pairs: 4/3, over m - 1 = 1: 4/3.
    # Question 3: {d} and {e} are 1 apart, four ordered pairs: 4, over m - 1 = 2: 2.  Observed = (4/3 + 2) / 7 = 10/21.
    # Of 7 * 6 = 42 ordered pairs, 2 ({a}) and 2 ({d}) are at 0, 2 at 2/3 and 36 at 1: 112/3.  Expected = 112/126 = 8/9.
    # alpha = 1 - 10/21 * 9/8 = 13/28
    alpha = agreement.krippendorff_alpha(units)
    assert (alpha.units, alpha.opinions, alpha.sampled, alpha.reason) == (3, 7, False, None)
    assert alpha.observed == pytest.approx(10 / 21)
    assert alpha.expected == pytest.approx(8 / 9)
    assert alpha.value == pytest.approx(13 / 28)


# Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), part C: four observers (rows), twelve units.
KRIPPENDORFF = ["123321412...", "1233224125.3", ".3332342251.", "12332441251."]  # a dot: no value
KRIPPENDORFF_UNITS = [
    [frozenset([value]) for value in column if value != "."] for column in zip(*KRIPPENDORFF, strict=True)
]


def test_alpha_of_one_tag_each_is_the_published_nominal_alpha():
    # Sets of one tag are 0 or 1 apart, as nominal values are. The twelfth unit has one value and is left out: n = 40.
    alpha = agreement.krippendorff_alpha(KRIPPENDORFF_UNITS)
    assert (alpha.units, alpha.opinions) == (11, 40)
    assert alpha.value == pytest.approx(0.743, abs=5e-4)
    observed, expected = alpha_by_definition(KRIPPENDORFF_UNITS)
    assert float(1 - observed / expected) == pytest.approx(0.743, abs=5e-4)


def test_alpha_takes_another_distance():
    def interval(a: frozenset[str], b: frozenset[str]) -> float:
        return float((int(min(a)) - int(min(b))) ** 2)

    # The same data with interval differences: 0.849 in print.
    alpha = agreement.krippendorff_alpha(KRIPPENDORFF_UNITS, interval)
    assert alpha.value == pytest.approx(0.849, abs=5e-4)
    assert not alpha.sampled


def test_perfect_agreement_on_different_questions_is_one():
    assert agreement.krippendorff_alpha([unit("ab", "ab"), unit("c", "c", "c"), unit("", "")]).value == 1.0


def test_systematic_disagreement_is_below_zero():
    # Observed 1; of 12 ordered pairs 4 are equal: expected 8/12; alpha = 1 - 3/2
    assert agreement.krippendorff_alpha([unit("a", "b"), unit("a", "b")]).value == pytest.approx(-0.5)


@pytest.mark.parametrize("units", [[], [[]], [unit("a"), unit("b")]])
def test_alpha_without_two_opinions_on_any_question_is_undefined(units):
    assert agreement.krippendorff_alpha(units) == Alpha(None, None, None, 0, 0, reason=Message("agreement.no_pairs"))


@pytest.mark.parametrize("letters", ["ab", ""])
def test_alpha_without_variation_is_undefined(letters):
    alpha = agreement.krippendorff_alpha([unit(letters, letters), unit(letters, letters), unit("z")])
    assert alpha.value is None
    assert (alpha.observed, alpha.expected, alpha.units, alpha.opinions) == (0, 0, 2, 4)
    assert str(alpha.reason) == "no two opinions differ: without variation alpha is undefined"


@given(unit_lists)
@example([unit("", "a"), unit("", "")])
@settings(max_examples=200, deadline=None)
def test_alpha_equals_the_quadratic_definition(units):
    alpha = agreement.krippendorff_alpha(iter(units))
    wanted = alpha_by_definition(units)
    if wanted is None:
        assert (alpha.value, alpha.observed, alpha.expected) == (None, None, None)
        return
    observed, expected = wanted
    assert alpha.observed == pytest.approx(float(observed), abs=1e-12)
    assert alpha.expected == pytest.approx(float(expected), abs=1e-12)
    if expected:
        assert alpha.value == pytest.approx(float(1 - observed / expected), abs=1e-9)
    else:
        assert observed == 0
        assert alpha.value is None


@given(unit_lists)
@settings(deadline=None)
def test_comparing_only_sets_that_share_a_tag_equals_comparing_all(units):
    def compare_all(a: frozenset[str], b: frozenset[str]) -> float:  # not known to be 1 for disjoint sets: no short cut
        return agreement.masi_distance(a, b)

    sparse, plain = agreement.krippendorff_alpha(units), agreement.krippendorff_alpha(units, compare_all)
    assert sparse.expected == pytest.approx(plain.expected, abs=1e-12)
    assert sparse.value == pytest.approx(plain.value, abs=1e-9)


@given(unit_lists, st.randoms(use_true_random=False))
@settings(deadline=None)
def test_alpha_is_the_same_to_the_last_bit_in_any_order(units, generator):
    shuffled = [generator.sample(opinions, len(opinions)) for opinions in units]
    generator.shuffle(shuffled)
    assert agreement.krippendorff_alpha(shuffled) == agreement.krippendorff_alpha(units)


def test_many_opinions_are_compared_exactly():
    # 10,000 distinct sets {own i, pair i // 2}. Each of 5,000 questions gets the two sets of one pair, and so does a
    # second question: n = 20,000 opinions. Two sets of a pair share 1 of 3 tags: 1 - 1/3 * 1/3 = 8/9 apart.
    sets = [frozenset([f"own {i}", f"pair {i // 2}"]) for i in range(10_000)]
    units = 2 * [[sets[i], sets[i + 1]] for i in range(0, 10_000, 2)]
    alpha = agreement.krippendorff_alpha(units)
    assert (alpha.units, alpha.opinions, alpha.sampled) == (10_000, 20_000, False)
    assert alpha.observed == pytest.approx(8 / 9)
    # Each set comes twice: 20,000 ordered pairs at 0. Each pair of sets makes 2 * 2 * 2 ordered pairs at 8/9, 40,000 in
    # all, so they lack 1/9 each. All the others are at 1.
    everyone = 20_000 * 19_999
    assert alpha.expected == pytest.approx((everyone - 20_000 - 40_000 / 9) / everyone, rel=1e-12)


@pytest.fixture(scope="module")
def crowded_units() -> list[list[frozenset[str]]]:
    """400 questions of two opinions, from 30 tags of which a few are in most sets."""
    generator = random.Random(7)
    names = [str(i) for i in range(30)]
    weights = [1 / (i + 1) for i in range(30)]

    def draw() -> frozenset[str]:
        return frozenset(generator.choices(names, weights, k=generator.randint(1, 5)))

    return [[draw(), draw()] for _ in range(400)]


def test_above_the_budget_pairs_are_sampled_always_the_same(crowded_units):
    exact = agreement.krippendorff_alpha(crowded_units)
    sampled = agreement.krippendorff_alpha(crowded_units, pair_budget=0)
    assert (exact.sampled, sampled.sampled) == (False, True)
    assert sampled.observed == exact.observed
    assert sampled.expected == pytest.approx(exact.expected, abs=5 * 0.0011)  # five standard errors
    assert sampled.expected != exact.expected
    assert sampled == agreement.krippendorff_alpha(crowded_units, pair_budget=0)


def test_sets_that_share_many_tags_are_compared_pair_by_pair():
    # Ten tags shared by 4 distinct sets: 10 * 6 visits by tag, but only 6 pairs of sets.
    sets = [tags("0123456789" + own) for own in "abcd"]
    units = [[sets[0], sets[1]], [sets[2], sets[3]]]
    by_pairs = agreement.krippendorff_alpha(units, pair_budget=6)
    assert not by_pairs.sampled
    # 10 of 12 tags shared: 1 - 10/12 * 1/3 = 13/18 apart, all of them, within questions and across
    assert by_pairs.observed == pytest.approx(13 / 18)
    assert by_pairs.expected == pytest.approx(13 / 18)
    assert agreement.krippendorff_alpha(units, pair_budget=5).sampled


# Kappa


@pytest.mark.parametrize(
    ("both", "first_only", "second_only", "neither", "kappa"),
    [
        (20, 5, 10, 15, 0.4),  # observed 35/50, chance 1/2 * 3/5 + 1/2 * 2/5 = 1/2
        (45, 15, 25, 15, 0.06 / 0.46),  # observed 0.6, chance 0.6 * 0.7 + 0.4 * 0.3 = 0.54
        (25, 35, 5, 35, 0.14 / 0.54),  # observed 0.6, chance 0.6 * 0.3 + 0.4 * 0.7 = 0.46
        (3, 0, 0, 2, 1.0),
        (0, 5, 5, 0, -1.0),
        (0, 4, 0, 0, 0.0),  # one always says yes, the other no: chance foretells all of it
        (4, 0, 0, 0, None),
        (0, 0, 0, 4, None),
        (0, 0, 0, 0, None),
    ],
)
def test_cohen_kappa_by_hand(both, first_only, second_only, neither, kappa):
    pairs = both * [(True, True)] + first_only * [(True, False)] + second_only * [(False, True)]
    value = agreement.cohen_kappa(iter(pairs + neither * [(False, False)]))
    assert value == (None if kappa is None else pytest.approx(kappa))


def test_kappa_per_tag_by_hand():
    units = [unit("ac", "a"), unit("ab", "abc", "b"), unit("a", "a"), unit("z"), unit()]
    # N = 3 questions, M = 7 opinions, M - N = 4; {z} alone does not count.
    # a: x of m = 2/2, 2/3, 2/2: sum 2 * 1 / 3 = 2/3; p = 6/7; 4 * 6/49 = 24/49; kappa = 1 - 2/3 * 49/24 = -13/36
    # b: 0/2, 3/3, 0/2: sum 0; kappa = 1
    # c: 1/2, 1/3, 0/2: sum 1/2 + 2/3 = 7/6; p = 2/7; 4 * 10/49 = 40/49; kappa = 1 - 7/6 * 49/40 = -103/240
    assert agreement.kappa_per_tag(iter(units)) == [
        TagKappa("a", pytest.approx(-13 / 36), positive=6, questions=3),
        TagKappa("b", 1.0, positive=3, questions=1),
        TagKappa("c", pytest.approx(-103 / 240), positive=2, questions=2),
    ]


def test_kappa_of_a_tag_in_every_opinion_is_undefined():
    assert agreement.kappa_per_tag([unit("ab", "a"), unit("a", "ab")]) == [
        TagKappa("a", None, positive=4, questions=2),
        TagKappa("b", pytest.approx(-1.0), positive=2, questions=2),  # 1 - (1/2 + 1/2) / (2 * 1/4)
    ]
    assert agreement.kappa_per_tag([unit("a"), unit("", ""), []]) == []


def test_tags_used_equally_often_are_in_order_of_name():
    assert [row.tag for row in agreement.kappa_per_tag([unit("b", "ca"), unit("d", "d")])] == ["d", "a", "b", "c"]


def test_kappa_per_tag_reproduces_the_published_example():
    # Fleiss, Levin and Paik (2003), chapter 18, also in the manual of Stata's `kappa`: 25 subjects, 81 ratings, 46 of
    # them positive; kappa 0.5415. A line is (raters, positive).
    subjects = [(2, 2), (2, 0), (3, 2), (4, 3), (3, 3), (4, 1), (3, 0), (5, 0), (2, 0), (4, 4), (5, 5), (3, 3), (4, 4)]
    subjects += [(4, 3), (2, 0), (2, 2), (3, 1), (2, 1), (4, 1), (5, 4), (3, 2), (4, 0), (3, 0), (3, 3), (2, 2)]
    units = [positive * [tags("a")] + (raters - positive) * [tags()] for raters, positive in subjects]
    (row,) = agreement.kappa_per_tag(units)
    assert row.positive == 46
    assert row.kappa == pytest.approx(0.5415, abs=5e-5)


def ratings_of(tag: str, units: list[list[frozenset[str]]]) -> list[list[bool]]:
    return [[tag in opinion for opinion in opinions] for opinions in units if len(opinions) > 1]


@given(unit_lists)
@settings(deadline=None)
def test_kappa_per_tag_equals_the_mean_squares_within_and_between_questions(units):
    """The same coefficient from its other definition, tag by tag over all questions, in exact fractions."""
    rows = agreement.kappa_per_tag(units)
    pairable = [opinions for opinions in units if len(opinions) > 1]
    positive = Counter(tag for opinions in pairable for opinion in opinions for tag in opinion)
    assert [row.tag for row in rows] == sorted(positive, key=lambda tag: (-positive[tag], tag))
    for row in rows:
        ratings = ratings_of(row.tag, units)
        mean_raters = Fraction(sum(map(len, ratings)), len(ratings))
        p = Fraction(sum(map(sum, ratings)), sum(map(len, ratings)))
        between = sum(Fraction((sum(r) - len(r) * p) ** 2, len(r)) for r in ratings) / len(ratings)
        within = sum(sum((x - Fraction(sum(r), len(r))) ** 2 for x in r) for r in ratings)
        within /= len(ratings) * (mean_raters - 1)
        assert (row.positive, row.questions) == (positive[row.tag], sum(map(any, ratings)))
        if p == 1:
            assert row.kappa is None
        else:
            kappa = (between - within) / (between + (mean_raters - 1) * within)
            assert row.kappa == pytest.approx(float(kappa), abs=1e-9)


@given(st.integers(2, 4).flatmap(lambda m: st.lists(st.lists(opinion_sets, min_size=m, max_size=m), max_size=6)))
@settings(deadline=None)
def test_with_the_same_number_of_opinions_everywhere_it_is_fleiss_kappa(units):
    """Agreeing pairs of opinions counted one by one; with two opinions a question this is Scott's pi."""
    for row in agreement.kappa_per_tag(units):
        ratings = ratings_of(row.tag, units)
        pairs = [x == y for r in ratings for x, y in combinations(r, 2)]
        p = Fraction(sum(map(sum, ratings)), sum(map(len, ratings)))
        observed, chance = Fraction(sum(pairs), len(pairs)), p**2 + (1 - p) ** 2
        if chance == 1:
            assert row.kappa is None
        else:
            assert row.kappa == pytest.approx(float((observed - chance) / (1 - chance)), abs=1e-9)


# People against the model

ANSWERS = [
    ModelAnswer(tags("abc"), accepted=tags("ab"), rejected=tags("c"), added=tags("d")),
    ModelAnswer(tags("ab"), accepted=tags("a"), unjudged=tags("b"), pick="random"),
    ModelAnswer(tags("xy"), added=tags("xz"), unjudged=tags("xy"), blind=True, pick="random"),
]


def test_the_model_by_hand():
    result = agreement.human_against_model(iter(ANSWERS))
    # Suggested 3 + 2 + 2 = 7; of them labels: a, b; a; x unseen = 4; labels not suggested: d, z = 2.
    assert (result.answers, result.blind, result.suggested, result.matched, result.added) == (3, 1, 7, 4, 2)
    assert result.precision == pytest.approx(4 / 7)
    assert result.recall == pytest.approx(4 / 6)
    # Verdicts on what was shown, so without the blind answer: 3 accepted, 1 rejected, 1 unjudged.
    assert (result.accepted, result.rejected, result.unjudged) == (3, 1, 1)
    assert result.acceptance_of_shown == pytest.approx(3 / 5)
    assert result.acceptance_of_judged == pytest.approx(3 / 4)
    assert result.unjudged_share == pytest.approx(1 / 5)
    # {a,b,c} and {a,b,d}: 2/4 * 1/3 = 1/6; {a,b} and {a}: 1/2 * 2/3 = 1/3; {x,y} and {x,z}: 1/3 * 1/3 = 1/9
    assert result.similarity == pytest.approx((1 / 6 + 1 / 3 + 1 / 9) / 3)


def test_random_picks_are_measured_apart():
    unbiased = agreement.human_against_model(ANSWERS).unbiased
    # The last two answers: suggested 4, of them labels a and x; added z; shown: a accepted, b unjudged.
    assert unbiased == ModelAgreement(
        answers=2,
        blind=1,
        suggested=4,
        matched=2,
        added=1,
        accepted=1,
        rejected=0,
        unjudged=1,
        similarity=pytest.approx((1 / 3 + 1 / 9) / 2),
    )
    assert (unbiased.precision, unbiased.recall) == (0.5, pytest.approx(2 / 3))
    assert agreement.human_against_model(ANSWERS[:1]).unbiased is None


def test_nothing_to_divide_by_is_none():
    nothing = agreement.human_against_model([])
    assert nothing == ModelAgreement(0, 0, 0, 0, 0, 0, 0, 0, similarity=None)
    assert (nothing.acceptance_of_shown, nothing.acceptance_of_judged) == (None, None)
    assert (nothing.precision, nothing.recall, nothing.unjudged_share) == (None, None, None)
    silent = agreement.human_against_model([ModelAnswer(tags(), added=tags("a"))])
    assert (silent.acceptance_of_shown, silent.precision, silent.recall, silent.similarity) == (None, None, 0.0, 0.0)


def test_a_blind_answer_counts_alike_however_its_labels_are_kept():
    as_added = ModelAnswer(tags("ab"), added=tags("ac"), blind=True)
    as_accepted = ModelAnswer(tags("ab"), accepted=tags("a"), added=tags("c"), blind=True)
    assert agreement.human_against_model([as_added]) == agreement.human_against_model([as_accepted])
