"""How far people agree with one another, and with the model, on the tags of a question.

Plain values in, plain values out: an opinion is the set of tags one person gave a question, spelled or numbered so that
equal tags are equal strings; a unit is all the opinions on one question. Rates are fractions, and None where there is
nothing to divide by: no data is not the same as no agreement.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from math import comb, fsum
from statistics import fmean

from db.figures.rate import JUDGED, SHOWN, Rate
from db.ledger.similarity import Tags, masi_of_sizes, masi_similarity
from db.messages import Message

PAIR_BUDGET = 5_000_000  # with more pairs to compare, a few seconds' work, expected disagreement is sampled
SAMPLED_PAIRS = 200_000  # standard error of the sampled expected disagreement: at most 0.5 / sqrt(200,000) = 0.0011
SEED = 2018

Distance = Callable[[Tags, Tags], float]  # symmetric, 0 for equal sets


def masi_distance(a: Tags, b: Tags) -> float:
    """1 - MASI similarity."""
    return 1.0 - masi_similarity(a, b)


@dataclass(frozen=True)
class Alpha:
    """Krippendorff's alpha, and what it was computed from.

    1 is perfect agreement, 0 what chance would give, below 0 systematic disagreement. `value` is None, and `reason`
    says why, if no question has two opinions, or if all opinions are equal: without variation alpha is undefined, for
    nothing shows that people would have told questions apart.
    """

    value: float | None
    observed: float | None  # mean distance of opinions on the same question; None without pairable opinions
    expected: float | None  # mean distance of any two opinions
    units: int  # questions with at least two opinions
    opinions: int  # on these questions
    sampled: bool = False  # `expected` was estimated from SAMPLED_PAIRS pairs, always the same ones
    reason: Message | None = None


def krippendorff_alpha(
    units: Iterable[Sequence[Tags]], distance: Distance = masi_distance, *, pair_budget: int = PAIR_BUDGET
) -> Alpha:
    """alpha = 1 - observed / expected disagreement, over the questions with at least two opinions (the pairable ones).

    With m opinions on a question and n pairable opinions in all, sums running over ordered pairs:
    observed = 1/n * sum over questions of (sum of distances within the question) / (m - 1);
    expected = (sum of distances of all n * (n - 1) pairs, whatever their questions) / (n * (n - 1)).
    """
    counts: Counter[Tags] = Counter()
    pairable, disagreements = 0, []
    for unit in units:
        if len(unit) < 2:
            continue
        pairable += 1
        counts.update(unit)
        disagreements.append(_sum_all_pairs(Counter(unit), distance) / (len(unit) - 1))
    n = counts.total()
    if not pairable:
        return Alpha(None, None, None, 0, 0, reason=Message("agreement.no_pairs"))
    total, sampled = _sum_distances(counts, distance, pair_budget)
    observed, expected = fsum(disagreements) / n, total / (n * (n - 1))
    if expected == 0:
        return Alpha(None, observed, expected, pairable, n, sampled, Message("agreement.no_variation"))
    return Alpha(1 - observed / expected, observed, expected, pairable, n, sampled)


def cohen_kappa(pairs: Iterable[tuple[bool, bool]]) -> float | None:
    """Agreement of the same two people on yes or no beyond chance: (observed - chance) / (1 - chance).

    Chance is what their own shares of yes would give. None without pairs, or if both always said the same one thing.
    """
    table = Counter((bool(first), bool(second)) for first, second in pairs)
    n = table.total()
    agreed = table[True, True] + table[False, False]
    first, second = table[True, True] + table[True, False], table[True, True] + table[False, True]
    by_chance = first * second + (n - first) * (n - second)  # times 1 / n^2; whole numbers, so the test below is exact
    return _share(n * agreed - by_chance, n * n - by_chance)


@dataclass(frozen=True)
class TagKappa:
    """Agreement on one tag: is it a tag of the question or not?"""

    tag: str
    kappa: float | None  # None if every opinion holds the tag
    positive: int  # opinions that hold the tag
    questions: int  # questions where anyone used it


def kappa_per_tag(units: Iterable[Sequence[Tags]]) -> list[TagKappa]:
    """Kappa of every tag over the questions with at least two opinions; the most used first, then by tag.

    The people may differ from question to question, in name and number, so this is Fleiss' kappa as generalised by
    Fleiss and Cuzick (1979) for yes or no. With x of m opinions on a question holding the tag, N questions, M opinions
    in all and p the share of opinions that hold the tag:
    kappa = 1 - sum over questions of x * (m - x) / m, divided by (M - N) * p * (1 - p).
    With the same m everywhere it is Fleiss' kappa, with two opinions everywhere Scott's pi. Questions where nobody used
    the tag add nothing to the sum, so the work grows with the tags given, not with tags times questions.
    """
    questions = opinions = 0
    positive: Counter[str] = Counter()
    used: Counter[str] = Counter()
    split: dict[str, float] = {}
    for unit in units:
        m = len(unit)
        if m < 2:
            continue
        questions += 1
        opinions += m
        for tag, x in Counter(chain.from_iterable(unit)).items():
            positive[tag] += x
            used[tag] += 1
            split[tag] = split.get(tag, 0.0) + x * (m - x) / m

    def kappa(tag: str, x: int) -> float | None:
        chance = (opinions - questions) * x * (opinions - x) / opinions**2
        return 1 - split[tag] / chance if chance else None

    ranked = sorted(positive.items(), key=lambda item: (-item[1], item[0]))
    return [TagKappa(tag, kappa(tag, x), x, used[tag]) for tag, x in ranked]


@dataclass(frozen=True)
class ModelAnswer:
    """What one person made of the model's suggestions for one question.

    A shown suggestion is accepted, rejected or left unjudged. In a blind answer the suggestions were kept but not
    shown: the person's tags are their own, and no suggestion was judged.
    """

    suggested: Tags
    accepted: Tags = frozenset()
    rejected: Tags = frozenset()
    added: Tags = frozenset()
    unjudged: Tags = frozenset()
    blind: bool = False
    pick: str = "ordered"  # why the question was served: ordered, random, blind, direct

    @property
    def labels(self) -> Tags:
        return self.accepted | self.added


@dataclass(frozen=True)
class ModelAgreement:
    """How the model's suggestions fared with people, counted in tags over all answers."""

    answers: int
    blind: int  # answers given without seeing the suggestions
    suggested: int
    matched: int  # suggestions that ended as labels: accepted, or chosen unseen in a blind answer
    added: int  # labels the model did not suggest
    accepted: int  # this and the next two: verdicts on suggestions that were shown
    rejected: int
    unjudged: int
    similarity: float | None  # mean MASI similarity of the suggestions and the labels, each answer weighing the same
    # The same over questions picked at random; None if there are none. The others were picked for a reason, such as the
    # model's own doubt, and so are a biased sample of its quality.
    unbiased: "ModelAgreement | None" = None

    @property
    def rate(self) -> Rate:
        return Rate(self.accepted, self.rejected, self.unjudged)

    @property
    def acceptance_of_shown(self) -> float | None:
        return self.rate.share(SHOWN)

    @property
    def acceptance_of_judged(self) -> float | None:
        return self.rate.share(JUDGED)

    @property
    def precision(self) -> float | None:
        """Of all suggestions, judged or not, the share that ended as labels."""
        return _share(self.matched, self.suggested)

    @property
    def recall(self) -> float | None:
        """Of all labels, the share the model had suggested."""
        return _share(self.matched, self.matched + self.added)

    @property
    def unjudged_share(self) -> float | None:
        """Of the suggestions that were shown, the share nobody judged."""
        return _share(self.unjudged, self.rate.of(SHOWN))


