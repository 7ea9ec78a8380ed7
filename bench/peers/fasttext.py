"""fastText, supervised, in an environment of its own: it is compiled from source and no requirement of the project."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.peers.material import SHOWN, Material, Unavailable, Variants

PACKAGE = "fasttext==0.9.3"
LOSSES = ("ova", "softmax")  # one against the rest, and all tags together
SETTINGS = {"lr": 0.5, "epoch": 25, "dim": 100, "wordNgrams": 2, "minn": 0, "maxn": 0, "bucket": 200_000, "seed": 1}
LABEL = "__label__"
BUILD_SECONDS = 1_800

# Runs in the other environment, isolated (-I), or it might import this file in fastText's place. One thread, or the
# seed would not decide the result.
PROGRAM = """
import json, sys
import fasttext
settings, train, questions, count = json.loads(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
model = fasttext.train_supervised(train, thread=1, verbose=0, **settings)
with open(questions, encoding="utf-8") as stream:
    lines = stream.read().split("\\n")
labels, scores = model.predict(lines, k=count)
print(json.dumps([[[l, float(s)] for l, s in zip(*pair)] for pair in zip(labels, scores)]))
"""


def supervised(material: Material) -> Variants:
    """Raises Unavailable where fastText cannot be built or fails."""
    python = _ready_environment(material.folder)
    names, labels = material.label_matrix
    with tempfile.TemporaryDirectory() as folder:
        train, questions = Path(folder) / "train.txt", Path(folder) / "questions.txt"
        lines = [
            " ".join([*(f"{LABEL}{column}" for column in row.nonzero()[0]), *cut.weighted()])
            for row, cut in zip(labels, material.cuts, strict=True)
        ]
        train.write_text("\n".join(lines) + "\n", encoding="utf-8")
        questions.write_text("\n".join(" ".join(cut.weighted()) for cut in material.question_cuts), encoding="utf-8")
        found = {}
        for loss in LOSSES:
            settings = json.dumps({**SETTINGS, "loss": loss})
            said = _run(
                [python, "-I", "-c", PROGRAM, settings, str(train), str(questions), str(SHOWN)], "fastText failed"
            )
            found[loss] = [
                [(names[int(label.removeprefix(LABEL))], score) for label, score in pairs] for pairs in json.loads(said)
            ]
    return found


def _ready_environment(folder: Path | None) -> str:
    """The Python that has fastText; builds it where it is missing."""
    if folder is None:
        raise Unavailable("not built: give a --cache folder to build it in")
    home = folder.resolve() / PACKAGE.replace("==", "-")
    python = str(home / "bin" / "python")
    if (
        Path(python).exists()
        and subprocess.run([python, "-I", "-c", "import fasttext"], capture_output=True).returncode == 0
    ):
        return python
    _run([sys.executable, "-m", "venv", "--clear", str(home)], "no virtual environment")
    _run([python, "-m", "pip", "install", "--quiet", "--no-binary", "fasttext", PACKAGE], "not built")
    _run([python, "-I", "-c", "import fasttext"], "built, but cannot be imported")
    return python


def _run(command: list[str], trouble: str) -> str:
    """What the command printed; raises Unavailable with the last line of its complaint."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=BUILD_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(f"{trouble}: {error}") from error
    if done.returncode:
        complaint = [line for line in done.stderr.splitlines() if line.strip()]
        raise Unavailable(f"{trouble}: {complaint[-1].strip() if complaint else f'exit code {done.returncode}'}")
    return done.stdout
