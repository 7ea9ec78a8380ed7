"""Trains a tagger: batches, loss, dev score, checkpoints, log; resumes to the same result as an unbroken run.

Everything random depends on the seed and the step alone, never on what ran before, so a run can stop anywhere.

    RUN/best/            the checkpoint with the best dev F1 (voted)
    RUN/pretrained/      the one at the end of pre-training, from which held-out answers can be learned
    RUN/epoch-003/       one checkpoint an epoch, the last few are kept
    RUN/log.jsonl        a line every few steps and one an epoch
    RUN/curves.png       loss and dev F1
    RUN/state.pt         weights, optimiser and place, for --resume
"""

import json
import math
import os
import pickle
import random
import shutil
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path

import torch
from tqdm import tqdm

from l2a.checkpoint import save_tagger
from l2a.config import TrainingConfig
from l2a.data.questions import Question
from l2a.errors import InputError
from l2a.measure.evaluation import Evaluation, evaluate
from l2a.tagger import Tagger
from l2a.training.best_epoch import is_better
from l2a.training.curves import draw_curves
from l2a.training.dataset import Example, TrainingSet, first_symbols, make_batches, target_sequences
from l2a.training.distributed import Workers
from l2a.training.fingerprint import describe_run, find_changes
from l2a.training.losses import likelihood_loss, pick_rejections, rejection_loss
from l2a.training.optimiser import Optimiser

PRETRAINED = "pretrained"  # folder of the model at the end of pre-training
LOG_EVERY = 20  # steps
KEPT_EPOCHS = 3
SAVE_EVERY_SECONDS = 120.0
DRAW_EVERY_SECONDS = 10.0  # drawing takes half a second, an epoch of a tiny model less


@dataclass
class Place:
    """Where a run stands."""

    epoch: int = 0  # finished epochs
    batch: int = 0  # finished batches of the current epoch
    step: int = 0  # finished steps of the run
    best_f1: float | None = None  # on dev, of the best epoch; None without a dev set
    best_epoch: int = 0  # 0: none yet
    waited: int = 0  # epochs since the best one
    seconds: float = 0.0  # of training, over all sessions
    loss_sum: float = 0.0  # of the current epoch
    loss_steps: int = 0


@dataclass(frozen=True)
class TrainingResult:
    best_epoch: int  # 0: no epoch was finished
    best_f1: float | None  # None without a dev set
    steps: int
    seconds: float
    finished: bool  # False when the time limit stopped it first


