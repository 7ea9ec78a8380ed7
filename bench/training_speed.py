"""Steps a second of training, and where the time goes: `python bench/training_speed.py [--presets small paper]`.

Questions are made up, as in bench/paper_size.py: the time of a step depends on sizes, not on what is said. Each phase
is timed in every step; best and middle of all steps are printed, with the operators that take most.
"""

import argparse
import json
import sys
import time
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import torch  # noqa: E402

from bench.paper_size import build_tagger, made_up_batch  # noqa: E402
from l2a.config import preset  # noqa: E402
from l2a.text.batch import pad_sources, pad_targets  # noqa: E402
from l2a.training.optimiser import Optimiser  # noqa: E402

PHASES = ("encoder", "decoder", "output layer and loss", "backward", "clipping and update")


class TimedStep:
    """One training step, phase by phase; the same calls in the same order as in `l2a.training`."""

    def __init__(self, name: str, words: int):
        self.training = preset(name).training
        self.tagger = build_tagger(name)
        self.examples, self.targets = made_up_batch(self.tagger, self.training.batch_size, words)
        self.optimiser = Optimiser(self.tagger.model, self.training, 1000, 0)
        self.tagger.model.train()

    def __call__(self) -> list[float]:
        """Seconds of every phase."""
        model, smoothing = self.tagger.model, self.training.label_smoothing
        self.optimiser.zero_grad()
        inputs, wanted = pad_targets(self.targets)
        source = pad_sources([example.source for example in self.examples])
        marks = [time.perf_counter()]
        memory = model.encode(source)
        marks.append(time.perf_counter())
        hidden, _ = model.decode(inputs, memory)
        marks.append(time.perf_counter())
        log_probs, mean = model.target_log_probs(hidden, memory, wanted)
        loss = -((1 - smoothing) * log_probs + smoothing * mean).sum() / sum(map(len, self.targets))
        marks.append(time.perf_counter())
        loss.backward()
        marks.append(time.perf_counter())
        self.optimiser.step(0)
        marks.append(time.perf_counter())
        return [after - before for before, after in pairwise(marks)]


def measure(name: str, words: int, steps: int) -> dict:
    step = TimedStep(name, words)
    step()  # the first one makes room
    times = sorted((step() for _ in range(steps)), key=sum)
    best, middle = times[0], times[len(times) // 2]
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
        step()
    events = sorted(profile.key_averages(), key=lambda event: -event.self_cpu_time_total)
    whole = sum(event.self_cpu_time_total for event in events)
    return {
        "batch": step.training.batch_size,
        "weights": sum(parameter.numel() for parameter in step.tagger.model.parameters()),
        "steps_a_second": {"best": round(1 / sum(best), 2), "middle": round(1 / sum(middle), 2)},
        "share": {phase: round(spent / sum(middle), 3) for phase, spent in zip(PHASES, middle, strict=True)},
        "operators": {event.key: round(event.self_cpu_time_total / whole, 3) for event in events[:8]},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--presets", nargs="+", default=["small", "paper"], choices=("tiny", "small", "paper"))
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--words", type=int, default=48, help="of a question (48)")
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    for name in args.presets:
        print(json.dumps({name: measure(name, args.words, args.steps)}, indent=1), flush=True)


if __name__ == "__main__":
    main()
