"""Text in, suggestions out: joins evidence, codec, model, search, voting and ranking. This is the engine's front door.

tagger = Tagger.load("models/starter")
(result,) = tagger.suggest([Question(title="在河北师范大学上学是一种怎样的体验？")])
print([suggestion.tag for suggestion in result.kept])
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from pathlib import Path

import torch

from l2a.answering import ReadQuestion, answer
from l2a.config import DECODER_CHOICES, DECODERS, DecodeSettings, ModelConfig, VoteSettings
from l2a.data.questions import Question
from l2a.errors import InputError, SettingsError
from l2a.evidence.collection import Evidence, hint_words
from l2a.evidence.memory.decisions import Memory
from l2a.evidence.memory.meanings import Encoder
from l2a.evidence.memory.word_table import WordTable
from l2a.evidence.names.finder import NameFinder
from l2a.evidence.source import PreparedQuestion
from l2a.network.model import L2AModel
from l2a.network.model import Memory as EncodedSources
from l2a.ranking.knowledge import Knowledge
from l2a.ranking.ranker import Prior, Ranker
from l2a.search.beam import Completion, beam_search
from l2a.search.fast.beam import fast_beam_search
from l2a.search.fast.decoder import FastDecoder, decoder_for
from l2a.search.fast.quantised import is_available
from l2a.search.rules import TagRules, TagTrie
from l2a.suggestions import NO_CONSTRAINTS, Constraints, Hypothesis, Suggestions
from l2a.text.batch import pad_sources
from l2a.text.cleaning import match_key
from l2a.text.codec import Codec, EncodedSource
from l2a.text.counted import Counted
from l2a.text.ordering import FIRST_SYMBOLS
from l2a.text.ordering import members as members_of
from l2a.text.vocabulary import END

WINDOW = 8  # batches that are sorted by length together


@dataclass
class Tagger:
    """A model ready to suggest. Safe to share between threads only under a lock."""

    model: L2AModel
    codec: Codec
    config: ModelConfig
    settings: DecodeSettings
    frequencies: Mapping[str, int]  # of the training labels
    version: str = "unsaved"
    order: str = "order1"  # in which tags are generated
    details: dict = field(default_factory=dict)  # training settings and metrics, as stored
    counted: Counted = field(default_factory=Counted)  # the questions that `frequencies` counts, as far as known
    # One of DECODERS. What trains and measures keeps float32: scores are then the reference's on every processor.
    decoder: str = "float32"
    # Beyond the paper: what else speaks for tags, how much each kind of it is worth beside the hypotheses, where the
    # ranker begins that makes a chance of it all (None: tags are ordered and kept by votes), and how rare words are.
    evidence: Evidence = field(default_factory=Evidence)
    votes: VoteSettings = field(default_factory=VoteSettings)
    prior: Prior | None = None
    table: WordTable = field(default_factory=WordTable)
    # Kept from one call to the next; another tagger makes its own.
    _fast: FastDecoder | None = field(default=None, init=False, repr=False, compare=False)
    _closed_list: "ClosedList | None" = field(default=None, init=False, repr=False, compare=False)

    @classmethod
    def load(cls, path: str | Path, *, decoder: str = "float32") -> "Tagger":
        """Read a model folder; raises CheckpointError with what is wrong and what to do.

        decoder: see `choose_decoder`, whose SettingsError comes before anything is read.
        """
        from l2a.checkpoint import load_tagger

        decoder = choose_decoder(decoder)
        return replace(load_tagger(path), decoder=decoder)

    @cached_property
    def known_keys(self) -> frozenset[str]:
        """Matching keys of all training labels: a tag outside them is new."""
        return frozenset(map(match_key, self.frequencies))

    @property
    def names(self) -> NameFinder | None:
        """Finds names in a title that nobody has used as a tag; None for a model without statistics of names."""
        return self.evidence.names

    def suggest(
        self,
        questions: Sequence[Question],
        *,
        beam: int | None = None,
        threshold: float | None = None,
        batch_size: int = 8,
        constraints: Constraints = NO_CONSTRAINTS,
        knowledge: Knowledge | None = None,
    ) -> list[Suggestions]:
        """Suggestions for each question, in the order given. None means the model's own setting.

        threshold: a share of the votes; tags are then ordered and kept by votes, as in the paper, also where the model
        has a ranker. knowledge: what people decided. Raises InputError for a question without text, SettingsError for
        a beam or threshold out of range.
        """
        return list(
            self.suggest_stream(
                questions,
                beam=beam,
                threshold=threshold,
                batch_size=batch_size,
                constraints=constraints,
                knowledge=knowledge,
            )
        )

    def suggest_stream(
        self,
        questions: Iterable[Question],
        *,
        beam: int | None = None,
        threshold: float | None = None,
        batch_size: int = 8,
        constraints: Constraints = NO_CONSTRAINTS,
        knowledge: Knowledge | None = None,
    ) -> Iterator[Suggestions]:
        """As `suggest`, for any number of questions: no more than a few batches are in memory at a time."""
        settings = self.settings_with(beam, threshold)
        ranker = self._ranker(knowledge) if threshold is None else None
        if batch_size < 1:
            raise SettingsError("settings.too_small", name="batch_size", value=batch_size)
        remaining = iter(questions)
        while window := list(islice(remaining, batch_size * WINDOW)):
            taken_in = [self._take_in(question, only_hints=ranker is None) for question in window]
            # Questions of similar length together: less padding, same results.
            by_length = sorted(range(len(window)), key=lambda i: len(taken_in[i].source.words))
            found: dict[int, Suggestions] = {}
            for first in range(0, len(window), batch_size):
                places = by_length[first : first + batch_size]
                lists = self.decode([taken_in[i].source for i in places], settings, constraints)
                for i, hypotheses in zip(places, lists, strict=True):
                    found[i] = answer(self, taken_in[i], hypotheses, settings, constraints, ranker, knowledge)
            yield from (found[i] for i in range(len(window)))

    def rank(
        self, question: ReadQuestion, hypotheses: Sequence[Hypothesis], *, beam: int, knowledge: Knowledge | None = None
    ) -> Suggestions:
        """Suggestions from hypotheses that this model found before, with what is known by now.

        question: as `read` gives it, hints and all. beam: that the hypotheses were found with.
        """
        settings = self.settings_with(beam)
        return answer(self, question, hypotheses, settings, NO_CONSTRAINTS, self._ranker(knowledge), knowledge)

    def _ranker(self, knowledge: Knowledge | None) -> Ranker | None:
        if self.prior is None:
            return None
        return Ranker.shipped(self.prior) if knowledge is None else knowledge.ranker

    def new_knowledge(self, encoder: Encoder | None = None) -> Knowledge | None:
        """To put decisions into, so that later suggestions know of them; None where tags are ordered by votes.

        encoder: of sentences, for those who have one (l2a.evidence.encoder).
        """
        if self.prior is None:
            return None
        return Knowledge(Memory(self.table, self.codec.segmenter, encoder=encoder), self.prior)

    def settings_with(self, beam: int | None = None, threshold: float | None = None) -> DecodeSettings:
        """The model's decode settings with a person's wishes; raises SettingsError when out of range."""
        return replace(
            self.settings,
            beam=self.settings.beam if beam is None else beam,
            threshold=self.settings.threshold if threshold is None else threshold,
        )

    def decode(
        self,
        sources: Sequence[EncodedSource],
        settings: DecodeSettings,
        constraints: Constraints = NO_CONSTRAINTS,
    ) -> list[list[Hypothesis]]:
        """The N-best lists of one batch of encoded questions.

        A model with two members searches with both at once, each for half of the list; of an odd number the first
        gets one more.
        """
        if self.model.training:  # its weights may have changed since, in whatever way
            self._fast = None
        self.model.eval()
        orders = self.members(settings)
        rules = [self._rules(source, settings, constraints) for source in sources] * len(orders)
        share = -(-settings.beam // len(orders))
        with torch.inference_mode():
            memory = self.model.encode(pad_sources(sources))
            if len(orders) > 1:
                memory = memory.repeated(len(orders))
            found = self._search(
                memory,
                beam=share,
                max_steps=settings.max_steps,
                start=[symbol for symbol in FIRST_SYMBOLS[: len(orders)] for _ in sources],
                rules=rules if any(rule.is_needed for rule in rules) else None,
            )
        lists: list[list[Hypothesis]] = [[] for _ in sources]
        for place, completions in enumerate(found):
            member, question = divmod(place, len(sources))
            extra = sources[question].extra_words
            kept = completions[: share if member == 0 else settings.beam - share]
            lists[question] += [
                Hypothesis(self.codec.decode_tags(one.symbols, extra), one.score, orders[member]) for one in kept
            ]
        return [sorted(hypotheses, key=lambda h: -h.log_probability) for hypotheses in lists]

    def members(self, settings: DecodeSettings) -> tuple[str, ...]:
        """Orders that are searched; a list of one has no half: the first member writes it alone."""
        return members_of(self.order)[: settings.beam]

    def _search(
        self,
        memory: EncodedSources,
        *,
        beam: int,
        max_steps: int,
        start: Sequence[int],
        rules: Sequence[TagRules] | None,
    ) -> list[list[Completion]]:
        if self.decoder not in DECODERS:
            raise SettingsError("settings.no_decoder", decoder=self.decoder, valid=", ".join(DECODERS))
        if self.decoder != "plain":
            self._fast = decoder_for(self.model, self.decoder == "int8", self._fast)
            return fast_beam_search(self._fast, memory, beam=beam, max_steps=max_steps, start=start, rules=rules)
        questions = len(memory.mask)
        return beam_search(
            lambda tokens, state: self.model.step(tokens, state, memory),
            self.model.start_state(questions),
            questions=questions,
            beam=beam,
            max_steps=max_steps,
            start=start,
            end=END,
            rules=rules,
        )

    def read(self, question: Question, *, only_hints: bool = False) -> ReadQuestion:
        """A question as the model takes it in, whatever is left of it. It is cut and looked up here, once.

        only_hints: leave out what speaks for tags but tells the network nothing.
        """
        prepared = PreparedQuestion.of(question, self.codec.segmenter)
        findings = self.evidence.find(prepared, only_hints=only_hints)
        hints = hint_words(findings, self.codec.segmenter)
        source = self.codec.encode_question(question.title, question.description, hints)
        return ReadQuestion(source, prepared, tuple(findings))

    def encode(self, question: Question) -> EncodedSource:
        """A question as numbers; raises InputError when nothing is left to read."""
        return self._take_in(question, only_hints=True).source

    def _take_in(self, question: Question, *, only_hints: bool) -> ReadQuestion:
        """As `read`; raises InputError when nothing is left to read."""
        if not question.title.strip():
            raise (
                InputError("question.no_title", id=question.id)
                if question.id
                else InputError("question.no_title_no_id")
            )
        taken_in = self.read(question, only_hints=only_hints)
        if not taken_in.source.words:
            raise (
                InputError("question.nothing_left", id=question.id)
                if question.id
                else InputError("question.nothing_left_no_id")
            )
        return taken_in

    def is_invented(self, tag: str) -> bool:
        """Whether the model made a tag up that neither its training labels nor the lists of its evidence have."""
        return match_key(tag) not in self.known_keys and not self.evidence.is_listed(tag)

    def _rules(self, source: EncodedSource, settings: DecodeSettings, constraints: Constraints) -> TagRules:
        first_tag: tuple[int, ...] = ()
        if constraints.first_tag is not None:
            if not constraints.first_tag.strip():
                raise InputError("tag.empty_first")
            if not self.codec.can_write(constraints.first_tag, source.extra_words):
                words = " ".join(self.codec.tag_words(constraints.first_tag))
                raise InputError("tag.unknown_first", tag=constraints.first_tag, words=words)
            first_tag = tuple(self.codec.encode_tags([constraints.first_tag], source.extra_words)[:-1])
        return TagRules(
            is_label=self.config.kind == "label",
            max_tags=settings.max_tags,
            drop_repeats=settings.drop_repeats,
            banned=frozenset(map(match_key, constraints.ban)),
            first_tag=first_tag,
            known_tags=None if constraints.known_tags is None else self.closed_list(constraints.known_tags).trie,
            spell=lambda number: self.codec.word(number, source.extra_words),
            extra={word: len(self.codec.target) + place for place, word in enumerate(source.extra_words)},
        )

    def closed_list(self, tags: tuple[str, ...]) -> "ClosedList":
        # One list serves a whole stream of questions; reading 25,000 tags takes a second.
        if self._closed_list is None or self._closed_list.tags != tags:
            trie = TagTrie(map(self.codec.tag_words, tags), self.codec.number)
            self._closed_list = ClosedList(tags, trie, frozenset(map(match_key, tags)))
        return self._closed_list


@dataclass(frozen=True)
class ClosedList:
    """The only tags that may be suggested."""

    tags: tuple[str, ...]
    trie: TagTrie
    keys: frozenset[str]


def choose_decoder(wish: str) -> str:
    """One of DECODERS for one of DECODER_CHOICES; raises SettingsError for what is none, or cannot be had here."""
    if wish not in DECODER_CHOICES:
        raise SettingsError("settings.no_decoder", decoder=wish, valid=", ".join(DECODER_CHOICES))
    if wish == "int8" and not is_available():
        raise SettingsError("settings.no_int8")
    if wish == "auto":
        return "int8" if is_available() else "float32"
    return wish
