"""What a network says about labelled questions that it has not met.

A network knows the answers to what it was trained on, so what its votes are worth beside other evidence cannot be
learned there. From the end of pre-training, where it has met no labelled question, it is trained once more for each
half of them, on the other half. Networks and answers are kept in a folder: a run that was stopped goes on.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from l2a.bulk.processes import cores
from l2a.checkpoint import load_tagger, save_tagger
from l2a.config import TrainingConfig
from l2a.data.questions import Question
from l2a.errors import InputError
from l2a.evidence.collection import Evidence
from l2a.search.voting import TagVote, count_votes
from l2a.simulation.decodings import Decodings
from l2a.tagger import Tagger
from l2a.text.hashing import hash_text
from l2a.training.cutting import QuestionCutter
from l2a.training.dataset import TrainingSet, number
from l2a.training.loop import Trainer

HALVES = 2
EPOCHS = 5
RATE = 2e-4  # about where a rate that falls to zero by the end of a run stands when pre-training is over
TRAINED = "trained"  # file that says so of a network, and what it was made of
WARMUP = 20  # steps, until the optimiser knows the size of gradients


class HeldOutVotes:
    """Networks that have met every second labelled question each."""

    def __init__(
        self, pretrained: str | Path, gold: Sequence[Question], folder: Path, *, decoder: str, quiet: bool = False
    ):
        """pretrained: a model folder, of a run whose pre-training had no copies of the labelled questions
        (training.train_copies=0). gold: those that have tags. decoder: one of DECODERS."""
        self._pretrained, self._gold, self._folder = pretrained, gold, folder
        self._decoder, self._quiet = decoder, quiet
        before = load_tagger(pretrained)
        training = before.details.get("training", {})
        if training.get("train_copies", 1):
            raise InputError("training.met_gold", model=pretrained, copies=training.get("train_copies", 1))
        asked = [[question.title, question.description, question.tags] for question in gold]
        # What the networks in the folder must have been made of.
        self._made_of = f"{before.version} {hash_text(json.dumps(asked)):016x}"

    def __call__(self, fold: int, evidence: Evidence, held: Sequence[Question]) -> list[list[TagVote]]:
        """The votes for each question. held: every so many-th labelled question from number `fold` on, an even number
        of folds. evidence: made of the others, for the hints: who finds itself there is told its answer."""
        half = fold % HALVES
        path = self._folder / f"half-{half + 1}"
        self._train(half, path)
        asked = self._folder / f"asked-{fold + 1}"
        save_tagger(replace(load_tagger(path / "best"), evidence=evidence), asked)
        tagger = Tagger.load(asked, decoder=self._decoder)
        answers = Decodings(tagger, tagger.settings.beam, self._folder / "hypotheses.jsonl")
        answers.find(held, model=str(asked), processes=cores(), quiet=self._quiet)
        members = len(tagger.members(tagger.settings))
        return [
            count_votes(
                [hypothesis.tags for hypothesis in one.hypotheses],
                [hypothesis.log_probability for hypothesis in one.hypotheses],
                beam=one.beam,
                members=members,
            )
            for one in answers.ask(held)
        ]

    def _train(self, half: int, folder: Path) -> None:
        done = folder / TRAINED
        if done.exists():
            if done.read_text(encoding="utf-8") != self._made_of:
                raise InputError("training.other_settings", path=done, changed="--pretrained, --gold")
            return
        tagger = load_tagger(self._pretrained)
        training = replace(
            TrainingConfig.from_dict(tagger.details["training"]),
            pretrain_epochs=0,
            epochs=EPOCHS,
            learning_rate=RATE,
            warmup_steps=WARMUP,
        )
        met = [question for place, question in enumerate(self._gold) if place % HALVES != half]
        cutter = QuestionCutter(tagger.codec.segmenter, tagger.config.max_source_length, tagger.evidence)
        codec = tagger.codec
        data = TrainingSet(number(cutter.cut(met), codec), [], tagger.frequencies, codec.source, codec.target)
        trainer = Trainer(tagger, data, [], training, folder, quiet=self._quiet)
        trainer.resume()
        trainer.run()
        done.write_text(self._made_of, encoding="utf-8")
