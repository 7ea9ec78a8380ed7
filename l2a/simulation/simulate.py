"""The learning curve: a simulated moderator answers questions in random order, and is stopped at some counts.

At each count the test questions are ranked with what is known by then. No weight of the network changes: every question
is decoded once (`decodings`), and ranked again as often as it is needed.
"""

import json
import random
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import Any

from tqdm import tqdm

from l2a.bulk.json_lines import json_line
from l2a.data.questions import Question
from l2a.errors import InputError, SettingsError
from l2a.evidence.memory.decisions import DecidedQuestion
from l2a.measure.metrics import TagLists, nlpcc_score
from l2a.ranking.knowledge import Knowledge
from l2a.simulation.decodings import FILE, Decodings
from l2a.simulation.keys import TagSearch, keys_with, keys_without
from l2a.simulation.peers import Peers, ensure_installed
from l2a.simulation.stream import Asked, answer_all
from l2a.tagger import Tagger
from l2a.text.cleaning import match_key

OURS = "L2A"
POINTS = "points.jsonl"


@dataclass(frozen=True)
class Plan:
    """What is simulated."""

    at: Sequence[int]  # decisions after which the test questions are answered; 0 is the start
    seeds: Sequence[int] = (1,)  # an order of the decisions each
    beam: int | None = None  # None: the model's
    listed: Sequence[str] = ()  # tags that the search for tags knows besides the model's and those decided
    with_peers: bool = False

    def counts(self, available: int) -> list[int]:
        """Ascending, each once; raises an error for what there are not questions enough for."""
        for count in self.at:
            if count < 0:
                raise SettingsError("settings.no_whole_number", name="at", value=count, low=0, high=available)
            if count > available:
                raise InputError("simulate.too_few", found=available, wanted=count)
        return sorted(set(self.at))


@dataclass(frozen=True)
class Point:
    """How well a method answers the test questions after so many decisions."""

    method: str
    seed: int
    decisions: int
    precision: float
    recall: float
    f1: float
    more: Mapping[str, Any] = field(default_factory=dict)  # `seconds` a decision, `keys`, what a peer chose

    @classmethod
    def of(cls, method: str, seed: int, decisions: int, kept: TagLists, test: Sequence[Asked], **more: Any) -> "Point":
        score = nlpcc_score(kept, [asked.question.tags for asked in test])
        return cls(method, seed, decisions, score.precision, score.recall, score.f1, more)

    def to_dict(self) -> dict[str, Any]:
        values = asdict(self)
        more = values.pop("more")
        return {**values, **more}


@dataclass(frozen=True)
class Moment:
    """What is known after so many decisions."""

    knowledge: Knowledge
    decided: Sequence[DecidedQuestion]
    seconds: float  # of each decision since the moment before: the question is ranked, and what was decided is learned


@dataclass(frozen=True)
class Simulation:
    """Questions that were read and decoded, to be answered in several orders."""

    tagger: Tagger
    questions: Sequence[Asked]  # that some order needs
    orders: Mapping[int, Sequence[int]]  # seed -> places among the questions
    test: Sequence[Asked]
    counts: Sequence[int]
    quiet: bool = False

    def moments(self, seed: int) -> Iterator[Moment]:
        """One stop at each count; what a moment knows grows as the next one is asked for."""
        knowledge = self.tagger.new_knowledge()
        assert knowledge is not None  # `prepare` refuses a model without a ranker
        stream = [self.questions[place] for place in self.orders[seed]]
        turns = answer_all(self.tagger, knowledge, stream)
        decided: list[DecidedQuestion] = []
        with tqdm(total=len(stream), desc=f"deciding (seed {seed})", unit=" questions", disable=self.quiet) as bar:
            for count in self.counts:
                begun, more = time.perf_counter(), count - len(decided)
                for turn in islice(turns, more):
                    decided.append(turn.decided)
                    bar.update()
                yield Moment(knowledge, decided, (time.perf_counter() - begun) / more if more else 0.0)


