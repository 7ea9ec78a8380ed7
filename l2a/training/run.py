"""A training run as a value: which files, which settings. Saved beside its results, so that it can be resumed."""

import json
import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path

import torch

from l2a.checkpoint import build_codec, find_folder, load_tagger, save_tagger
from l2a.config import DecodeSettings, ModelConfig, TrainingConfig, VoteSettings, read_decode
from l2a.data.questions import Question, read_questions
from l2a.data.tag_files import read_tags
from l2a.errors import InputError
from l2a.evidence.collection import Evidence
from l2a.network.model import L2AModel
from l2a.network.vectors import initialise
from l2a.tagger import Tagger
from l2a.text.counted import Counted
from l2a.text.segmenter import Segmenter
from l2a.training.dataset import TrainingSet, build_training_set, number, read_words
from l2a.training.distributed import Workers
from l2a.training.growth import grow
from l2a.training.loop import SAVE_EVERY_SECONDS, Trainer, TrainingResult, tune_threshold

_FILE_LISTS = ("train", "dev", "pretrain", "replay", "vote_lists")  # fields of a run that JSON gives back as lists


@dataclass(frozen=True)
class RunSpec:
    """Everything a run depends on; two runs of one spec give the same weights."""

    train: tuple[str, ...]
    model: ModelConfig
    decode: DecodeSettings
    training: TrainingConfig
    dev: tuple[str, ...] = ()
    pretrain: tuple[str, ...] = ()  # silver-labelled files
    words: str | None = None  # extra dictionary words, one a line
    vectors: str | None = None  # initial word vectors
    start: str | None = None  # a model folder to begin with: its shape, words and weights; `model` is not used then
    ranker_of: str | None = None  # a model folder; without `start`: what ranks its suggestions ranks these
    replay: tuple[str, ...] = ()  # questions of an older training set, mixed in with `start`
    votes: VoteSettings = field(default_factory=VoteSettings)  # what counts in the vote beside the hypotheses
    retrieve: str | None = None  # a list of tags: the source gets hints from it and from the training questions
    vote_lists: tuple[str, ...] = ()  # further lists, whose tags may vote where they stand in the text
    storage: str = "float32"
    skip_bad: bool = False
    tune_threshold: bool = False
    threads: int | None = None  # that it was begun with, as far as that is known: `--resume` takes as many

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        values = asdict(self)
        del values["votes"]
        values["decode"] |= self.votes.to_dict()  # where a model stores it too
        text = json.dumps(values, ensure_ascii=False, indent=1)
        (folder / "run.json").write_text(text + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> "RunSpec":
        try:
            values = json.loads((folder / "run.json").read_text(encoding="utf-8"))
            decode, votes = read_decode(values["decode"])
            return cls(
                **{
                    **values,
                    **{name: tuple(values[name]) for name in _FILE_LISTS if name in values},
                    "model": ModelConfig.from_dict(values["model"]),
                    "decode": decode,
                    "votes": votes,
                    "training": TrainingConfig.from_dict(values["training"]),
                }
            )
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError("training.nothing_to_resume", folder=folder, reason=str(error)) from error


def train_run(
    spec: RunSpec,
    folder: str | Path,
    *,
    resume: bool = False,
    max_minutes: float = math.inf,
    save_every_seconds: float = SAVE_EVERY_SECONDS,
    quiet: bool = False,
    cache: Path | None = None,
    say: Callable[[str], None] = print,
    on_step: Callable[[int, int], None] = lambda done, total: None,
) -> TrainingResult:
    """Train what `spec` describes into `folder`; the result is the model folder `folder/best`.

    `on_step` hears of every step, of how many; what it raises ends the training, which can be resumed.
    `cache`: a folder where the words of large files are kept for the next training (`l2a.training.cutting`).
    """
    folder = Path(folder)
    workers = Workers.join()
    try:
        if not resume and (folder / "state.pt").exists():
            raise InputError("training.folder_taken", folder=folder)
        trainer, notes = prepare(
            spec,
            folder,
            workers,
            max_minutes=max_minutes,
            save_every_seconds=save_every_seconds,
            quiet=quiet,
            cache=cache,
        )
        if resume:
            trainer.resume()  # before the spec is saved: one that does not fit must not replace the run's own
        if workers.is_first:
            spec.save(folder)
            for note in notes:
                say(note)
        trainer.on_step = on_step
        result = trainer.run()
        if workers.is_first and spec.tune_threshold and trainer.dev:
            finish(folder, trainer, spec.storage, quiet)
        return result
    finally:
        workers.leave()


def prepare(
    spec: RunSpec,
    folder: Path,
    workers: Workers,
    *,
    max_minutes: float = math.inf,
    save_every_seconds: float = SAVE_EVERY_SECONDS,
    quiet: bool = False,
    cache: Path | None = None,
) -> tuple[Trainer, list[str]]:
    """Read the data and build an untrained model with its trainer; also what is worth telling a person."""
    notes: list[str] = []
    quiet = quiet or not workers.is_first
    before = load_tagger(spec.start) if spec.start else None
    segmenter = before.codec.segmenter if before else Segmenter(_read_word_list(spec.words))
    evidence = _evidence(spec, segmenter, before)
    read = partial(
        read_words,
        segmenter=segmenter,
        max_length=(before.config if before else spec.model).max_source_length,
        evidence=evidence,
        skip_bad=spec.skip_bad,
        notes=notes,
        quiet=quiet,
        cache=cache,
    )
    train, pretrain, replay = read(spec.train), read(spec.pretrain), read(spec.replay)
    if not spec.training.unlikelihood:
        train = [words for words in train if words.tags]
    dev = [q for path in spec.dev for q in read_questions(path, skip_bad=spec.skip_bad) if q.tags]
    if before:
        tagger, data = _go_on_from(before, spec, train, pretrain, replay, notes)
    else:
        tagger, data = _begin(spec, train, pretrain, segmenter, evidence, notes)
    tagger.details = {**tagger.details, "data": {"train": len(train), "pretrain": len(pretrain), "dev": len(dev)}}
    if spec.training.max_tags is not None:
        too_many = sum(len(words.tags) > spec.training.max_tags for words in train)
        if too_many:
            notes.append(f"{too_many} questions have more than {spec.training.max_tags} tags; the rest was not used")

    notes.append(
        f"{len(data.train):,} training, {len(data.pretrain):,} pre-training, {len(data.replay):,} replayed questions, "
        f"{len(data.frequencies):,} tags; {len(data.source):,} source and {len(data.target):,} target words; "
        f"{sum(p.numel() for p in tagger.model.parameters()):,} weights"
    )
    trainer = Trainer(
        tagger,
        data,
        dev,
        spec.training,
        folder,
        workers=workers,
        storage=spec.storage,
        tunes_threshold=spec.tune_threshold,
        max_seconds=max_minutes * 60,
        save_every_seconds=save_every_seconds,
        quiet=quiet,
    )
    return trainer, notes


def _evidence(spec: RunSpec, segmenter: Segmenter, before: Tagger | None) -> Evidence:
    """What the training questions and a list of tags say about any question; silver labels have no say in it.

    A model that goes on keeps what it had to look things up in, and gets the new questions into it.
    """
    if before:
        if before.evidence.retriever:
            before.evidence = before.evidence.extended(_training_questions(spec), segmenter)
        return before.evidence
    if spec.retrieve is None:
        return Evidence()
    voting = [tag for path in spec.vote_lists for tag in read_tags(path, skip_bad=spec.skip_bad)]
    listed = read_tags(spec.retrieve, skip_bad=spec.skip_bad)
    return Evidence.build(_training_questions(spec), listed, segmenter, voting, learn=spec.votes.voting)


def _training_questions(spec: RunSpec) -> list[Question]:
    return [question for path in spec.train for question in read_questions(path, skip_bad=spec.skip_bad)]


def _begin(
    spec: RunSpec, train, pretrain, segmenter: Segmenter, evidence: Evidence, notes: list[str]
) -> tuple[Tagger, TrainingSet]:
    """An untrained model for these words."""
    codec_of = partial(build_codec, spec.model, segmenter)
    data, codec = build_training_set(train, pretrain, segmenter, spec.model, codec_of)
    torch.manual_seed(spec.training.seed)
    model = L2AModel(spec.model, len(data.source), len(data.target))
    if spec.vectors:
        in_source, in_target = initialise(model, data.source, data.target, spec.vectors)
        notes.append(f"initial vectors for {in_source:,} source and {in_target:,} target words")
    tagger = Tagger(
        model=model,
        codec=codec,
        config=spec.model,
        settings=spec.decode,
        frequencies=data.frequencies,
        order=spec.training.order,
        counted=Counted().recount({}, [*train, *pretrain])[1],
        evidence=evidence,
        votes=spec.votes,
    )
    if spec.ranker_of:
        ranking = load_tagger(spec.ranker_of)
        # What names look like was learned from lists and a large text, not by the network.
        own = Evidence(tagger.evidence.retriever, ranking.evidence.names)
        tagger = replace(tagger, prior=ranking.prior, table=ranking.table, evidence=own)
    return tagger, data


def _go_on_from(before: Tagger, spec: RunSpec, train, pretrain, replay, notes: list[str]) -> tuple[Tagger, TrainingSet]:
    """A trained model that has learned the words of the new questions; it keeps its order and decode settings."""
    if not train:
        raise InputError("training.no_tags")
    if spec.training.order != before.order:
        raise InputError("training.other_order", model=spec.start, order=before.order, wanted=spec.training.order)
    tagger, new_words = grow(before, [*train, *pretrain], spec.training.seed)
    notes.append(f"begun with {spec.start} ({before.version}); {len(new_words):,} words are new to its tags")
    codec = tagger.codec
    parts = (number(words, codec) for words in (train, pretrain, replay))
    train, pretrain, replay = parts
    return tagger, TrainingSet(train, pretrain, tagger.frequencies, codec.source, codec.target, replay)


def finish(folder: Path, trainer: Trainer, storage: str, quiet: bool) -> None:
    """Choose the voting threshold on dev for the best checkpoint and store it with its scores."""
    if not find_folder(folder / "best").is_dir():
        return
    tagger = load_tagger(folder / "best")
    scores = tune_threshold(tagger, trainer.dev, quiet=quiet)
    tagger.details["metrics"] = {**tagger.details.get("metrics", {}), "dev": scores.to_dict()}
    save_tagger(tagger, folder / "best", storage=storage)


def _read_word_list(path: str | None) -> list[str]:
    if path is None:
        return []
    try:
        return [line.strip() for line in Path(path).read_text(encoding="utf-8").splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        raise InputError("training.no_word_list", path=path, reason=str(error)) from error