def human_against_model(rows: Iterable[ModelAnswer]) -> ModelAgreement:
    """Compare the model's suggestions with what people decided, over all answers and over random picks alone."""
    answers = list(rows)
    at_random = [answer for answer in answers if answer.pick == "random"]
    return _compare(answers, _compare(at_random) if at_random else None)


def _compare(answers: Sequence[ModelAnswer], unbiased: ModelAgreement | None = None) -> ModelAgreement:
    shown = [answer for answer in answers if not answer.blind]
    return ModelAgreement(
        answers=len(answers),
        blind=len(answers) - len(shown),
        suggested=sum(len(answer.suggested) for answer in answers),
        matched=sum(len(answer.suggested & answer.labels) for answer in answers),
        added=sum(len(answer.labels - answer.suggested) for answer in answers),
        accepted=sum(len(answer.accepted) for answer in shown),
        rejected=sum(len(answer.rejected) for answer in shown),
        unjudged=sum(len(answer.unjudged) for answer in shown),
        similarity=fmean(masi_similarity(answer.suggested, answer.labels) for answer in answers) if answers else None,
        unbiased=unbiased,
    )


def _sum_distances(counts: Counter[Tags], distance: Distance, budget: int) -> tuple[float, bool]:
    """The sum of distances over all ordered pairs of opinions, and whether it was estimated.

    Equal opinions are counted, not compared, and sets that share no tag are known to be at MASI distance 1. If what is
    left to compare is still above the budget, the sum is estimated from pairs drawn with a fixed seed.
    """
    if distance is masi_distance:
        holders = Counter(chain.from_iterable(counts))  # distinct sets a tag is in
        if sum(comb(held, 2) for held in holders.values()) <= budget:
            unequal = counts.total() ** 2 - sum(count * count for count in counts.values())
            return unequal - 2 * fsum(_similarities(counts)), False
    if comb(len(counts), 2) <= budget:
        return _sum_all_pairs(counts, distance), False
    generator = random.Random(SEED)
    first, second = (generator.choices(list(counts), list(counts.values()), k=SAMPLED_PAIRS) for _ in range(2))
    # An opinion may be drawn with itself, at distance 0: the mean is that of n * n pairs, and so is the sum.
    return counts.total() ** 2 * fmean(map(distance, first, second)), True


def _sum_all_pairs(counts: Counter[Tags], distance: Distance) -> float:
    pairs = combinations(counts.items(), 2)
    return 2 * fsum(count_a * count_b * distance(a, b) for (a, count_a), (b, count_b) in pairs)


def _similarities(counts: Counter[Tags]) -> Iterator[float]:
    """Count times count times MASI similarity of every two distinct sets that share a tag, each pair once."""
    holders: dict[str, list[int]] = {}  # positions of the earlier sets that hold a tag
    sizes, weights = [len(tags) for tags in counts], list(counts.values())
    for position, tags in enumerate(counts):
        shared: Counter[int] = Counter()
        for tag in tags:
            earlier = holders.setdefault(tag, [])
            shared.update(earlier)
            earlier.append(position)
        size, weight = sizes[position], weights[position]
        for other, common in shared.items():
            yield weight * weights[other] * masi_of_sizes(common, size, sizes[other])


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
