"""How large everything is: an engine preset with what the experiments add to it.

`paper` has the paper's sizes. `tiny` is for tests. In `small` a training has a few minutes of one core, so L2A and the
classifiers are a quarter of the paper's width, and a shallower L2A passes over some thousand questions a few times.
Batch and warm-up were chosen on dev for two minutes of training (about 1,000 steps, of which 100 warm up). Rate and
dropout are chosen on dev for every kind of method by the study itself (`tried`, `tuning.py`).
"""

import math
import time
from dataclasses import dataclass, replace

from l2a.config import Preset, preset

# Training is timed by what the processor spent on it: whatever else runs on the machine takes nothing from a method.
CLOCK = time.thread_time


@dataclass(frozen=True)
class Setting:
    """What is tried on dev for every kind of method."""

    learning_rate: float
    dropout: float

    def __str__(self) -> str:
        return f"rate {self.learning_rate:g}, dropout {self.dropout:g}"


@dataclass(frozen=True)
class Scale:
    """Sizes and budgets of one preset."""

    base: Preset
    minutes: float  # of processor time, for each training; dev scoring between epochs is not counted
    units: int  # hidden units or convolution kernels of the three classifiers
    topics: int  # of the topic model
    topic_passes: int  # of the topic model over the training questions, as far as its share of the time reaches
    beams: tuple[int, ...]  # of the N-best figure; the last is the beam of every table
    tried: tuple[Setting, ...] = ()  # for each kind of method; none: everybody has the settings of `base`

    def with_setting(self, setting: Setting) -> "Scale":
        return replace(
            self,
            base=replace(
                self.base,
                model=replace(self.base.model, dropout=setting.dropout),
                training=replace(self.base.training, learning_rate=setting.learning_rate),
            ),
        )


_PAPER, _SMALL, _TINY = preset("paper"), preset("small"), preset("tiny")
_ALL_BEAMS = (1, 2, 4, 8, 16, 24, 32, 48)

SCALES: dict[str, Scale] = {
    "paper": Scale(_PAPER, math.inf, units=512, topics=100, topic_passes=10, beams=_ALL_BEAMS),
    "small": Scale(
        replace(
            _SMALL,
            model=replace(
                _SMALL.model,
                width=128,
                feed_forward=256,
                encoder_layers=1,
                decoder_layers=2,
                dropout=0.1,
                min_source_count=2,
            ),
            # Many epochs: the clock or the patience ends a run, never the number of epochs. Epochs are compared with a
            # small beam; with the one of the tables that would take as long as the training.
            training=replace(
                _SMALL.training, epochs=1000, batch_size=32, learning_rate=3e-3, warmup_steps=100, dev_beam=8
            ),
        ),
        minutes=2.0,
        units=128,
        topics=50,
        topic_passes=5,
        beams=_ALL_BEAMS,
        tried=tuple(Setting(rate, dropout) for rate in (3e-3, 6e-3, 1e-2) for dropout in (0.0, 0.1)),
    ),
    "tiny": Scale(
        _TINY,
        minutes=1.0,
        units=32,
        topics=5,
        topic_passes=2,
        beams=(1, 2, 4, 8),
    ),
}
