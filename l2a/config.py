"""Every switch of the engine, as frozen dataclasses, and the three presets.

A model's config travels with its weights. Unknown keys are refused with the list of valid ones.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Self

from l2a.errors import SettingsError
from l2a.evidence.sources import source_names
from l2a.text.ordering import BOTH, ORDERS

# How a search is carried out. plain: the reference, `l2a.search.beam`; float32: the same lists, faster; int8: faster
# still, lists differ in details. It belongs to the machine, not to the model, so it is no part of what is stored with
# one.
DECODERS = ("plain", "float32", "int8")
DECODER_CHOICES = ("auto", *DECODERS)  # auto: int8 where the processor has it, else float32; see docs/performance.md

MAX_BEAM = 64


@dataclass(frozen=True)
class _Config:
    """Shared by the configs below: to and from plain dictionaries, and range checks at construction."""

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        cls._refuse_unknown(values, (f.name for f in fields(cls)))
        return cls(**values)

    @classmethod
    def _refuse_unknown(cls, values: Iterable[str], names: Iterable[str]) -> None:
        valid = list(names)
        unknown = sorted(set(values) - set(valid))
        if unknown:
            keys = ", ".join(map(repr, unknown))
            raise SettingsError("settings.unknown_key", config=cls.__name__, keys=keys, valid=", ".join(valid))

    def _one_of(self, name: str, valid: tuple[str, ...]) -> None:
        if getattr(self, name) not in valid:
            raise SettingsError("settings.not_valid", name=name, value=getattr(self, name), valid=", ".join(valid))

    def _in_range(self, name: str, low: float, high: float) -> None:
        self._is_in_range(name, getattr(self, name), low, high)

    def _is_in_range(self, name: str, value: object, low: float, high: float) -> None:
        """Whole numbers only where the bounds are whole: half a layer or half a beam means nothing."""
        is_whole = isinstance(low, int)
        kinds = (int,) if is_whole else (int, float)
        if not isinstance(value, kinds) or isinstance(value, bool) or not low <= value <= high:
            code = "settings.no_whole_number" if is_whole else "settings.no_number"
            raise SettingsError(code, name=name, value=value, low=low, high=high)

    def _is_switch(self, *names: str) -> None:
        for name in names:
            if not isinstance(getattr(self, name), bool):
                raise SettingsError("settings.no_switch", name=name, value=getattr(self, name))


@dataclass(frozen=True)
class ModelConfig(_Config):
    """The shape of the network (paper sections 3.2 and 4.1)."""

    kind: str = "word"  # word: L2A-word, tags are word sequences; label: L2A-label, one symbol a tag
    encoder: str = "L"  # L: BiLSTM, A: Transformer
    decoder: str = "A"  # A: Transformer, L: LSTM with attention over the encoder
    positions: str = "local"  # of the decoder: local | global | none
    width: int = 512
    heads: int = 8  # Vaswani et al.'s; the paper does not give it
    feed_forward: int = 2048  # Vaswani et al.'s
    encoder_layers: int = 2
    decoder_layers: int = 4
    dropout: float = 0.1
    source_vocabulary: int = 80_000  # caps, special symbols included
    target_vocabulary: int = 18_966
    min_source_count: int = 1  # source words seen less often are unknown words
    max_source_length: int = 200  # words of a question that are read
    # Beyond the paper, off in `paper`:
    share_embeddings: bool = False  # one table for source words, target words and the output layer
    copy: bool = False  # a pointer over source words, the paper's future work

    def __post_init__(self) -> None:
        self._one_of("kind", ("word", "label"))
        self._one_of("encoder", ("L", "A"))
        self._one_of("decoder", ("L", "A"))
        self._one_of("positions", ("local", "global", "none"))
        for name in ("width", "heads", "feed_forward", "encoder_layers", "decoder_layers", "max_source_length"):
            self._in_range(name, 1, 1_000_000)
        self._in_range("min_source_count", 1, 10**9)
        for name in ("source_vocabulary", "target_vocabulary"):
            self._in_range(name, 6, 10_000_000)
        self._in_range("dropout", 0.0, 0.9)
        self._is_switch("share_embeddings", "copy")
        if self.width % self.heads or self.width % 2:
            raise SettingsError("settings.odd_width", width=self.width, heads=self.heads)
        if self.kind == "label" and (self.copy or self.share_embeddings):
            raise SettingsError("settings.labels_have_no_words")


@dataclass(frozen=True)
class DecodeSettings(_Config):
    """How hypotheses are searched and voted (paper section 4.5); travels with the model as its default."""

    beam: int = 48  # also the N of the N-best list
    threshold: float = 0.25  # a tag is kept when votes > threshold * beam
    max_steps: int = 40  # target words, delimiters and the end symbol included
    max_tags: int | None = None  # beyond the paper: at most this many tags in a hypothesis
    drop_repeats: bool = False  # beyond the paper: drop a hypothesis that completes a tag it already has

    def __post_init__(self) -> None:
        self._in_range("beam", 1, MAX_BEAM)
        self._in_range("threshold", 0.0, 1.0)
        self._in_range("max_steps", 1, 1000)
        if self.max_tags is not None:
            self._in_range("max_tags", 1, 1000)
        self._is_switch("drop_repeats")


@dataclass(frozen=True)
class VoteSettings(_Config):
    """Beyond the paper: what counts in the vote beside the hypotheses. Nothing does unless it is set.

    The sources of evidence have their weights here (`l2a/evidence/sources/`, one file each). They are stored among the
    decode settings, each as `NAME_weight`.
    """

    weights: Mapping[str, float] = field(default_factory=dict)  # a finding has weight x probability x beam votes
    invented_worth: float = 1.0  # what a hypothesis' vote counts for a tag that is in no list and was never given
    hypotheses_worth: float = 1.0  # the same for other tags, beside what `weighed` makes of their votes already

    def __post_init__(self) -> None:
        names = source_names()
        self._refuse_unknown(self.weights, names)
        object.__setattr__(self, "weights", {name: self.weights.get(name, 0.0) for name in names})
        for name, weight in self.weights.items():
            self._is_in_range(weight_key(name), weight, 0.0, 10.0)
        self._in_range("invented_worth", 0.0, 1.0)
        self._in_range("hypotheses_worth", 0.0, 1.0)

    @property
    def voting(self) -> list[str]:
        """Names of the sources that have a weight."""
        return [name for name, weight in self.weights.items() if weight]

    def to_dict(self) -> dict[str, Any]:
        """As it is stored."""
        weights = {weight_key(name): weight for name, weight in self.weights.items()}
        return {**weights, **{name: getattr(self, name) for name in _WORTHS}}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "VoteSettings":
        cls._refuse_unknown(values, cls().to_dict())
        weights = {name: values[weight_key(name)] for name in source_names() if weight_key(name) in values}
        return cls(weights, **{name: values[name] for name in _WORTHS if name in values})


_WORTHS = ("invented_worth", "hypotheses_worth")


def weight_key(source: str) -> str:
    """Under which the weight of a source is stored."""
    return f"{source}_weight"


def read_decode(values: Mapping[str, Any]) -> tuple[DecodeSettings, VoteSettings]:
    """How a model searches and votes, from where both are stored together."""
    of_votes = VoteSettings().to_dict()
    DecodeSettings._refuse_unknown(values, (*(f.name for f in fields(DecodeSettings)), *of_votes))
    return (
        DecodeSettings.from_dict({name: value for name, value in values.items() if name not in of_votes}),
        VoteSettings.from_dict({name: value for name, value in values.items() if name in of_votes}),
    )


@dataclass(frozen=True)
class TrainingConfig(_Config):
    """How a model is trained. Adam's betas and eps, label smoothing and dropout are Vaswani et al.'s."""

    order: str = "order1"
    reshuffle: bool = False  # with order `random`: a new shuffle each epoch
    epochs: int = 20  # over the training questions
    pretrain_epochs: int = 1  # over pre-training (silver) plus training questions, before `epochs`
    train_copies: int = 1  # how often each training question stands in a pre-training epoch; 0: it has not met them
    batch_size: int = 64  # questions, over all processes
    learning_rate: float = 5e-4  # the peak
    fine_tune_rate: float = 1.0  # factor on the rate once pre-training is over
    schedule: str = "inverse-sqrt"  # after warm-up: inverse-sqrt (Vaswani et al.) or linear (to zero at the end)
    warmup_steps: int = 400
    clip_norm: float = 1.0
    label_smoothing: float = 0.1
    unlikelihood: float = 0.0  # weight of tags that people rejected (0: they are not used)
    replay_ratio: float = 1.0  # replayed questions an epoch, for each training question, where there are any
    patience: int = 4  # epochs without a better dev F1 before training stops
    dev_beam: int = 48
    seed: int = 1
    max_tags: int | None = None  # longer tag lists are cut to this many, in the model's order

    def __post_init__(self) -> None:
        self._one_of("order", (*ORDERS, BOTH))
        self._one_of("schedule", ("inverse-sqrt", "linear"))
        for name in ("epochs", "batch_size", "patience", "warmup_steps"):
            self._in_range(name, 1, 10**9)
        for name in ("pretrain_epochs", "train_copies"):
            self._in_range(name, 0, 10**6)
        self._in_range("dev_beam", 1, MAX_BEAM)
        self._in_range("learning_rate", 1e-9, 10.0)
        self._in_range("fine_tune_rate", 1e-6, 100.0)
        self._in_range("clip_norm", 1e-9, 1e9)
        self._in_range("label_smoothing", 0.0, 0.9)
        self._in_range("unlikelihood", 0.0, 100.0)
        self._in_range("replay_ratio", 0.0, 1000.0)
        self._in_range("seed", 0, 10**9)
        if self.max_tags is not None:
            self._in_range("max_tags", 1, 1000)
        self._is_switch("reshuffle")


@dataclass(frozen=True)
class Preset:
    """A model shape with the decoding and training that suit it."""

    model: ModelConfig
    decode: DecodeSettings
    training: TrainingConfig


_PRACTICAL_DECODING = DecodeSettings(max_tags=5, drop_repeats=True)

PRESETS: dict[str, Preset] = {
    # The paper's sizes, nothing beyond it.
    "paper": Preset(ModelConfig(), DecodeSettings(), TrainingConfig()),
    # What trains on two cores in minutes; the paper's model, narrower.
    "small": Preset(
        ModelConfig(
            width=256, heads=4, feed_forward=512, source_vocabulary=40_000, target_vocabulary=15_000,
            max_source_length=64, dropout=0.2,
        ),
        _PRACTICAL_DECODING,
        TrainingConfig(batch_size=64, learning_rate=1e-3, warmup_steps=400, epochs=20, max_tags=5),
    ),
    # For tests.
    "tiny": Preset(
        ModelConfig(
            width=32, heads=2, feed_forward=64, encoder_layers=1, decoder_layers=2, source_vocabulary=5_000,
            target_vocabulary=3_000, max_source_length=40, dropout=0.0,
        ),
        replace(_PRACTICAL_DECODING, beam=8, max_steps=24),
        TrainingConfig(
            batch_size=16, learning_rate=5e-3, warmup_steps=20, epochs=4, dev_beam=4, label_smoothing=0.0, max_tags=5
        ),
    ),
}  # fmt: skip


def preset(name: str) -> Preset:
    if name not in PRESETS:
        raise SettingsError("settings.no_preset", name=name, valid=", ".join(PRESETS))
    return PRESETS[name]
