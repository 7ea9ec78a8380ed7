"""How a retraining is done: from what somebody asked for to a training run."""

import math
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.shell.messages import message
from l2a.config import ModelConfig, TrainingConfig, read_decode
from l2a.errors import SettingsError

if TYPE_CHECKING:
    from l2a.training.run import RunSpec

MODES = ("fine-tune", "scratch")
BATCH = 32
GENTLE = 0.3  # of the rate the live model was first trained with: it shall learn, not forget
STEPS = 100  # that few decisions are repeated for; many decisions are read at least `FEWEST` times
FEWEST, MOST = 4, 30  # epochs


@dataclass(frozen=True)
class Options:
    """What somebody asked for; stored with the run."""

    mode: str = "fine-tune"  # from the live model; scratch: its shape and its ranker, nothing of what it learned
    minutes: float = 30.0  # of training at most
    epochs: int | None = None  # None: by the number of decisions
    unlikelihood: float = 1.0  # weight of rejected tags
    replay: tuple[str, ...] = ()  # files of what the live model was trained on
    seed: int = 1

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise SettingsError(message("training.mode", mode=self.mode, modes=", ".join(MODES)))
        if not 0 < self.minutes <= 60 * 24:
            raise SettingsError(message("training.minutes", minutes=self.minutes))

    def to_dict(self) -> dict:
        return asdict(self)

    @classmethod
    def from_dict(cls, values: dict) -> "Options":
        return cls(**{**values, "replay": tuple(values.get("replay", ()))})


def spec_for(options: Options, live: Path, train: Path, questions: int) -> "RunSpec":
    """The training run for a file of `questions` decisions, beside the live model's folder."""
    from l2a.checkpoint import read_config  # here and not above: who only asks for a run need not wait for torch
    from l2a.training.run import RunSpec

    config = read_config(live)
    learned = TrainingConfig.from_dict(config.get("training", {}))
    epochs = options.epochs or min(MOST, max(FEWEST, math.ceil(STEPS * BATCH / max(1, questions))))
    training = replace(
        learned, order=config["order"], epochs=epochs, unlikelihood=options.unlikelihood, seed=options.seed
    )
    if options.mode == "scratch":
        # The live model's own settings may be those of a gentle retraining.
        training = replace(training, fine_tune_rate=1.0, warmup_steps=200, pretrain_epochs=1)
    else:
        training = replace(
            training,
            batch_size=BATCH,
            fine_tune_rate=GENTLE,  # a factor, so that the rate does not shrink with every generation
            schedule="linear",
            warmup_steps=20,
            pretrain_epochs=0,
        )
    decode, votes = read_decode(config["decode"])
    spec = RunSpec(
        train=(str(train),),
        model=ModelConfig.from_dict(config["model"]),
        decode=decode,
        votes=votes,
        training=training,
        storage=config.get("storage", "float32"),
        skip_bad=True,
    )
    if options.mode == "scratch":
        # How rare words are and what decisions are worth was not learned by the network: memory goes on with it.
        return replace(spec, pretrain=options.replay, ranker_of=str(live))
    return replace(spec, replay=options.replay, start=str(live))
