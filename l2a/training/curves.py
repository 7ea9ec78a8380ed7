"""The picture of a training run: loss by step, dev F1 by epoch."""

import json
from pathlib import Path


def draw_curves(folder: str | Path) -> None:
    """curves.png: loss by step, dev F1 by epoch."""
    from matplotlib.figure import Figure  # no pyplot: no window system, no global state

    with open(Path(folder) / "log.jsonl", encoding="utf-8") as log:
        entries = [json.loads(line) for line in log]
    steps = [entry for entry in entries if "loss" in entry]
    epochs = [entry for entry in entries if "train_loss" in entry]
    figure = Figure(figsize=(9, 4), layout="constrained")
    left, right = figure.subplots(1, 2)
    left.plot([e["step"] for e in steps], [e["loss"] for e in steps], color="#9db4d6", linewidth=0.8, label="step")
    left.plot([e["step"] for e in epochs], [e["train_loss"] for e in epochs], "o-", color="#1f4e9c", label="epoch mean")
    pretrained = [e["step"] for e in steps if e.get("phase") == "pretrain"]
    if pretrained:
        left.axvline(max(pretrained), color="#888888", linestyle="--", linewidth=0.8, label="end of pre-training")
    left.set(title="Training loss per target word", xlabel="step", ylabel="loss")
    left.legend()
    scored = [e for e in epochs if "dev_f1" in e]
    for name, label in (("dev_f1", "voted"), ("dev_f1_best_hypothesis", "best hypothesis")):
        right.plot([e["epoch"] for e in scored], [100 * e[name] for e in scored], "o-", label=label)
    right.set(title="Dev F1 (NLPCC)", xlabel="epoch", ylabel="F1, percent")
    right.legend()
    figure.savefig(Path(folder) / "curves.png", dpi=110)