class Trainer:
    """One training run in one folder."""

    def __init__(
        self,
        tagger: Tagger,
        data: TrainingSet,
        dev: Sequence[Question],
        training: TrainingConfig,
        folder: str | Path,
        *,
        workers: Workers | None = None,
        storage: str = "float32",
        tunes_threshold: bool = False,
        save_every_seconds: float = SAVE_EVERY_SECONDS,
        max_seconds: float = math.inf,
        quiet: bool = False,
    ):
        self.tagger, self.data, self.dev, self.training = tagger, data, list(dev), training
        self.folder, self.workers = Path(folder), workers or Workers()
        self.storage, self.save_every_seconds, self.max_seconds = storage, save_every_seconds, max_seconds
        self.tunes_threshold = tunes_threshold  # then epochs are compared at the threshold each would get
        self.quiet = quiet or not self.workers.is_first
        self.on_step = lambda done, total: None
        self.clock = time.monotonic  # of the time limit; the experiments count processor time
        self.place = Place()
        self.pretrain_epochs = training.pretrain_epochs if data.pretrain else 0
        steps = [math.ceil(len(self._examples(epoch)) / training.batch_size) for epoch in range(self.epochs)]
        self.optimiser = Optimiser(tagger.model, training, sum(steps), sum(steps[: self.pretrain_epochs]))
        self._saved_at = self._drawn_at = time.monotonic()

    @property
    def epochs(self) -> int:
        return self.pretrain_epochs + self.training.epochs

    def run(self) -> TrainingResult:
        """Train until the epochs, the patience or the time are used up; the time is that of this session."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if self.workers.is_first:
            self._forget_lost_steps()
        self._stop_at = self.place.seconds + self.max_seconds
        finished = True
        while self.place.epoch < self.epochs and self.place.waited < self.training.patience:
            if not self._train_epoch():
                finished = False
                break
            self._end_epoch()
        self._save_state()
        self._draw_curves()
        place = self.place
        if place.best_epoch == 0 and self.workers.is_first:
            # The time was up before the first epoch: what there is can be tried, and the first epoch replaces it.
            save_tagger(self.tagger, self.folder / "best", storage=self.storage)
        best_f1 = place.best_f1 if self.dev and place.best_epoch else None
        return TrainingResult(place.best_epoch, best_f1, place.step, place.seconds, finished)

    def resume(self) -> bool:
        """Go to where the folder's last session stopped; False when there is nothing to resume."""
        path = self.folder / "state.pt"
        if not path.exists():
            return False
        try:
            state = torch.load(path, weights_only=True)
            begun = json.loads(state["fingerprint"])
        except (EOFError, KeyError, OSError, RuntimeError, TypeError, ValueError, pickle.UnpicklingError) as error:
            raise InputError("training.damaged_state", path=path, kind=type(error).__name__) from error
        changed = find_changes(begun, json.loads(self._fingerprint))
        if changed:
            raise InputError("training.other_settings", path=path, changed=", ".join(changed))
        self.tagger.model.load_state_dict(state["model"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.place = Place(**state["place"])
        return True

    def _examples(self, epoch: int) -> list[Example]:
        if epoch < self.pretrain_epochs:
            return self.data.pretrain + self.data.train * self.training.train_copies
        wanted = round(len(self.data.train) * self.training.replay_ratio) if self.data.replay else 0
        drawn = (
            random.Random(f"{self.training.seed}/{epoch}/replay").choices(self.data.replay, k=wanted) if wanted else []
        )
        return self.data.train + drawn

    def _train_epoch(self) -> bool:
        """Train what is left of the current epoch; False when the time limit came first."""
        place, epoch = self.place, self.place.epoch
        batches = make_batches(self._examples(epoch), self.training.batch_size, f"{self.training.seed}/{epoch}")
        started = self.clock()
        before = place.seconds
        bar = tqdm(
            total=len(batches),
            initial=place.batch,
            desc=f"epoch {epoch + 1}/{self.epochs}" + (" (pre-training)" if epoch < self.pretrain_epochs else ""),
            unit="step",
            disable=self.quiet,
        )
        with bar:
            for batch in batches[place.batch :]:
                loss = self._train_batch(batch)
                place.batch, place.step = place.batch + 1, place.step + 1
                place.loss_sum, place.loss_steps = place.loss_sum + loss, place.loss_steps + 1
                place.seconds = before + self.clock() - started
                bar.update()
                if place.step % LOG_EVERY == 0:
                    rate = self.optimiser.learning_rate(place.step - 1)
                    bar.set_postfix(loss=f"{place.loss_sum / place.loss_steps:.3f}", lr=f"{rate:.1e}")
                    seconds = round(place.seconds, 2)
                    phase = "pretrain" if epoch < self.pretrain_epochs else "train"
                    self._log(
                        step=place.step, epoch=epoch + 1, phase=phase, loss=loss, learning_rate=rate, seconds=seconds
                    )
                self._save_now_and_then()
                self.on_step(place.step, self.optimiser.total_steps)
                if self.workers.from_first(place.seconds > self._stop_at):
                    return False
        return True

    def _train_batch(self, batch: list[Example]) -> float:
        """One step; returns the loss per target word over all processes."""
        # A seed of the step's own: dropout after a resume is the dropout an unbroken run would have had.
        torch.manual_seed((self.training.seed * 1_000_003 + self.place.step) * 1_009 + self.workers.rank)
        self.tagger.model.train()
        self.optimiser.zero_grad()
        mine = batch[self.workers.rank :: self.workers.count]
        tagged = [example for example in mine if example.tags]  # where all was rejected, nothing is known to be right
        targets = list(
            target_sequences(tagged, self.tagger.codec, self.training, self.data.frequencies, self.place.epoch)
        )
        words = self.workers.total(sum(map(len, targets)))
        loss = 0.0
        if mine:
            total = self._loss_sum(mine, tagged, targets) / max(1, words)
            total.backward()
            loss = total.item()
        self.workers.sum_gradients([*self.optimiser.dense, *self.optimiser.sparse], self.optimiser.sparse)
        self.optimiser.step(self.place.step)
        return self.workers.total(loss)

    def _loss_sum(self, examples: list[Example], tagged: list[Example], targets: list[list[int]]) -> torch.Tensor:
        """Of tags people gave and, where asked for, of tags they rejected; summed over target words."""
        model, training = self.tagger.model, self.training
        frequencies = self.data.frequencies
        loss = torch.zeros((), requires_grad=True)
        if tagged:
            first = first_symbols(tagged, training, self.place.epoch)
            loss = loss + likelihood_loss(model, tagged, targets, training.label_smoothing, first)
        if training.unlikelihood:
            rejections = pick_rejections(examples, self.tagger.codec, training, frequencies, self.place.epoch)
            if rejections:
                loss = loss + training.unlikelihood * rejection_loss(model, rejections)
        return loss

    def _end_epoch(self) -> None:
        place = self.place
        loss = place.loss_sum / max(1, place.loss_steps)
        place.epoch, place.batch, place.loss_sum, place.loss_steps = place.epoch + 1, 0, 0.0, 0
        if self.workers.is_first:
            self._judge_epoch(loss)
        self.place = self.workers.from_first(place)
        self._save_state()
        if time.monotonic() - self._drawn_at > DRAW_EVERY_SECONDS:
            self._draw_curves()

    def _judge_epoch(self, loss: float) -> None:
        """Score on dev, keep the checkpoint, remember the best."""
        place = self.place
        started = time.monotonic()
        scores: Evaluation | None = None
        if self.dev:
            scores = evaluate(self.tagger, self.dev, beam=self.training.dev_beam, quiet=self.quiet)
        f1 = None
        if scores:
            f1 = scores.best_threshold_score.f1 if self.tunes_threshold else scores.voted.f1
        self.tagger.details = {
            **self.tagger.details,
            "training": self.training.to_dict(),
            "metrics": {"epoch": place.epoch, "train_loss": loss, **({"dev": scores.to_dict()} if scores else {})},
        }
        folder = self.folder / f"epoch-{place.epoch:03d}"
        save_tagger(self.tagger, folder, storage=self.storage)
        if place.epoch == self.pretrain_epochs:
            save_tagger(self.tagger, self.folder / PRETRAINED, storage="float32")
        if self._is_best(f1):
            place.best_f1, place.best_epoch, place.waited = f1, place.epoch, 0
            save_tagger(self.tagger, self.folder / "best", storage=self.storage)
        elif place.epoch > self.pretrain_epochs:
            place.waited += 1  # patience is for fine-tuning; pre-training always runs to its end
        shutil.rmtree(self.folder / f"epoch-{place.epoch - KEPT_EPOCHS:03d}", ignore_errors=True)
        entry = {"epoch": place.epoch, "step": place.step, "train_loss": loss, "seconds": round(place.seconds, 1)}
        if scores:
            entry |= {
                "dev_f1": scores.voted.f1,
                "dev_precision": scores.voted.precision,
                "dev_recall": scores.voted.recall,
                "dev_f1_best_hypothesis": scores.best_hypothesis.f1,
                "dev_f1_best_threshold": scores.best_threshold_score.f1,
                "dev_seconds": round(time.monotonic() - started, 1),
            }
        self._log(**entry)
        if not self.quiet:
            shown = ""
            if scores and f1 is not None:
                shown = f"dev F1 {100 * f1:.2f} (best hypothesis {100 * scores.best_hypothesis.f1:.2f})"
            best = " *" if place.best_epoch == place.epoch else ""
            tqdm.write(f"epoch {place.epoch}: loss {loss:.3f} {shown}{best}", file=sys.stderr)

    def _is_best(self, f1: float | None) -> bool:
        """Whether an epoch with this dev F1 (None: there is no dev set) is better than those before it.

        Without a dev set nothing can tell two epochs apart: the one that was trained longer is taken. The training
        loss cannot, it rises where a trained model begins with new questions, and from one order to the other.
        """
        return f1 is None or self.place.best_epoch == 0 or is_better(f1, self.place.best_f1)

    def _log(self, **entry) -> None:
        if self.workers.is_first:
            entry["time"] = round(time.time(), 1)
            with open(self.folder / "log.jsonl", "a", encoding="utf-8") as log:
                log.write(json.dumps(entry) + "\n")

    def _draw_curves(self) -> None:
        if self.workers.is_first and self.place.epoch:
            draw_curves(self.folder)
            self._drawn_at = time.monotonic()

    def _forget_lost_steps(self) -> None:
        """Drop log lines of steps and epochs that were done after the state was saved; they will be done again."""
        path = self.folder / "log.jsonl"
        if path.exists():
            lines = path.read_text(encoding="utf-8").splitlines()
            entries = [json.loads(line) for line in lines if line.endswith("}")]
            path.write_text("".join(json.dumps(e) + "\n" for e in entries if self._is_done(e)), encoding="utf-8")

    def _is_done(self, entry: dict) -> bool:
        """Whether a log line tells of something the run need not do again."""
        if "train_loss" in entry:
            return entry["epoch"] <= self.place.epoch
        return entry["step"] <= self.place.step

    def _save_now_and_then(self) -> None:
        if self.workers.is_first and time.monotonic() - self._saved_at > self.save_every_seconds:
            self._save_state()

    def _save_state(self) -> None:
        """Atomic: a crash leaves the state before."""
        if not self.workers.is_first:
            return
        state = {
            "fingerprint": self._fingerprint,
            "model": self.tagger.model.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "place": asdict(self.place),
        }
        temporary = self.folder / "state.pt.writing"
        with open(temporary, "wb") as stream:
            torch.save(state, stream)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, self.folder / "state.pt")
        self._saved_at = time.monotonic()

    @cached_property
    def _fingerprint(self) -> str:
        """What must be the same for a resumed run to mean anything."""
        return json.dumps(
            describe_run(
                self.tagger,
                self.data,
                self.dev,
                self.training,
                processes=self.workers.count,
                tunes_threshold=self.tunes_threshold,
            ),
            sort_keys=True,
        )


def tune_threshold(tagger: Tagger, dev: Sequence[Question], quiet: bool = False) -> Evaluation:
    """Give the tagger the voting threshold that is best on dev, and return the scores with it."""
    found = evaluate(tagger, dev, quiet=quiet)
    tagger.settings = replace(tagger.settings, threshold=found.best_threshold)
    return evaluate(tagger, dev, quiet=quiet)