def prepare(
    tagger: Tagger,
    learn: Sequence[Question],
    test: Sequence[Question],
    folder: Path,
    plan: Plan,
    *,
    model: str | None = None,
    processes: int = 1,
    quiet: bool = False,
) -> Simulation:
    """Choose the orders, decode what they need and what `folder` does not have yet, and cut it into words.

    learn, test: questions with their right tags. model: the tagger's folder, where several processes are to decode.
    """
    if tagger.prior is None:
        raise SettingsError("simulate.no_ranker")
    beam = tagger.settings_with(plan.beam).beam
    counts = plan.counts(len(learn))
    drawn = {seed: order_of(len(learn), seed)[: max(counts, default=0)] for seed in plan.seeds}
    needed = sorted({place for places in drawn.values() for place in places})
    now_at = {place: at for at, place in enumerate(needed)}
    questions = [learn[place] for place in needed]
    folder.mkdir(parents=True, exist_ok=True)
    decodings = Decodings(tagger, beam, folder / FILE)
    decodings.find([*test, *questions], model=model, processes=processes, quiet=quiet)
    asked = list(decodings.ask(tqdm([*questions, *test], desc="reading", unit=" questions", disable=quiet)))
    return Simulation(
        tagger,
        asked[: len(questions)],
        {seed: [now_at[place] for place in places] for seed, places in drawn.items()},
        asked[len(questions) :],
        counts,
        quiet,
    )


def order_of(count: int, seed: int) -> list[int]:
    """So many questions in the random order of the seed; with more decisions the first ones stay the same."""
    places = list(range(count))
    random.Random(seed).shuffle(places)
    return places


def simulate(
    tagger: Tagger,
    learn: Sequence[Question],
    test: Sequence[Question],
    folder: Path,
    plan: Plan,
    *,
    model: str | None = None,
    processes: int = 1,
    quiet: bool = False,
) -> list[Point]:
    """As `prepare`; then every order is simulated. Answers and points are written to the folder as they come."""
    if plan.with_peers:
        ensure_installed()  # before anything that takes long
    simulation = prepare(tagger, learn, test, folder, plan, model=model, processes=processes, quiet=quiet)
    peers = peers_of(simulation) if plan.with_peers else None
    points: list[Point] = []
    with (folder / POINTS).open("w", encoding="utf-8") as stream:
        for point in _points(simulation, folder, plan, peers):
            points.append(point)
            print(json.dumps(point.to_dict()), file=stream, flush=True)
    return points


def peers_of(simulation: Simulation) -> Peers:
    words, test = ([asked.read.prepared.words for asked in some] for some in (simulation.questions, simulation.test))
    return Peers(words, [asked.question.tags for asked in simulation.questions], test)


def _points(simulation: Simulation, folder: Path, plan: Plan, peers: Peers | None) -> Iterator[Point]:
    for seed, order in simulation.orders.items():
        own = folder / f"seed-{seed}" if len(simulation.orders) > 1 else folder
        own.mkdir(exist_ok=True)
        for moment in simulation.moments(seed):
            decisions = len(moment.decided)
            yield our_point(simulation, seed, moment, own / f"at-{decisions}.jsonl", plan.listed)
            if peers is not None and decisions:
                for name, answer in peers.answer(order[:decisions]).items():
                    more = {"seconds": answer.seconds, "chosen": answer.chosen}
                    yield Point.of(name, seed, decisions, answer.tags, simulation.test, **more)


def our_point(simulation: Simulation, seed: int, moment: Moment, path: Path, listed: Iterable[str] = ()) -> Point:
    """The test questions are ranked with what is known now, and the answers written to `path`."""
    knowledge, decisions = moment.knowledge, len(moment.decided)
    given = Counter(match_key(tag) for decided in moment.decided for tag in decided.tags)
    search = TagSearch(simulation.tagger.frequencies, given, listed)
    cut = knowledge.ranker.cut  # fitted here, where it counts to no question
    kept: list[list[str]] = []
    with_suggestions: list[int] = []
    without: list[int] = []
    spent = 0.0
    bar = tqdm(simulation.test, desc=f"testing (at {decisions})", leave=False, disable=simulation.quiet)
    with path.open("w", encoding="utf-8") as out:
        for asked in bar:
            begun = time.perf_counter()
            answer = asked.ranked(simulation.tagger, knowledge)
            spent += time.perf_counter() - begun
            print(json_line(answer), file=out)
            kept.append([tag.tag for tag in answer.kept])
            with_suggestions.append(keys_with(answer, asked.question.tags, search))
            without.append(keys_without(asked.question.tags, search))
    return Point.of(
        OURS,
        seed,
        decisions,
        kept,
        simulation.test,
        cut=cut,
        keys=fmean(with_suggestions),
        keys_without=fmean(without),
        seconds=moment.seconds,
        ranking_seconds=spent / len(simulation.test),
    )
